import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './upstream/transport/send.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, signal === undefined ? {} : { signal })
    } catch {
      // An aborted wait is over: whoever aborted it goes on.
    }
  },
}
