import { days, hours, minutes } from '../calendar.ts'
import { type Reading, type RowOf, row, type Table } from '../decode.ts'
import type { Freshness } from '../endpoint.ts'
import { isObject, type JsonObject, lengthAndData } from '../envelopes.ts'
import { type Args, bool, day as dayParam, int as intParam, query, type Rule } from '../params.ts'
import type { Rows } from '../rows.ts'
import { count, day, float, int, list } from '../values.ts'
import { type Aliases, aliased } from './alias.ts'

/** Which edition of a chart. */
export const dating = { date: query('date', dayParam), latest: query('latest', bool) }

/** Charts that are paged without a limit: their page size is the service's. */
export const paging = { offset: query('offset', intParam(0)) }

/** The service wants a day, or to be told that the latest will do. */
export const dated: Rule = {
  doc: 'a day is required unless latest is true',
  broken: ({ date, latest }) => (date === undefined && latest !== true ? 'date' : undefined),
}

/** Days until an edition is corrected no more: its day may be the first of its span, and the last is late at times. */
const SETTLED: Readonly<Record<string, number>> = {
  daily: 3,
  weekly: 8,
  monthly: 32,
  'semi-yearly': 185,
  yearly: 367,
}

/** How often a chart is published, whatever span its rows count. */
type Rhythm = 'daily' | 'weekly'
const BETWEEN = { daily: days(1), weekly: days(7) } as const

/** An edition may be corrected until it is settled. */
const UNSETTLED_FOR = hours(6)
/** An edition that is late is looked for again after a while, and never after longer than it is late. */
const SHORTEST_LOOK = minutes(15)

/** Until the edition after that of a day: the day of an edition is over before it is published. */
const untilNext = (day: unknown, now: number, rhythm: Rhythm): number => {
  if (typeof day !== 'string')
    return Math.min(Math.max(days(1) - (now % days(1)), SHORTEST_LOOK), UNSETTLED_FOR)
  const late = now - (Date.parse(day) + BETWEEN[rhythm] + days(1))
  if (late < 0) return Math.min(-late, BETWEEN[rhythm])
  return Math.min(Math.max(late, SHORTEST_LOOK), UNSETTLED_FOR)
}

/** A settled edition stays what it is, the latest until the next is published. */
export const freshFor =
  (rhythm: Rhythm = 'daily'): Freshness =>
  ({ date, latest, interval }, now, shown) => {
    if (latest === true) return untilNext(shown?.date, now, rhythm)
    const settled = days(SETTLED[String(interval ?? rhythm)] ?? 3)
    return typeof date === 'string' && now - Date.parse(date) > settled
      ? Number.POSITIVE_INFINITY
      : UNSETTLED_FOR
  }

const history = row({
  date: [
    '',
    (value, reading) =>
      day(isObject(value) ? (value.timestp ?? value.date ?? null) : null, reading),
  ],
  rank: ['rank', int],
  posts: ['posts', count],
} as const)
export type RankHistoryEntry = NonNullable<ReturnType<typeof history>>

/** Where an entry stands and stood. */
export const place = {
  rank: ['rank', int],
  previousRank: ['pre_rank', int],
  peakRank: ['peak_rank', int],
  peakDate: ['peak_date', day],
  addedAt: ['added_at', day],
  velocity: ['velocity', float],
  timeOnChart: ['time_on_chart', int],
  rankHistory: ['rankStats', list(history)],
} as const
export type Place = RowOf<typeof place>

const withId = (wire: JsonObject): JsonObject => {
  const inner = isObject(wire.raw_data) && (wire.id ?? null) === null ? wire.raw_data.id : undefined
  return inner === undefined ? wire : { ...wire, id: inner }
}

/** Reads the row of a chart; a row whose id is only in its raw data keeps that id. */
export const entry = <const T extends Table>(table: T, aliases: Aliases = {}) => {
  const read = aliased(row(table), { rankStats: 'rank_stats', ...aliases })
  return (value: unknown, reading: Reading) =>
    read(isObject(value) ? withId(value) : value, reading)
}

type Shown = Partial<Pick<Place, 'rankHistory'>> & { readonly date?: string | null }

/** The day of an edition, as its rows tell it, or the newest of the history of each: told only where all agree. */
const dayOf = (rows: readonly (Shown | null)[]): string | undefined => {
  const shown = rows.map((row) => {
    const history = row?.rankHistory?.map(({ date }) => date ?? '') ?? []
    return row?.date ?? history.sort().at(-1) ?? ''
  })
  const [day, ...others] = new Set(shown)
  return others.length === 0 && day !== '' ? day : undefined
}

/** The latest edition is that of its day, so whoever asks for the day has it too. */
const alias = ({ rows }: Pick<Rows<Shown>, 'rows'>, args: Args) => {
  const { latest, ...rest } = args
  const date = latest === true ? dayOf(rows.slice()) : undefined
  return date === undefined ? undefined : { ...rest, date }
}

/** What every chart has in common. */
export const chart = { envelope: lengthAndData, rules: [dated], freshFor: freshFor(), alias }
