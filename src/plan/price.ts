import type { HeldState } from '../upstream/client.ts'
import type { CertainCall, Draft } from './draft.ts'
import type { Lesson, Needs } from './lesson.ts'

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
  readonly calls: readonly PlannedCall[]
}

/** How a certain call stands: held as it is, or served by what is held in its place. */
type StateOf = (call: CertainCall) => HeldState

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/**
 * Prices a draft: a certain request costs its credits unless it is held; the least leaves out what waits for an entity
 * to exist. Of open numbers, the least is none, the most is the draft's, and the likely one is what earlier runs needed.
 * Where nobody says how many there may be, the limit of the operation is what bounds it.
 */
export const price = (
  { certain, open }: Draft,
  stateOf: StateOf,
  lesson: Lesson,
  needs: Needs | undefined,
  limit: number,
): CreditPlan => {
  const priced = certain.map((call) => ({ call, state: stateOf(call) }))
  const sure = priced.map(({ call, state }) => ({
    endpoint: call.request.endpoint.name,
    path: call.path,
    credits: call.request.endpoint.credits,
    count: 1,
    state,
  }))
  const maybe = open.map(({ path, endpoint, credits, most, likely, isBounded, isSpare }) => {
    const guess = isSpare ? 0 : Math.round(lesson(endpoint) * likely)
    const count = isBounded ? Math.min(most, guess) : guess
    const line = { endpoint, path, credits, count, most, state: 'open' as const }
    return isBounded ? line : { ...line, unbounded: true as const }
  })
  const costing = (...states: HeldState[]) =>
    sum(sure.filter(({ state }) => states.includes(state)).map(({ credits }) => credits))
  const min = sum(
    priced
      .filter(({ call, state }) => state === 'miss' && !call.ifThere)
      .map(({ call }) => call.request.endpoint.credits),
  )
  const foreseen = costing('miss', 'stale', 'pending') + sum(maybe.map((c) => c.most * c.credits))
  const isBounded = open.every((call) => call.isBounded)
  const max = isBounded ? foreseen : Math.max(foreseen, limit)
  const calls = [...sure, ...maybe]
  const known = needs && sum(needs.filter(({ held }) => !held()).map(({ credits }) => credits))
  // Where every certain answer is held, it names the same things as in the run before.
  if (known !== undefined && sure.every(({ state }) => state === 'hit'))
    return { min: known, likely: known, max: known, calls }
  const guess = known ?? costing('miss') + sum(maybe.map((call) => call.count * call.credits))
  return { min, likely: Math.min(max, Math.max(min, guess)), max, calls }
}

/** What a plan comes to where nothing may be spent. */
export const unspent = (plan: CreditPlan): CreditPlan => ({ ...plan, min: 0, likely: 0, max: 0 })
