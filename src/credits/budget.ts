import { hash } from 'node:crypto'
import { GatewayError } from '../errors.ts'
import { nextSpan, type Period, spanStart } from './period.ts'
import type { Purse, Receipt } from './purse.ts'
import type { Tallies } from './tally.ts'

/** A purse that fills up again with each day or month, of all who count it together. */
export interface Budget extends Purse {
  charge(credits: number): Promise<Receipt>
  readonly period: Period
  /** Whose it is; undefined for that of the whole deployment. */
  readonly client?: string | undefined
  readonly limit: number
  /** As far as this process has seen. */
  readonly remaining: number
  readonly resetsAt: number
  /** Whether what is spent is written down where others, or the next process, find it. */
  readonly isWritten: boolean
  /** How fast it goes: 1 ends with its span, 2 in half of it. */
  readonly pace: number
  /** Reads what was spent before this process began. */
  open(): Promise<void>
  close(): Promise<void>
}

/** Before this share of a span its pace says little. */
const EARLY = 0.1

/** Seconds after which those who count it together may do so again: who tries costs nothing. */
const APART = 5

/** Boards take plain words for names, and clients may be called otherwise. */
const nameOf = (period: Period, client: string | undefined): string => {
  const all = `budget-${period.toLowerCase()}`
  if (client === undefined) return all
  return `${all}-${hash('sha256', client).slice(0, 32)}`
}

/** A budget counted under its period's name and its client's. */
export const createBudget = (
  period: Period,
  limit: number,
  tallies: Tallies,
  now: () => number,
  client?: string,
): Budget => {
  const begin = () => spanStart(period, now())
  const next = () => nextSpan(period, now())
  const tally = tallies({ name: nameOf(period, client), limit, begin, next })
  const remaining = (): number => Math.max(0, limit - tally.taken)

  return {
    period,
    client,
    limit,
    get remaining() {
      return remaining()
    },
    get resetsAt() {
      return next()
    },
    get isWritten() {
      return tally.isWritten
    },
    get pace() {
      const passed = (now() - begin()) / (next() - begin())
      return limit === 0 ? 0 : tally.taken / limit / Math.max(passed, EARLY)
    },
    async charge(credits) {
      const receipt = await tally.take(credits)
      if (receipt !== undefined) return receipt
      const { own } = tally
      if (own !== undefined && credits <= remaining())
        throw new GatewayError(
          'CREDIT_BUDGET_EXHAUSTED',
          `this would cost ${credits}, and ${own} credits are left of what one replica may spend of ${limit} while they cannot be counted for all`,
          { credits, client, retryAfter: APART },
        )
      throw new GatewayError(
        'CREDIT_BUDGET_EXHAUSTED',
        `this would cost ${credits}, and ${remaining()} of ${limit} credits are left until ${new Date(next()).toISOString()}`,
        { credits, client, retryAfter: Math.ceil((next() - now()) / 1000) },
      )
    },
    open: () => tally.open(),
    close: () => tally.close(),
  }
}

/** Budgets, the one with the smallest share left before the others. */
export const tightestFirst = (budgets: readonly Budget[]): Budget[] => {
  const share = ({ remaining, limit }: Budget) => (limit === 0 ? 0 : remaining / limit)
  return [...budgets].sort((a, b) => share(a) - share(b))
}

const LONGEST_STRETCH = 3

/** How many times as long answers are taken for fresh, because a budget goes faster than its span: 1 to 3, in hundredths. */
export const stretchOf = (budgets: readonly Budget[]): number => {
  const pace = Math.max(1, ...budgets.map(({ pace }) => pace))
  return Math.min(LONGEST_STRETCH, Math.floor(pace * 100) / 100)
}
