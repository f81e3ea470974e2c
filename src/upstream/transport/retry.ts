import { GatewayError } from '../../errors.ts'
import { WireFault } from './fault.ts'
import type { Caller, Clock, Outcome } from './send.ts'
import type { End, Step } from './step.ts'

/** `held`: the repeat was refused on this side of the wire. */
type Verdict = 'final' | 'free' | 'paid' | 'held'

const FREE_REPEATS = 2
const SHORTEST_WAIT = 50
const LONGEST_WAIT = 500
/** In tenths of a credit, so that ten successes make one exactly. */
const CREDIT = 10
const FULL_BUDGET = 20 * CREDIT
const EARNED_BY_SUCCESS = 1
const MAY_PASS = [500, 502, 503, 504]

const verdictOn = (outcome: Outcome): Verdict => {
  if ('answer' in outcome) return MAY_PASS.includes(outcome.answer.status) ? 'paid' : 'final'
  const { error } = outcome
  if (!(error instanceof WireFault)) return error instanceof GatewayError ? 'held' : 'final'
  if (!error.repeatable) return 'final'
  return error.sent ? 'paid' : 'free'
}

const isWorthTwice = ({ purpose = 'interactive', hasStandIn }: Caller) =>
  purpose === 'interactive' && hasStandIn !== true

/**
 * Repeats what was never sent, for nothing, and once what may not have been served, for money: where
 * somebody waits and has nothing older, out of a budget that successes refill, so that an outage is not
 * paid for twice.
 */
export const createRetry = (clock: Clock, random: () => number) => {
  let budget = FULL_BUDGET
  const afford = (credits: number) => {
    if (budget < credits * CREDIT) return false
    budget -= credits * CREDIT
    return true
  }
  return (next: Step): Step =>
    (request, caller, end) => {
      let free = FREE_REPEATS
      let paid = isWorthTwice(caller) ? 1 : 0
      let before: Outcome | undefined
      const attempt = () => next(request, caller, take)
      const take: End = (outcome) => {
        const verdict = verdictOn(outcome)
        if (verdict === 'held') return end(before ?? outcome)
        if (verdict === 'final') {
          if ('answer' in outcome && outcome.answer.status < 400)
            budget = Math.min(FULL_BUDGET, budget + EARNED_BY_SUCCESS)
          return end(outcome)
        }
        const wait = SHORTEST_WAIT + random() * (LONGEST_WAIT - SHORTEST_WAIT)
        if (clock.now() + wait >= caller.deadline) return end(outcome)
        if (verdict === 'free' ? free === 0 : paid === 0 || !afford(request.credits))
          return end(outcome)
        if (verdict === 'free') free -= 1
        else paid -= 1
        before = outcome
        void clock
          .sleep(wait, caller.signal)
          .then(() => (caller.signal?.aborted ? end(outcome) : attempt()))
      }
      attempt()
    }
}
