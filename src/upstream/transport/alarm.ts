import { type Controller, createController } from '../../signal.ts'
import type { Clock } from './send.ts'

/** A timer takes more than 24 days for no time at all. */
const LONGEST_SLEEP = 3_600_000

/** One moment at which something has to be done; setting another takes back the last. */
export const createAlarm = (clock: Clock, ring: () => void) => {
  let set: { readonly at: number; readonly off: Controller } | undefined
  /** Infinity: never. */
  return (at: number): void => {
    if (set?.at === at) return
    set?.off.abort()
    set = undefined
    if (at === Number.POSITIVE_INFINITY) return
    const off = createController()
    set = { at, off }
    const wait = Math.min(Math.max(0, at - clock.now()), LONGEST_SLEEP)
    void clock.sleep(wait, off.signal).then(() => {
      if (off.signal.aborted) return
      set = undefined
      ring()
    })
  }
}
