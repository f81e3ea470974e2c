import type { Instant, Watch } from './access.ts'

/** In the long run one exchange in this time, however short tokens live and however often they are refused. */
const BETWEEN_MINTS = 30_000

/** When the next token may be minted: one may come early, for what nobody could foresee, at the cost of the next. */
export const createPace = (watch: Watch) => {
  /** The moment up to which the tokens minted so far are paid for in time. */
  let paidUntil: Instant = { wall: Number.NEGATIVE_INFINITY, steady: Number.NEGATIVE_INFINITY }
  const paid = (until: number, born: number) => Math.max(until, born) + BETWEEN_MINTS
  return {
    /** Milliseconds, by the clock that has gone further. */
    get wait() {
      const now = watch()
      const left = Math.min(paidUntil.wall - now.wall, paidUntil.steady - now.steady)
      return Math.max(0, left - BETWEEN_MINTS)
    },
    /** `born` is the moment at which the exchange was sent. */
    minted(born: Instant) {
      paidUntil = {
        wall: paid(paidUntil.wall, born.wall),
        steady: paid(paidUntil.steady, born.steady),
      }
    },
  }
}

export type Pace = ReturnType<typeof createPace>
