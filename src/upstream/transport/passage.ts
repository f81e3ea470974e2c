import type { Breaker, Ending } from './breaker.ts'
import { retryingAt } from './came.ts'
import { holdsUpAll, isBehind, type Waits } from './order.ts'
import type { Pause } from './pause.ts'
import type { Clock, WireAnswer } from './send.ts'

export interface PassageSettings {
  /** Requests on the wire at once. */
  readonly concurrency: number
  /** Starts in a second, evenly spaced, if the plan has a limit. */
  readonly rps?: number | undefined
  /** How many share the slots at the moment without knowing of each other; 1 where nobody does. */
  readonly sharers?: (() => number) | undefined
}

/** A request on the wire. */
export interface Pass {
  /** Ends it, and tells the breaker how. */
  end(ending: Ending): void
  /** Takes in what an answer tells of the rate; gives it with what was made of that. */
  learn(answer: WireAnswer): WireAnswer
}

/** Share of the slots that may be used for what nobody waits for. */
const BEHIND = 0.2
/** Weight of the latest request in the mean time on the wire. */
const LATEST = 1 / 16
/** No request is worth more of it than that: a process that stood still, or a clock that was set, says nothing. */
const LONGEST_SERVICE = 10_000

/** The slots to the upstream and the moments at which one may be taken: how many at once, how far apart, and no pause. */
export const createPassage = (
  { concurrency, rps, sharers = () => 1 }: PassageSettings,
  clock: Clock,
  pause: Pause,
  breaker: Breaker,
) => {
  const gap = rps === undefined ? 0 : 1_000 / rps
  const mostBehind = Math.max(1, Math.floor(concurrency * BEHIND))
  let running = 0
  let behind = 0
  let spaced = 0
  /** Milliseconds that a request is on the wire, in the mean. */
  let service = 0

  /** As the service told. */
  const opensAt = () => Math.max(pause.opensAt, spaced)
  /** When the next goes. */
  const startsAt = () => Math.max(opensAt(), pause.over)
  const hasSlot = () => running < Math.max(1, Math.floor(pause.width / sharers()))

  const measure = (took: number) => {
    service += (Math.min(Math.max(0, took), LONGEST_SERVICE) - service) * LATEST
  }

  return {
    /** Milliseconds between two starts. */
    gap,
    get running() {
      return running
    },
    /** Whether what nobody waits for may have a slot. */
    get allowsBehind() {
      return behind < mostBehind
    },
    get isFree() {
      return hasSlot() && startsAt() <= clock.now()
    },
    opensAt,
    /** When the next goes; never where one that ends has to make way for it. */
    get nextAt() {
      return hasSlot() ? startsAt() : Number.POSITIVE_INFINITY
    },
    /** What is certain: answers on their way may lift a used-up window, but never a pause. */
    earliest: (position: number, now: number) => Math.max(now, pause.over, spaced) + position * gap,
    /** Milliseconds until so many are through, in the mean. */
    timeFor: (waiting: number) => (waiting * service) / concurrency,
    /** `after` is told, once it is over, whether the breaker opened for it. */
    start(waits: Waits, after: (isBroken: boolean) => void): Pass {
      const { round } = pause
      const begun = clock.now()
      const isBackground = isBehind(waits)
      const entered = breaker.enter(waits.request)
      running += 1
      if (isBackground) behind += 1
      spaced = begun + gap
      pause.spend()
      return {
        learn(answer) {
          pause.learn(answer, round, running - 1)
          return answer.status === 429 ? retryingAt(answer, pause.until) : answer
        },
        end(ending) {
          running -= 1
          if (isBackground) behind -= 1
          if (!holdsUpAll(waits.request)) measure(clock.now() - begun)
          after(breaker.leave(entered, ending))
        },
      }
    },
  }
}
