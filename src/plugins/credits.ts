import { type ExecutionArgs, getOperationAST } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { type Context, createContext } from '../context.ts'
import { type Budget, tightestFirst } from '../credits/budget.ts'
import { createLedger } from '../credits/ledger.ts'
import { createAllowance } from '../credits/purse.ts'
import { GatewayError } from '../errors.ts'
import type { Planned, Plans } from '../plan/plan.ts'
import type { CreditPlan } from '../plan/price.ts'
import type { Upstream } from '../upstream/client.ts'
import { createTurns } from '../upstream/turn.ts'
import { refusal } from './errors.ts'
import { freshnessHeaders } from './freshness.ts'
import { type Wish, wishOf } from './wish.ts'

export interface CreditSettings {
  /** Who sent a request. */
  clientOf(headers: Headers): string
  readonly creditsPerOperation: number
  readonly operationTimeoutMs: number
}

/** Operations and clients without a name. */
export const ANONYMOUS = 'anonymous'

const MOST_NODES = 20_000
const MOST_REPRESENTATIONS = 1000

/** The budget nearest to its end. */
const tightest = (budgets: readonly Budget[]) => {
  const [first] = tightestFirst(budgets)
  if (first === undefined) return {}
  const { limit, remaining, resetsAt } = first
  return { budget: { limit, remaining, resetsAt: new Date(resetsAt).toISOString() } }
}

const report = ({ operation: { ledger }, staleParts }: Context, budgets: readonly Budget[]) => ({
  spent: ledger.spent,
  saved: Object.values(ledger.savedBy).reduce((sum, saved) => sum + saved, 0),
  savedBy: { ...ledger.savedBy },
  ...tightest(budgets),
  ...(staleParts.length === 0 ? {} : { stale: staleParts }),
})

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

const checkPrice = ({ min }: CreditPlan, limit: number): void => {
  if (min <= limit) return
  throw new GatewayError(
    'CREDIT_LIMIT_EXCEEDED',
    `the operation costs at least ${min} credits, and its limit is ${limit}`,
    { credits: min },
  )
}

const variablesOf = ({ variableValues }: ExecutionArgs) => variableValues ?? {}

/** Prices an operation before it runs, refuses it over its limit, and tells afterwards what it cost. */
export const useCredits = (
  upstream: Upstream,
  plans: Plans,
  budgets: readonly Budget[],
  settings: CreditSettings,
): Plugin<Context & YogaInitialContext> => {
  const prepare = (wish: Wish, planned: Planned | undefined, client: string) => {
    const limit = Math.min(settings.creditsPerOperation, wish.limit)
    const operation = planned?.operation.name?.value ?? ANONYMOUS
    const ledger = createLedger({
      book: upstream.book,
      purses: [createAllowance(limit), ...budgets],
      labels: () => ({ operation, client }),
    })
    const timeoutMs = settings.operationTimeoutMs
    const own = { ledger, timeoutMs, directives: wish.directives, budgets }
    const before = createContext(upstream, own)
    if (planned === undefined) return { context: before }
    checkSize(planned)
    const plan = planned.price(before.operation)
    checkPrice(plan, limit)
    if (plan.max <= limit) return { context: before, plan }
    return { context: createContext(upstream, { ...own, inTurn: createTurns() }), plan }
  }

  return {
    onExecute({ args, extendContext, setResultAndStopExecution }) {
      const { request } = args.contextValue
      const operation = getOperationAST(args.document, args.operationName)
      if (!operation) return undefined
      try {
        const wish = wishOf(request.headers, operation, variablesOf(args))
        const planned = plans(args.document, args.operationName, variablesOf(args))
        const { context, plan } = prepare(wish, planned, settings.clientOf(request.headers))
        if (wish.plan === 'only') {
          setResultAndStopExecution({ data: null, extensions: { creditPlan: plan } })
          return undefined
        }
        extendContext(context)
        return {
          onExecuteDone({ result, setResult }) {
            if (Symbol.asyncIterator in result) return
            const isWhole = (result.errors?.length ?? 0) === 0
            if (isWhole) planned?.learn(context.operation)
            const headers = freshnessHeaders(context.operation.served, isWhole)
            setResult({
              ...result,
              extensions: {
                ...result.extensions,
                ...(wish.reportsCredits && { credits: report(context, budgets) }),
                ...(wish.plan === 'report' && plan && { creditPlan: plan }),
                http: { headers },
              },
            })
          },
        }
      } catch (failure) {
        if (!(failure instanceof GatewayError)) throw failure
        setResultAndStopExecution(refusal(failure))
        return undefined
      }
    },
  }
}
