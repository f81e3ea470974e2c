import type { Reading } from './decode.ts'
import { type Envelope, isObject, type JsonObject } from './envelopes.ts'
import type { Taught } from './facts.ts'
import { frameOf, type Layout, MARK } from './layout.ts'
import type { Args, Param, Rule } from './params.ts'
import { type AllRows, LyingRows, type RowReader, type Rows } from './rows.ts'

/**
 * How long an answer is good: a duration, or one that depends on what was asked and on what the answer turned out to
 * be about (`shown`). Milliseconds.
 */
export type Freshness = number | ((args: Args, now: number, shown?: Args) => number)

interface Description {
  readonly name: string
  /** Verb and path; a placeholder is the wire name of a path parameter. */
  readonly route: `${'GET' | 'POST'} /${string}`
  readonly params: Readonly<Record<string, Param>>
  readonly rules?: readonly Rule[]
  readonly credits?: 1 | 2
  readonly freshFor: Freshness
  /** What one answer gives, for the table of endpoints. */
  readonly doc: string
  /** Columns of the record whose values do not age: any row of any answer may tell them. */
  readonly timeless?: readonly string[]
  /** Columns of the record that repeat the `cmId` asked for; where some are there, one of them does. */
  readonly repeats?: readonly string[]
}

/** An operation of the service, described once; `open` turns a body into what the endpoint gives. */
export interface Endpoint<V = unknown> extends Description {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The entries of `params`. */
  readonly parameters: readonly (readonly [string, Param])[]
  readonly rules: readonly Rule[]
  readonly credits: 1 | 2
  readonly envelope: Envelope
  /** Undefined where the body has no such shape. */
  open(body: JsonObject, reading: Reading): V | undefined
  /** The same where the rows lie in a body, each of which is read when it is asked for; not there where all are read. */
  openOver?(layout: Layout, reading: Reading): V | undefined
  /** What the endpoint gives where the service says 404. */
  readonly nothing: V
  readonly timeless: readonly string[]
  readonly repeats: readonly string[]
  /** Other arguments that ask for the same answer, where the answer itself shows them. */
  alias?(value: V, args: Args): Args | undefined
  /** Says nothing of other things where it is not there. */
  readonly teaching: Teaching<V> | undefined
  readonly parts?: Parts<V> | undefined
}

/** How an answer that is asked for on behalf of several things holds the answers for each of them. */
export interface Parts<V> {
  /** Names what a request is for, whatever its window; undefined for one that is for several things, or for none. */
  nameOf(args: Args): string | undefined
  /** The names of what an answer may hold the answers for. */
  namesIn(args: Args): readonly string[]
  /** Whether it does. */
  isWhole(value: V, args: Args): boolean
  /** The answer to a request that is for one of these; undefined where that tells nothing. */
  cut(value: V, args: Args): V | undefined
}

/** What answers say of things that have records of their own, row by row. */
interface Teaching<V> {
  /** How many rows an answer has. */
  places(value: V): number
  /** What the row at a place says. */
  at(value: V, place: number, args: Args): readonly Taught[]
}

/** How a listing ends: by its total, by a page shorter than asked, by an empty page, or it is never paged. */
export type End = 'total' | 'short' | 'empty' | 'whole'

export interface Listing<R> extends Endpoint<Rows<R>> {
  open(body: JsonObject, reading: Reading): AllRows<R> | undefined
  readonly end: End
  readonly windows: readonly number[]
}

const split = (route: Description['route']): Pick<Endpoint, 'method' | 'path'> => {
  const [method, path = ''] = route.split(' ')
  return { method: method === 'POST' ? 'POST' : 'GET', path }
}

const described = (description: Description) => ({
  rules: [],
  credits: 1 as const,
  timeless: [],
  repeats: [],
  ...description,
  parameters: Object.entries(description.params),
  ...split(description.route),
})

/** One row that is the whole of it. */
const teachingOf = <V>(
  teaches: ((value: V, args: Args) => readonly Taught[]) | undefined,
): Teaching<V> | undefined =>
  teaches && { places: () => 1, at: (value, _, args) => teaches(value, args) }

/** An endpoint that gives one object. */
export const resource = <V>(
  description: Description & {
    readonly envelope: Envelope
    read(obj: unknown, reading: Reading): V | undefined
    readonly nothing: NoInfer<V>
    /** What it says of things that have records of their own. */
    teaches?(value: NoInfer<V>, args: Args): readonly Taught[]
  },
): Endpoint<V> => ({
  ...described(description),
  envelope: description.envelope,
  nothing: description.nothing,
  teaching: teachingOf(description.teaches),
  open(body, reading) {
    const opened = description.envelope.open(body)
    return opened === undefined ? undefined : description.read(opened.obj, reading)
  },
})

const teachingOfRows = <R>(
  teaches: ((row: R, args: Args) => readonly Taught[]) | undefined,
): Teaching<Rows<R>> | undefined =>
  teaches && {
    places: ({ rows }) => rows.length,
    at({ rows }, place, args) {
      const [row = null] = rows.slice(place, place + 1)
      return row === null ? [] : teaches(row, args)
    },
  }

const isNoRow = (value: unknown): boolean => value !== null && !isObject(value)

const isMark = ([first, ...others]: readonly unknown[]): boolean =>
  first === MARK && others.length === 0

/** An endpoint that gives rows. */
export const listing = <R>(
  description: Description & {
    readonly envelope: Envelope
    row(value: unknown, reading: Reading): R | null | undefined
    readonly end: End
    /** Widths of the windows asked for, in rows; none where the service takes no limit. */
    readonly windows?: readonly number[]
    alias?(value: Rows<NoInfer<R>>, args: Args): Args | undefined
    readonly parts?: Parts<Rows<NoInfer<R>>>
    /** What a row says of things that have records of their own. */
    teaches?(row: NoInfer<R>, args: Args): readonly Taught[]
  },
): Listing<R> => {
  const read: RowReader<R> = (value, reading) => {
    const row = description.row(value, reading)
    if (row === undefined || row === null) reading.note('row')
    return row ?? null
  }
  const { envelope } = description
  return {
    ...described(description),
    teaching: teachingOfRows(description.teaches),
    envelope,
    end: description.end,
    windows: description.windows ?? [],
    nothing: { rows: [], total: 0, offset: null },
    open(body, reading) {
      const { rows: values, total = null, offset = null } = envelope.open(body) ?? {}
      if (values === undefined) return undefined
      const rows = values.map((value) => read(value, reading))
      // Rows that lack what they need are left out; a list of what is no row at all is another shape.
      if (rows.length > 0 && rows.every((row) => row === null) && values.every(isNoRow))
        return undefined
      return { rows, total, offset }
    },
    ...(description.teaches === undefined && {
      openOver(layout, reading) {
        const frame = frameOf(layout)
        const { rows = [], total = null, offset = null } = (frame && envelope.open(frame)) ?? {}
        if (!isMark(rows)) return undefined
        return { rows: new LyingRows(layout, read, reading), total, offset }
      },
    }),
  }
}
