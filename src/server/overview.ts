import { stretchOf, tightestFirst } from '../credits/budget.ts'
import { exhaustion } from '../credits/forecast.ts'
import type { Gateway } from '../gateway.ts'

const iso = (moment: number): string => new Date(moment).toISOString()

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/** What an operator wants to know at a glance; nothing in it is secret, and telling it costs nothing. */
export const overviewOf = async ({ upstream, budgets, clientBudgets, health }: Gateway) => {
  const { books, clock } = upstream
  await books.look()
  const book = books.sum
  const now = clock.now()
  return {
    now: iso(now),
    since: iso(book.since),
    process: books.keepers[0]?.name ?? '',
    isWhole: books.isWhole,
    replicas: books.keepers.map(({ name, at, figures: { since, spent, savedBy } }) => ({
      name,
      since: iso(since),
      at: iso(at),
      spent,
      saved: sum(Object.values(savedBy)),
    })),
    spent: book.spent,
    backgroundSpent: book.backgroundSpent,
    saved: sum(Object.values(book.savedBy)),
    savedBy: book.savedBy,
    perHour: book.perHour,
    stretch: stretchOf(budgets),
    overTime: book.overTime.map(({ minute, ...credits }) => ({ at: iso(minute), ...credits })),
    byEndpoint: book.byEndpoint,
    byOperation: book.byOperation,
    byClient: book.byClient,
    budgets: tightestFirst([...budgets, ...clientBudgets]).map((budget) => {
      const { period, client = null, limit, remaining, resetsAt } = budget
      const endsAt = exhaustion(budget, book, now)
      return {
        period,
        client,
        limit,
        remaining,
        resetsAt: iso(resetsAt),
        endsAt: endsAt === undefined ? null : iso(endsAt),
      }
    }),
    health: health(),
    drift: book.drift,
  }
}
