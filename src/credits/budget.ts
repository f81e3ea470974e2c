import type { Board, Sheet } from '../board/board.ts'
import { GatewayError } from '../errors.ts'
import { nextSpan, type Period, spanOf, spanStart } from './period.ts'
import type { Purse } from './purse.ts'

/** A purse that fills up again with each day or month. */
export interface Budget extends Purse {
  readonly period: Period
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
  /** How fast it goes: 1 ends with its span, 2 in half of it. */
  readonly pace: number
  /** Reads what was spent before this process began. */
  open(): Promise<void>
  /** Writes the exact figure. */
  close(): Promise<void>
}

interface Spent {
  readonly span: string
  readonly credits: number
}

/** Credits written down ahead of their use, so that a crash counts too many and never too few. */
const AHEAD = 20
/** Before this share of a span its pace says little. */
const EARLY = 0.1

const read = (sheet: Sheet | undefined): Spent | undefined => {
  if (sheet === undefined) return undefined
  try {
    const { span, credits } = JSON.parse(sheet.text)
    return typeof span === 'string' && Number.isSafeInteger(credits) ? { span, credits } : undefined
  } catch {
    return undefined
  }
}

/** A budget kept on a board under its period's name; what is spent is written down before it is. */
export const createBudget = (
  period: Period,
  limit: number,
  board: Board,
  now: () => number,
): Budget => {
  const name = `budget-${period.toLowerCase()}`
  let span = spanOf(period, now())
  let charged = 0
  let written = 0
  let gen: number | undefined
  let writing: Promise<void> = Promise.resolve()

  const turn = (): void => {
    const current = spanOf(period, now())
    if (current === span) return
    span = current
    charged = 0
    written = 0
  }

  const write = async (credits: number): Promise<void> => {
    for (;;) {
      const next = (gen ?? 0) + 1
      const text = JSON.stringify({ span, credits })
      if (await board.write(name, { gen: next, text }, gen)) {
        gen = next
        written = credits
        return
      }
      gen = (await board.read(name))?.gen
    }
  }

  const spentUp = (credits: number): GatewayError =>
    new GatewayError(
      'CREDIT_BUDGET_EXHAUSTED',
      `this would cost ${credits}, and ${limit - charged} of ${limit} credits are left until ${new Date(nextSpan(period, now())).toISOString()}`,
      { credits, retryAfter: Math.ceil((nextSpan(period, now()) - now()) / 1000) },
    )

  return {
    period,
    limit,
    get remaining() {
      turn()
      return Math.max(0, limit - charged)
    },
    get resetsAt() {
      return nextSpan(period, now())
    },
    get pace() {
      turn()
      const begin = spanStart(period, now())
      const passed = (now() - begin) / (nextSpan(period, now()) - begin)
      return limit === 0 ? 0 : charged / limit / Math.max(passed, EARLY)
    },
    async open() {
      const sheet = await board.read(name)
      const spent = read(sheet)
      gen = sheet?.gen
      if (spent?.span !== span) return
      charged += spent.credits
      written = spent.credits
    },
    charge(credits) {
      turn()
      if (charged + credits > limit) throw spentUp(credits)
      charged += credits
      if (charged <= written) return undefined
      writing = writing
        .then(() => (charged > written ? write(Math.min(limit, charged + AHEAD)) : undefined))
        .catch(() => undefined)
      return writing
    },
    refund(credits) {
      turn()
      charged = Math.max(0, charged - credits)
    },
    async close() {
      await writing
      if (written !== charged) await write(charged).catch(() => undefined)
    },
  }
}

/** Budgets, the one with the smallest share left before the others. */
export const tightestFirst = (budgets: readonly Budget[]): Budget[] => {
  const share = ({ remaining, limit }: Budget) => (limit === 0 ? 0 : remaining / limit)
  return [...budgets].sort((a, b) => share(a) - share(b))
}

const LONGEST_STRETCH = 3

/** How much longer answers are taken for fresh, because a budget goes faster than its span: 1 to 3. */
export const stretchOf = (budgets: readonly Budget[]): number =>
  Math.min(LONGEST_STRETCH, Math.max(1, ...budgets.map(({ pace }) => pace)))
