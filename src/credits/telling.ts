import type { Use } from './book.ts'
import type { Bookkeeper } from './books.ts'
import type { Figures } from './figures.ts'
import { SAVINGS, type Saving } from './ledger.ts'

/** Larger than any that is written; what others wrote there is looked at before it is read. */
export const MOST_BYTES = 1_000_000

type Line = readonly [name: string | number, ...counts: number[]]

const isCount = (value: unknown): value is number => Number.isFinite(value)

const isLine = (value: unknown, counts: number): value is Line =>
  Array.isArray(value) &&
  value.length === counts + 1 &&
  (typeof value[0] === 'string' || isCount(value[0])) &&
  value.slice(1).every(isCount)

/** Thrown where something is written that is no telling; nobody but its reader sees it. */
const NONE = new Error('no telling')

const linesIn = (value: unknown, counts = 2): readonly Line[] => {
  if (!Array.isArray(value)) throw NONE
  return value.map((line: unknown) => {
    if (!isLine(line, counts)) throw NONE
    return line
  })
}
const usesIn = (value: unknown): Use[] =>
  linesIn(value).map(([name, spent = 0, saved = 0]) => ({ name: `${name}`, spent, saved }))
const countIn = (value: unknown): number => {
  if (!isCount(value)) throw NONE
  return value
}

const lines = (uses: readonly Use[]): Line[] =>
  uses.map(({ name, spent, saved }) => [name, spent, saved])

/** A book as it is written for other replicas. */
export const write = ({ name, at, figures }: Bookkeeper): string => {
  const { byEndpoint, byOperation, byField, byClient, overTime, drift, ...sums } = figures
  return JSON.stringify({
    ...{ name, at, ...sums },
    byEndpoint: lines(byEndpoint),
    byOperation: lines(byOperation),
    byField: lines(byField),
    byClient: lines(byClient),
    overTime: overTime.map(({ minute, spent, saved }) => [minute, spent, saved]),
    drift: drift.map(({ field, count }) => [field, count]),
  })
}

const figuresIn = (told: Readonly<Record<string, unknown>>): Figures => {
  const savedBy = (told.savedBy ?? {}) as Readonly<Record<string, unknown>>
  return {
    since: countIn(told.since),
    spent: countIn(told.spent),
    backgroundSpent: countIn(told.backgroundSpent),
    perHour: countIn(told.perHour),
    savedBy: Object.fromEntries(
      SAVINGS.map((saving) => [saving, countIn(savedBy[saving] ?? 0)]),
    ) as Record<Saving, number>,
    byEndpoint: usesIn(told.byEndpoint),
    byOperation: usesIn(told.byOperation),
    byField: usesIn(told.byField),
    byClient: usesIn(told.byClient),
    overTime: linesIn(told.overTime).map(([minute, spent = 0, saved = 0]) => ({
      minute: Number(minute),
      spent,
      saved,
    })),
    drift: linesIn(told.drift, 1).map(([field, count = 0]) => ({ field: `${field}`, count })),
  }
}

/** What another replica wrote; undefined where it is something else. */
export const read = (text: string): Bookkeeper | undefined => {
  try {
    const told: unknown = JSON.parse(text)
    if (typeof told !== 'object' || told === null) return undefined
    const { name, at, ...rest } = told as Readonly<Record<string, unknown>>
    return { name: String(name).slice(0, 200), at: countIn(at), figures: figuresIn(rest) }
  } catch {
    return undefined
  }
}
