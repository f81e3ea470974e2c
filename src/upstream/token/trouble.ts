import { type ErrorCode, GatewayError } from '../../errors.ts'
import type { Clock } from '../transport/send.ts'

/** Why there is no new access token, and until when nothing is tried. */
export interface Trouble {
  readonly kind: 'busy' | 'away' | 'rejected' | 'faulty'
  /** For those who wait. */
  readonly error: GatewayError
  /** For the operator. */
  readonly problem: string
  readonly until: number
}

interface Passing {
  readonly why: string
  readonly code?: ErrorCode
  /** Seconds, as the rate limit told. */
  readonly retryAfter?: number | undefined
}

const MINUTE = 60_000
const PROBES = [MINUTE, 5 * MINUTE, 15 * MINUTE]
const FIRST_BACK_OFF = 1_000
const LONGEST_BACK_OFF = MINUTE
/** A store that is away is not asked while that is known, so that to try again costs nothing. */
const BETWEEN_LOOKS = 5_000
/** What clients may read: causes, with their paths and addresses, are in `problem`. */
const NO_TOKEN_YET = 'The gateway has no access token for the upstream at the moment'
const NO_TOKEN = 'The upstream refuses to give the gateway an access token'

/** Keeps count of failed exchanges: each in a row is waited for longer. */
export const createTroubles = (clock: Clock, random: () => number) => {
  let current: Trouble | undefined
  let busy = 0
  let rejections = 0

  const set = (trouble: Trouble) => {
    current = trouble
    return trouble.error
  }
  const seconds = (wait: number) => ({ retryAfter: Math.ceil(wait / 1_000) })

  const waitFor = (
    wait: number,
    why: string,
    kind: 'busy' | 'away' = 'busy',
    code: ErrorCode = 'UPSTREAM_UNAVAILABLE',
  ) =>
    set({
      kind,
      until: clock.now() + wait,
      problem: `No access token: ${why}`,
      error: new GatewayError(code, NO_TOKEN_YET, seconds(wait)),
    })

  return {
    /** The trouble in force; once its time is up it no longer stands in the way. */
    get active(): Trouble | undefined {
      return current !== undefined && current.until > clock.now() ? current : undefined
    },
    get last(): Trouble | undefined {
      return current
    },
    clear() {
      current = undefined
      busy = 0
      rejections = 0
    },
    /** It may pass by itself. */
    busy({ why, retryAfter, code }: Passing): GatewayError {
      const longest = Math.min(FIRST_BACK_OFF * 2 ** busy, LONGEST_BACK_OFF)
      const wait = Math.max(longest * (0.5 + random() / 2), (retryAfter ?? 0) * 1_000)
      busy += 1
      return waitFor(wait, why, 'busy', code)
    },
    /** Where replicas agree who exchanges, nobody answers: it is back when it is back, and nobody waits for that. */
    away: (why: string): GatewayError => waitFor(BETWEEN_LOOKS, why, 'away'),
    /** The last exchanges were made too shortly ago for another. */
    early: (wait: number): GatewayError =>
      waitFor(wait, 'tokens live, or are refused, in less time than lies between two exchanges'),
    /** The service refuses: it is asked again only to notice that somebody mended it. */
    rejected(problem: string): GatewayError {
      const wait = PROBES[Math.min(rejections, PROBES.length - 1)] ?? MINUTE
      rejections += 1
      return set({
        kind: 'rejected',
        until: clock.now() + wait,
        problem,
        error: new GatewayError('UPSTREAM_UNAUTHENTICATED', NO_TOKEN, seconds(wait)),
      })
    },
    /** Nothing but another configuration helps. */
    faulty(problem: string): GatewayError {
      return set({
        kind: 'faulty',
        until: Number.POSITIVE_INFINITY,
        problem,
        error: new GatewayError('UPSTREAM_UNAUTHENTICATED', NO_TOKEN),
      })
    },
  }
}

export type Troubles = ReturnType<typeof createTroubles>
