// Loaded before a gateway: on SIGUSR2 something breaks in it that nobody catches, as BOMB says.
import { EventEmitter } from 'node:events'

const failure = () => new Error('boom, with Authorization: Bearer planted-secret')
const burst = () => {
  throw failure()
}
const bombs = {
  timer: () => setTimeout(burst),
  event: () => setImmediate(() => new EventEmitter().on('fuse', burst).emit('fuse')),
  promise: () => void Promise.reject(failure()),
}
process.on('SIGUSR2', bombs[process.env.BOMB])
