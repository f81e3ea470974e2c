import type { Clock } from '../transport/send.ts'
import type { Secret } from './secret.ts'

/** What a request carries, and which exchange it came from. */
export interface Access {
  readonly gen: number
  readonly token: Secret
}

/** An access token and its age. */
export interface HeldAccess extends Access {
  /** Milliseconds since it was asked for. */
  readonly age: number
  /** Good for one more request. */
  readonly alive: boolean
  /** Old enough to be renewed, while it still serves. */
  readonly due: boolean
  /** Milliseconds from birth to `due`. */
  readonly renewAfter: number
}

/** Two clocks read at once: one is set by people, the other may stand still while a machine sleeps. */
export interface Instant {
  readonly wall: number
  readonly steady: number
}

export type Watch = () => Instant

export const createWatch =
  (clock: Clock, monotonic: () => number): Watch =>
  () => ({ wall: clock.now(), steady: monotonic() })

const LONGEST_MARGIN = 5 * 60_000
const LAST_MOMENT = 5_000
/** Least time between two exchanges, where the service lets a token live that long. */
const SHORTEST_USE = 30_000

/** `born` is the moment before the exchange was sent: the service counts from some point after it. */
export const createAccess = (
  { gen, token }: Access,
  life: number,
  born: Instant,
  watch: Watch,
): HeldAccess => {
  const cautious = life - Math.min(LAST_MOMENT, life / 8)
  const usable = life < SHORTEST_USE ? cautious : Math.max(cautious, SHORTEST_USE)
  const early = life - Math.min(LONGEST_MARGIN, life / 4)
  const renewAfter = Math.max(early, Math.min(SHORTEST_USE, usable))
  const age = () => {
    const { wall, steady } = watch()
    return Math.max(wall - born.wall, steady - born.steady)
  }
  return {
    gen,
    token,
    renewAfter,
    get age() {
      return age()
    },
    get alive() {
      return age() < usable
    },
    get due() {
      return age() >= renewAfter
    },
  }
}
