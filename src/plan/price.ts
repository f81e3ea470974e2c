import type { HeldState } from '../upstream/client.ts'
import type { CertainCall, Draft, Joined, OpenCall } from './draft.ts'

/** One line of a plan: a request, or a number of requests that only answers tell. */
export interface PlannedCall {
  readonly endpoint: string
  /** Field that needs it first. */
  readonly path: string
  /** Credits of one request. */
  readonly credits: number
  /** How many are likely; for an open number the most follows. */
  readonly count: number
  readonly most?: number
  /** True where nobody says how many it may be, and `most` is a guess. */
  readonly unbounded?: true
  readonly state: HeldState | 'open'
}

/** What an operation costs before it runs: at least, likely, at most. */
export interface CreditPlan {
  readonly min: number
  readonly likely: number
  readonly max: number
  /** What it may spend, where that is less than the least: it is refused. */
  readonly limit?: number
  readonly calls: readonly PlannedCall[]
}

/** What prices a draft, as things stand. */
interface Pricing {
  /** A certain call is held as it is, or served by what is held in its place. */
  stateOf(call: CertainCall): HeldState
  /** Whether nothing is held of what is joined, and nothing on its way. */
  isMissing(joined: Joined): boolean
  /** How many requests of its endpoint earlier runs needed, of each that was likely. */
  shareOf(call: OpenCall): number
  /**
   * What the requests of the last run would cost now, where there was one with the same variables: credits, and by endpoint
   * how many that is of the open ones.
   */
  readonly needed:
    | { readonly credits: number; readonly open: ReadonlyMap<string, number> }
    | undefined
  /** Whether some of their answers are past their freshness: what may be joined is then asked for anew, and not given old. */
  readonly isAged: boolean
  /** What the operation may spend. */
  readonly limit: number
}

/**
 * Prices a draft: a certain request costs its credits unless it is held or refused; the least leaves out what waits for
 * an entity to exist, and of what may be joined counts one request. Of open numbers, the least is none, the most is the
 * draft's, and the likely one is what earlier runs needed.
 * Where nobody says how many there may be, the most is the limit of the operation, which is never overspent, and no
 * guess; or what all else comes to where that is more, so that one line more never makes an operation look cheaper.
 */
export const price = (
  { certain, open, joined, mayJoin }: Draft,
  { stateOf, isMissing, shareOf, needed, isAged, limit }: Pricing,
): CreditPlan => {
  const calls: PlannedCall[] = []
  let areHeld = true
  let isBounded = true
  let min = 0
  let likely = 0
  let max = 0
  for (const call of certain) {
    const { name: endpoint, credits } = call.request.endpoint
    const state = stateOf(call)
    calls.push({ endpoint, path: call.path, credits, count: 1, state })
    if (state === 'hit' || state === 'refused') continue
    areHeld = false
    max += credits
    if (state !== 'miss') continue
    likely += credits
    if (!call.ifThere) min += credits
  }
  if (joined !== undefined && isMissing(joined)) {
    const missing = joined.calls.find((call) => stateOf(call) === 'miss')
    min += missing?.request.endpoint.credits ?? 0
  }
  const left = new Map(needed?.open)
  for (const call of open) {
    const { path, endpoint, credits, most } = call
    const guess =
      needed === undefined ? Math.round(shareOf(call) * call.likely) : (left.get(endpoint) ?? 0)
    const count = call.isBounded ? Math.min(most, guess) : guess
    left.set(endpoint, guess - count)
    const state = 'open'
    calls.push(
      call.isBounded
        ? { endpoint, path, credits, count, most, state }
        : { endpoint, path, credits, count, most, state, unbounded: true },
    )
    likely += count * credits
    if (call.isBounded) max += most * credits
    else isBounded = false
  }
  if (!isBounded) max = Math.max(max, limit)
  // Where every certain answer is held, it names the same things as in the run before; what is joined of them need not be.
  const isSame = areHeld && ((needed?.credits === 0 && !isAged) || !mayJoin)
  if (needed !== undefined && isSame)
    return { min: needed.credits, likely: needed.credits, max: needed.credits, calls }
  return { min, likely: Math.min(max, Math.max(min, needed?.credits ?? likely)), max, calls }
}

/** What a plan comes to where nothing may be spent. */
export const unspent = (plan: CreditPlan): CreditPlan => ({ ...plan, min: 0, likely: 0, max: 0 })
