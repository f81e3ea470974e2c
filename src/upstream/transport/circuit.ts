import type { Clock } from './send.ts'

/** Hears of every call and says whether it is one failure too many. */
type Rule = (failed: boolean) => boolean

/** How a call ended; undefined: it says nothing about whether the service works. */
export type Verdict = 'ok' | 'failed' | undefined

/** One thing that may keep failing. */
export interface Circuit {
  /** Milliseconds until it may be asked again; undefined: it may be asked. */
  readonly wait: number | undefined
  /** One call begins. True: it is to find out whether the thing works again. */
  enter(): boolean
  /** It ended; `isProbe` is what `enter` said. Tells whether that opened the circuit. */
  leave(isProbe: boolean, verdict: Verdict): boolean
}

const FIRST_OPEN = 10_000
const LONGEST_OPEN = 120_000
const STRETCH = 3_000
const STRETCHES = 10
const LEAST_CALLS = 20
const FAILED_SHARE = 0.5

/** At least half of the calls of the last 30 s, of at least 20. */
export const halfOfTwenty = (clock: Clock): Rule => {
  /** Calls by the stretch of time in which they ended, oldest first. */
  const stretches: { readonly at: number; calls: number; failures: number }[] = []
  const currentOf = (at: number) => {
    while ((stretches[0]?.at ?? at) <= at - STRETCHES) stretches.shift()
    const last = stretches.at(-1)
    if (last?.at === at) return last
    const begun = { at, calls: 0, failures: 0 }
    stretches.push(begun)
    return begun
  }
  return (failed) => {
    const current = currentOf(Math.floor(clock.now() / STRETCH))
    current.calls += 1
    if (!failed) return false
    current.failures += 1
    let calls = 0
    let failures = 0
    for (const one of stretches) {
      calls += one.calls
      failures += one.failures
    }
    return calls >= LEAST_CALLS && failures >= calls * FAILED_SHARE
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
      const isProbe = openUntil !== undefined
      if (isProbe) probing = true
      return isProbe
    },
    leave(isProbe, verdict) {
      if (isProbe) {
        probing = false
        if (verdict === 'failed') return open()
        if (verdict === undefined) return false
        openUntil = undefined
        span = FIRST_OPEN
      }
      if (verdict === undefined || openUntil !== undefined) return false
      return rule(verdict === 'failed') && open()
    },
  }
}
