import type { Clock } from './transport/send.ts'

/** Milliseconds; what ends within so long has ended by itself. */
const SLACK = 200

/**
 * Who was seen to send for an answer. One whose lease is gone before its time, and who has not said that it ended, is
 * believed to send until it could have shown that it lives: Redis may have lost its lease.
 */
export const createSighting = (clock: Clock, betweenSigns: number) => {
  let sender = ''
  let until = 0
  let isGone = false
  return {
    get sender(): string {
      return clock.now() < until ? sender : ''
    },
    /** `leftMs` of its lease; none: it is gone. */
    saw(other: string, leftMs: number) {
      const now = clock.now()
      if (leftMs > 0) until = now + leftMs - SLACK
      else if (!isGone) until = Math.min(until, now + 2 * betweenSigns)
      isGone = leftMs <= 0
      sender = other
    },
    /** It has ended. */
    forget() {
      until = 0
    },
  }
}
