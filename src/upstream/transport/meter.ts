import { WireFault } from './fault.ts'
import type { Outcome, WireRequest } from './send.ts'
import { type Step, when } from './step.ts'

/** What the plan bills; the service does not say, so it is a setting. */
export interface Billed {
  /** False on a fixed-rate plan, where no request is ever charged. */
  readonly requests: boolean
  /** Whether a call of the token endpoint costs a credit. */
  readonly token: boolean
  /** Answers of these statuses cost nothing. */
  readonly free: readonly number[]
}

const EXPECTED =
  'expected "all", "none", or "all-but:" and a comma-separated list of statuses (100 to 599) and the word token, such as all-but:401,token'

/** Reads the setting BILLED. */
export const parseBilled = (text: string): Billed => {
  const word = text.trim().toLowerCase()
  if (word === 'all') return { requests: true, token: true, free: [] }
  if (word === 'none') return { requests: false, token: false, free: [] }
  const list =
    /^all-but:(.+)$/
      .exec(word)?.[1]
      ?.split(',')
      .map((part) => part.trim()) ?? []
  if (list.length === 0 || list.some((part) => !/^(token|[1-5]\d\d)$/.test(part)))
    throw new Error(`${EXPECTED}; got "${text}"`)
  return {
    requests: true,
    token: !list.includes('token'),
    free: list.filter((part) => part !== 'token').map(Number),
  }
}

/** What an attempt costs that came to this: nothing where it was never sent, or is not billed. */
export const costOf = ({ requests, free }: Billed, { credits }: WireRequest, outcome: Outcome) => {
  if (!requests) return 0
  if ('answer' in outcome) return free.includes(outcome.answer.status) ? 0 : credits
  return outcome.error instanceof WireFault && !outcome.error.sent ? 0 : credits
}

/** Charges every attempt before it leaves and gives back on proof: never sent, or not billed. */
export const createMeter =
  (billed: Billed) =>
  (next: Step): Step => {
    if (!billed.requests) return next
    return (request, caller, end) => {
      const { credits, endpoint } = request
      when(
        () => (caller.payer?.() ?? caller.ledger).charge(credits, endpoint, caller.field),
        (receipt) =>
          next(request, caller, (outcome) => {
            let told = outcome
            try {
              if (costOf(billed, request, outcome) === 0) receipt.refund()
            } catch (error) {
              told = { error }
            }
            end(told)
          }),
        end,
      )
    }
  }
