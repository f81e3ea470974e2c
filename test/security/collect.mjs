// Loaded before a gateway: tells with each SIGUSR2 how many bytes of its heap are in use once what is not has gone.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => {
  collect()
  process.stdout.write(`Heap: ${process.memoryUsage().heapUsed}\n`)
})
