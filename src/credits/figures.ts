import { type Book, greatestFirst, hourOf, type Minute, type Use } from './book.ts'
import { SAVINGS, type Saving } from './ledger.ts'

/** A field that held something undocumented, and how often. */
export interface Drifted {
  readonly field: string
  readonly count: number
}

/** What is told of a book, or of several together. */
export interface Figures extends Omit<Book, 'note'> {
  /** Most frequent first. */
  readonly drift: readonly Drifted[]
}

const driftOf = (counts: ReadonlyMap<string, number>): Drifted[] =>
  [...counts].map(([field, count]) => ({ field, count })).sort((a, b) => b.count - a.count)

/** A book as it stands, beside what came otherwise than documented. */
export const figuresOf = (book: Book, drift: ReadonlyMap<string, number>): Figures => {
  const { note: _, ...told } = book
  return { ...told, drift: driftOf(drift) }
}

const usesIn = (lists: readonly (readonly Use[])[]): Use[] => {
  const uses = new Map<string, Use>()
  for (const use of lists.flat()) {
    const { spent, saved } = uses.get(use.name) ?? { spent: 0, saved: 0 }
    uses.set(use.name, { name: use.name, spent: spent + use.spent, saved: saved + use.saved })
  }
  return [...uses.values()].sort(greatestFirst)
}

const minutesIn = (lists: readonly (readonly Minute[])[]): Minute[] => {
  const minutes = new Map<number, Minute>()
  for (const { minute, spent, saved } of lists.flat()) {
    const known = minutes.get(minute) ?? { spent: 0, saved: 0 }
    minutes.set(minute, { minute, spent: known.spent + spent, saved: known.saved + saved })
  }
  return [...minutes.values()].sort((a, b) => a.minute - b.minute)
}

/** What several books tell together. */
export const sumOf = (all: readonly Figures[], now: number): Figures => {
  const total = (of: (figures: Figures) => number) =>
    all.reduce((sum, figures) => sum + of(figures), 0)
  const uses = (of: (figures: Figures) => readonly Use[]) => usesIn(all.map(of))
  const overTime = minutesIn(all.map(({ overTime }) => overTime))
  const drift = new Map<string, number>()
  for (const { field, count } of all.flatMap((figures) => figures.drift))
    drift.set(field, (drift.get(field) ?? 0) + count)
  return {
    since: Math.min(...all.map(({ since }) => since)),
    spent: total(({ spent }) => spent),
    backgroundSpent: total(({ backgroundSpent }) => backgroundSpent),
    savedBy: Object.fromEntries(
      SAVINGS.map((saving) => [saving, total(({ savedBy }) => savedBy[saving])]),
    ) as Record<Saving, number>,
    byEndpoint: uses(({ byEndpoint }) => byEndpoint),
    byOperation: uses(({ byOperation }) => byOperation),
    byField: uses(({ byField }) => byField),
    byClient: uses(({ byClient }) => byClient),
    perHour: hourOf(overTime, now),
    overTime,
    drift: driftOf(drift),
  }
}
