import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Megabytes of what is in use. */
export const heapInMb = () => {
  collect()
  return process.memoryUsage().heapUsed / 1_000_000
}
