import type { DocumentNode } from 'graphql'
import type { Caller, RequestHeaders } from '../clients/caller.ts'
import { ANONYMOUS, type Client } from '../clients/client.ts'
import { type Context, createContext, type StalePart } from '../context.ts'
import { counted } from '../count.ts'
import { type Budget, stretchOf, tightestFirst } from '../credits/budget.ts'
import { createLedger, type Figures, SAVINGS } from '../credits/ledger.ts'
import { createAllowance } from '../credits/purse.ts'
import { GatewayError } from '../errors.ts'
import type { Draft } from '../plan/draft.ts'
import type { Planned, Plans } from '../plan/plan.ts'
import type { CreditPlan } from '../plan/price.ts'
import { type Query, queryOf } from '../schema/query.ts'
import type { Signal } from '../signal.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Source } from '../upstream/served.ts'
import { createTurns } from '../upstream/turn.ts'
import { audienceOf, freshnessHeaders } from './freshness.ts'
import { type Wish, wishOf } from './wish.ts'

/** What a client sent, its document parsed and validated. */
export interface Asked {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly headers: RequestHeaders
  /** Aborted when the client leaves. */
  readonly signal?: Signal | undefined
}

/** What is told beside the data. */
export interface Told {
  readonly extensions: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** An operation that may run: priced, and within its limits. */
export interface Execution {
  readonly wish: Wish
  readonly context: Context
  readonly query: Query
  readonly planned: Planned
  readonly plan: CreditPlan
  /** Under what it is written into the book. */
  readonly labels: { readonly operation: string; readonly client: string }
  /** Takes in how the run went. */
  finish(isWhole: boolean): Told
}

/** An operation as it begins, for who follows it from outside. */
export interface Beginning {
  readonly labels: Execution['labels']
  readonly headers: RequestHeaders
  /** Grows while it runs; its requests are known by it. */
  readonly ledger: Figures
  readonly sources: ReadonlySet<Source>
}

/** Is told of each operation; what is returned hears that it has run, and whether nothing is missing. */
export type Follow = (beginning: Beginning) => (isWhole: boolean) => void

export interface ExecutionParts {
  readonly follow?: Follow | undefined

  readonly upstream: Upstream
  readonly plans: Plans
  /** Of all clients together. */
  readonly budgets: readonly Budget[]
  /** Who sent a request. */
  callerOf(headers: RequestHeaders): Caller
  readonly creditsPerOperation: number
  readonly operationTimeoutMs: number
}

const limitless = Number.POSITIVE_INFINITY
const MOST_NODES = 20_000
const MOST_REPRESENTATIONS = 1000

/** The budget nearest to its end. */
const tightest = (budgets: readonly Budget[]) => {
  const [first] = budgets.length === 0 ? [] : tightestFirst(budgets)
  if (first === undefined) return {}
  const { limit, remaining, resetsAt } = first
  const stretch = stretchOf(budgets)
  return {
    budget: { limit, remaining, resetsAt: new Date(resetsAt).toISOString() },
    ...(stretch > 1 && { stretch }),
  }
}

const sumOf = (savedBy: Figures['savedBy']): number => {
  let sum = 0
  for (const saving of SAVINGS) sum += savedBy[saving]
  return sum
}

/** What an operation spent and saved, for `extensions.credits`. */
export const creditReport = (
  figures: Figures,
  budgets: readonly Budget[],
  { report }: Pick<Wish, 'report'>,
  staleParts: readonly StalePart[] = [],
) => {
  const { spent, savedBy } = figures
  return {
    spent,
    saved: sumOf(savedBy),
    savedBy: { ...savedBy },
    // Summed up anew each time that they are asked for.
    ...(report === 'requests' && { requests: figures.entries }),
    ...tightest(budgets),
    ...(staleParts.length === 0 ? {} : { stale: staleParts }),
  }
}

/** Refuses an operation that asks for too much, whatever it costs. */
export const checkSize = ({ draft }: Planned): void => {
  if (draft.representations > MOST_REPRESENTATIONS)
    throw new GatewayError(
      'BAD_USER_INPUT',
      `the operation has ${draft.representations} representations, at most ${MOST_REPRESENTATIONS} are answered`,
      { argument: 'representations' },
    )
  if (draft.nodes <= MOST_NODES) return
  throw new GatewayError(
    'BAD_USER_INPUT',
    `the operation asks for up to ${draft.nodes} rows and entities, at most ${MOST_NODES} are given`,
  )
}

/** Refuses an operation over its limit; where its price alone is asked for, the price says that it would be. */
const within = (limit: number, plan: CreditPlan, asked: Wish['plan']): CreditPlan => {
  const { min } = plan
  if (min <= limit) return plan
  if (asked === 'only') return { ...plan, limit }
  throw new GatewayError(
    'CREDIT_LIMIT_EXCEEDED',
    `the operation costs at least ${counted(min, 'credit')}, and its limit is ${limit}`,
    { credits: min },
  )
}

/** Refuses costs to who is not told any, before anything is spent: no answer could stand without what it must tell. */
const checkReport = ({ plan }: Wish, { tellsCosts }: Draft, { reports }: Client): void => {
  if (reports || (plan === 'off' && !tellsCosts)) return
  const asked = tellsCosts ? 'Query.credits' : 'X-Credits-Plan'
  throw new GatewayError('FORBIDDEN', `${asked}: this client is told no costs`)
}

/** Prices operations before they run, refuses them over their limits, and tells afterwards what they cost. */
export const createExecutions = ({
  upstream,
  plans,
  budgets: ofAll,
  callerOf,
  creditsPerOperation,
  operationTimeoutMs,
  follow,
}: ExecutionParts) => {
  const open = (
    wish: Wish,
    { name }: Query,
    planned: Planned,
    { client, budgets: ofClient }: Caller,
    signal: Asked['signal'],
  ) => {
    const limit = Math.min(creditsPerOperation, client.creditsPerOperation ?? limitless, wish.limit)
    const labels = { operation: name || ANONYMOUS, client: client.name }
    const budgets = [...ofClient, ...ofAll]
    const ledger = createLedger({
      book: upstream.book,
      purses: [createAllowance(limit), ...budgets],
      labels,
    })
    const own = {
      ledger,
      timeoutMs: operationTimeoutMs,
      // Where nothing newer can be had, no age is too great.
      directives: upstream.isClosed ? { onlyIfCached: true } : wish.directives,
      budgets,
      client,
      signal,
      pages: planned.draft.pages,
    }
    const before = createContext(upstream, own)
    checkSize(planned)
    const plan = within(limit, planned.price(before.operation, limit), wish.plan)
    const context =
      plan.max < limit ? before : createContext(upstream, { inTurn: createTurns(), ...own })
    context.operation.likely = Math.min(plan.likely, limit)
    return { context, plan, labels }
  }

  /**
   * Undefined where the document has no such operation, or the schema refuses its variables: GraphQL has words for both.
   * Throws where it is refused.
   */
  return (asked: Asked): Execution | undefined => {
    const { document, operationName, variables, headers } = asked
    const query = queryOf(document, operationName)
    if (query === undefined) return undefined
    const caller = callerOf(headers)
    const { reports } = caller.client
    const asWished = wishOf(headers, query.operation, variables)
    const wish: Wish = reports ? asWished : { ...asWished, report: 'off' }
    const planned = plans(query, variables)
    if (planned === undefined) return undefined
    checkReport(asWished, planned.draft, caller.client)
    const { context, plan, labels } = open(wish, query, planned, caller, asked.signal)
    const { operation: run, staleParts, budgets } = context
    const { ledger, served } = run
    const end = follow?.({ labels, headers, ledger, sources: served.sources })
    return {
      wish,
      context,
      query,
      planned,
      plan,
      labels,
      finish(isWhole) {
        if (isWhole) planned.learn(run)
        end?.(isWhole)
        return {
          headers: freshnessHeaders(run.served, isWhole, audienceOf(caller.client)),
          extensions: {
            ...(wish.report !== 'off' && {
              credits: creditReport(run.ledger, budgets, wish, staleParts),
            }),
            ...(wish.plan === 'report' && { creditPlan: plan }),
          },
        }
      },
    }
  }
}

export type Executions = ReturnType<typeof createExecutions>
