import { Passing } from '../../passing.ts'
import { createController } from '../../signal.ts'
import type { Clock } from './send.ts'

/** What has time until a moment, and mostly ends before. */
export interface Timed {
  /** The moment has come. */
  timeUp(): void
}

/** A moment, and what has time until then. */
export class Moment {
  readonly at: number
  readonly over = createController()
  readonly open = new Set<Timed>()

  constructor(at: number) {
    this.at = at
  }
}

/** Tells what has time until a moment that it has come: all that have the same one share a timer. */
export const createMoments = (clock: Clock) => {
  const moments = new Passing<number, Moment>()

  const begin = (at: number): Moment => {
    const begun = new Moment(at)
    moments.set(at, begun)
    const { over, open } = begun
    if (at !== Number.POSITIVE_INFINITY)
      void clock.sleep(Math.max(0, at - clock.now()), over.signal).then(() => {
        if (over.signal.aborted) return
        // What enters from now on, by a clock that was set back, has a timer anew.
        moments.delete(at)
        over.abort()
        for (const one of open) one.timeUp()
      })
    return begun
  }

  return {
    /** Infinity: never. */
    enter(at: number, timed: Timed): Moment {
      const moment = moments.get(at) ?? begin(at)
      moment.open.add(timed)
      return moment
    },
    /** It has ended. */
    leave({ at, over, open }: Moment, timed: Timed): void {
      if (!open.delete(timed) || open.size > 0 || over.signal.aborted) return
      moments.delete(at)
      over.abort()
    },
  }
}

export type Moments = ReturnType<typeof createMoments>
