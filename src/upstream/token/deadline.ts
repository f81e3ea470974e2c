import { createController } from '../../signal.ts'
import type { Caller, Clock } from '../transport/send.ts'

/** How long a caller waits: until a moment, or until nobody needs its answer any more. */
export type Patience = Pick<Caller, 'deadline' | 'signal'>

/** Longer than an exchange takes, shorter than what a timer takes for no time at all. */
const LONGEST_WAIT = 60_000

/** Waits for work that goes on without its callers, as long as each of them may; `late` is what it is told then. */
export const createWithin =
  (clock: Clock, late: () => Error) =>
  async <T>(work: Promise<T>, { deadline, signal }: Patience): Promise<T> => {
    const off = createController()
    const leave = () => off.abort()
    signal?.addEventListener('abort', leave)
    const patience = Math.min(Math.max(0, deadline - clock.now()), LONGEST_WAIT)
    const limit = clock.sleep(patience, off.signal).then(() => {
      throw late()
    })
    try {
      return await Promise.race([work, limit])
    } finally {
      signal?.removeEventListener('abort', leave)
      off.abort()
    }
  }
