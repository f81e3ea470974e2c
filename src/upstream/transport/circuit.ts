import type { Clock } from './send.ts'

/** Hears of every call and says whether it is one failure too many. */
type Rule = (failed: boolean) => boolean

/** How a call ended; undefined: it says nothing about whether the service works. */
export type Verdict = 'ok' | 'failed' | undefined

/** One thing that may keep failing. */
export interface Circuit {
  /** Milliseconds until it may be asked again; undefined: it may be asked. */
  readonly wait: number | undefined
  /** One call begins; what is returned takes how it ended, and tells whether that opened the circuit. */
  enter(): (verdict: Verdict) => boolean
}

const FIRST_OPEN = 10_000
const LONGEST_OPEN = 120_000
const HALF_WINDOW = 15_000
const LEAST_CALLS = 20
const FAILED_SHARE = 0.5

/** At least half of the calls of about the last 30 s, of at least 20. */
export const halfOfTwenty = (clock: Clock): Rule => {
  const none = () => ({ calls: 0, failures: 0 })
  const slotNow = () => Math.floor(clock.now() / HALF_WINDOW)
  let slot = slotNow()
  let current = none()
  let previous = none()
  return (failed) => {
    if (slotNow() !== slot) {
      previous = slotNow() === slot + 1 ? current : none()
      current = none()
      slot = slotNow()
    }
    current.calls += 1
    if (failed) current.failures += 1
    const calls = current.calls + previous.calls
    const failures = current.failures + previous.failures
    return failed && calls >= LEAST_CALLS && failures >= calls * FAILED_SHARE
  }
}

/** Five failures without a success between them. */
export const fiveInARow = (): Rule => {
  let row = 0
  return (failed) => {
    row = failed ? row + 1 : 0
    return row >= 5
  }
}

/** Closed until its rule trips it; then open for a while; then one call decides. */
export const createCircuit = (clock: Clock, rule: Rule): Circuit => {
  let openUntil: number | undefined
  let span = FIRST_OPEN
  let probing = false
  const open = () => {
    openUntil = clock.now() + span
    span = Math.min(span * 2, LONGEST_OPEN)
    return true
  }
  return {
    get wait() {
      if (openUntil === undefined) return undefined
      const left = openUntil - clock.now()
      return left > 0 || probing ? Math.max(left, 0) : undefined
    },
    enter() {
      const probe = openUntil !== undefined
      if (probe) probing = true
      return (verdict) => {
        if (probe) {
          probing = false
          if (verdict === 'failed') return open()
          if (verdict === undefined) return false
          openUntil = undefined
          span = FIRST_OPEN
        }
        if (verdict === undefined || openUntil !== undefined) return false
        return rule(verdict === 'failed') && open()
      }
    },
  }
}
