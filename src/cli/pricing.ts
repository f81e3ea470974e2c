import { getVariableValues } from 'graphql/execution/values.js'
import { createLedger } from '../credits/ledger.ts'
import { checkSize } from '../execution/execution.ts'
import { wishOf } from '../execution/wish.ts'
import { createPlans, type Held } from '../plan/plan.ts'
import type { CreditPlan } from '../plan/price.ts'
import { schema } from '../schema/index.ts'
import { queryOf } from '../schema/query.ts'
import { createServed } from '../upstream/served.ts'
import { VARIABLES } from '../variable.ts'
import { type FileOperation, operationsOf } from './operation.ts'

export interface Priced extends Pick<FileOperation, 'name' | 'file' | 'text' | 'hash' | 'written'> {
  readonly plan: CreditPlan
}

/** Prices of operations, and what is wrong with those that have none. */
export interface Pricing {
  readonly priced: readonly Priced[]
  readonly faults: readonly string[]
}

/** What a deployment lets one operation spend where it says nothing. */
export const LIMIT = Number(VARIABLES.credits.CREDITS_PER_OPERATION.initial)

/** Of drafts, none of which is asked for again. */
const BYTES = 1_000_000

/** Nothing is held: every request is a miss. */
const NOTHING: Held = {
  state: () => 'miss',
  has: () => false,
  refuses: () => false,
  gives: () => false,
  tells: () => false,
}

export type Variables = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values of one operation: under its name, else those that are there for all. */
const variablesFor = (given: Variables, name: string): Variables => {
  const own = given[name]
  return isRecord(own) ? own : given
}

const lacks = ({ operation }: FileOperation, given: Variables): string[] =>
  (getVariableValues(schema, operation.variableDefinitions ?? [], { ...given }).errors ?? []).map(
    ({ message }) => message,
  )

/** The price of one operation with nothing held, or why the gateway would not run it. */
const priceOf = (
  plans: ReturnType<typeof createPlans>,
  found: FileOperation,
  variables: Variables,
): CreditPlan | string[] => {
  const lacking = lacks(found, variables)
  if (lacking.length > 0) return lacking.map((message) => `${message} Give it with --variables.`)
  const query = queryOf(found.document, undefined)
  const planned = query && plans(query, variables)
  if (query === undefined || planned === undefined) return ['it is no query']
  let limit: number
  try {
    checkSize(planned)
    limit = Math.min(LIMIT, wishOf(new Headers(), query.operation, variables).limit)
  } catch (failure) {
    return [failure instanceof Error ? failure.message : String(failure)]
  }
  const nobody = { ledger: createLedger(), deadline: 0, directives: {}, since: 0 }
  return planned.price({ ...nobody, served: createServed() }, limit)
}

/** Prices every operation of some files as the gateway would, with nothing held. */
export const pricingOf = (paths: readonly string[], given: Variables): Pricing => {
  const { operations, faults } = operationsOf(paths, schema)
  const plans = createPlans(schema, NOTHING, BYTES)
  const unpriced: string[] = []
  const priced = operations.flatMap((found): Priced[] => {
    const { name, file, text, hash, written } = found
    const price = priceOf(plans, found, variablesFor(given, name))
    if (!Array.isArray(price)) return [{ name, file, text, hash, written, plan: price }]
    unpriced.push(...price.map((message) => `${file}: ${name}: ${message}`))
    return []
  })
  return { priced, faults: [...faults, ...unpriced] }
}
