import { bounded, remainingOf, resetOf, SHORTEST_PAUSE } from './reset.ts'
import type { Clock, WireAnswer } from './send.ts'

const FIRST_BACK_OFF = 2_000
const LONGEST_BACK_OFF = 60_000
const JITTER = 0.1
/** Enough for others to come at other moments, and not too long for those who wait. */
const LONGEST_SPREAD = 2_000

/**
 * What the service told about its rate: a pause that nothing passes, the requests its window still
 * allows, and how wide to open afterwards (one probe, then twice as many after each round of answers).
 */
export const createPause = (
  slots: number,
  clock: Clock,
  random: () => number,
  tell: (until: number) => void = () => undefined,
) => {
  let until = 0
  /** How much longer than told a pause is kept: what others who were told the same do, too. */
  let spread = 0
  let width = slots
  let answered = 0
  let strikes = 0
  /** Counts pauses: an answer to a request from before one says nothing about how it ended. */
  let round = 0
  let window: { left: number; until: number } | undefined

  const narrow = () => {
    round += 1
    width = 1
    answered = 0
    window = undefined
  }

  const hear = (moment: number) => {
    if (moment <= until) return
    narrow()
    until = moment
    const most = Math.min((moment - clock.now()) * JITTER, LONGEST_SPREAD)
    spread = bounded(moment + most * random(), clock.now()) - moment
  }
  const pauseUntil = (moment: number) => {
    if (moment > until) tell(moment)
    hear(moment)
  }

  /** For a refusal that names no moment to come: any moment of a span that is longer each time. */
  const backOff = (first: number, now: number) => {
    const span = Math.min(first * 2 ** strikes, LONGEST_BACK_OFF)
    strikes += 1
    return now + Math.max(SHORTEST_PAUSE, span * random())
  }

  const afterRefusal = (told: number | undefined, now: number) => {
    if (told === undefined) return backOff(FIRST_BACK_OFF, now)
    return told > now ? bounded(told, now) : backOff(SHORTEST_PAUSE, now)
  }

  const widen = () => {
    strikes = 0
    if (width >= slots) return
    answered += 1
    if (answered < width) return
    width = Math.min(width * 2, slots)
    answered = 0
  }

  /** A window whose requests are used up ends like a pause: with one probe. */
  const closeWindow = () => {
    if (window === undefined || clock.now() < window.until) return
    if (window.left <= 0) narrow()
    window = undefined
  }

  return {
    get round() {
      return round
    },
    get until() {
      return until
    },
    /** The moment at which the first one goes after the pause. */
    get over() {
      return until + spread
    },
    /** Requests at once, for now. */
    get width() {
      closeWindow()
      return width
    },
    /** The moment from which one more may start, as far as is known. */
    get opensAt() {
      closeWindow()
      return window !== undefined && window.left <= 0 ? Math.max(until, window.until) : until
    },
    /** Takes over a pause that another replica was told of. */
    hear,
    /** One request starts. */
    spend() {
      if (window !== undefined) window.left -= 1
    },
    /** Reads an answer to a request of `started` (a round), with `inFlight` others under way. */
    learn({ status, headers }: WireAnswer, started: number, inFlight: number) {
      const now = clock.now()
      const told = resetOf(headers, now)
      const remaining = remainingOf(headers)
      const refused = status === 429
      const busy = status === 503 && headers['retry-after'] !== undefined
      if (started !== round) {
        if ((refused || remaining === 0) && told !== undefined && told > now)
          pauseUntil(bounded(told, now))
        return
      }
      if (refused) return pauseUntil(afterRefusal(told, now))
      widen()
      if (remaining === 0 || (busy && told !== undefined))
        return pauseUntil(bounded(told ?? now + SHORTEST_PAUSE, now))
      if (remaining !== undefined)
        window = { left: remaining - inFlight, until: bounded(told ?? now, now) }
    },
  }
}

export type Pause = ReturnType<typeof createPause>
