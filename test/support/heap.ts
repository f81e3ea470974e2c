import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Clears the heap, or looks through the young alone. */
export const collect: (how?: { readonly type: 'minor' }) => void = runInNewContext('gc')

/** Megabytes of what is in use. */
export const heapInMb = () => {
  collect()
  return process.memoryUsage().heapUsed / 1_000_000
}
