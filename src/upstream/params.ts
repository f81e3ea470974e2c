import { leadingDay } from './calendar.ts'
import { countryCode } from './country.ts'

/** What a value may be: `check` gives the canonical value, undefined for a refusal that `doc` explains. */
export interface Kind {
  readonly doc: string
  check(value: unknown): unknown
  write(value: unknown): string
  /** The value that a server reads from the wire text; undefined where the type does not fit. */
  read(text: string): unknown
  /** What a client calls a value, where that is not the value itself. */
  name?(value: unknown): string | undefined
  /** Of a kind that brings its own names: what is sent, by name; the parameter's own name is not. */
  pairs?(value: unknown): readonly (readonly [name: string, text: string])[]
  readonly least?: number
  readonly most?: number
}

const asText = (text: string): unknown => text
const asNumber = (text: string): unknown => (text.trim() === '' ? undefined : Number(text))

/** An integer with inclusive bounds; a string of digits is one too, because BigInt arguments may be strings. */
export const int = (least: number, most = Number.POSITIVE_INFINITY): Kind => ({
  doc: Number.isFinite(most)
    ? `an integer from ${least} to ${most}`
    : `an integer of ${least} or more`,
  least,
  most,
  check(value) {
    if (typeof value === 'string' && /^-?\d{1,40}$/.test(value)) {
      const exact = BigInt(value)
      if (exact < BigInt(least) || (Number.isFinite(most) && exact > BigInt(most))) return undefined
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString()
    }
    return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : undefined
  },
  write: String,
  // What a double cannot hold stays as it is written: the service takes it, and so does `check`.
  read: (text) =>
    /^-?\d+$/.test(text) ? (Number.isSafeInteger(Number(text)) ? Number(text) : text) : undefined,
})

/** Any integer, negative ones included. */
export const anyInt: Kind = {
  ...int(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  doc: 'an integer',
}

/** The number of an entity. */
export const entityId = (least: number): Kind => int(least, 2_147_483_647)

/** A finite number, in plain decimal notation on the wire. */
export const decimal: Kind = {
  doc: 'a finite number',
  check: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  write: (value) =>
    /e/.test(String(value))
      ? Number(value).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
      : String(value),
  read: (text) => (Number.isFinite(asNumber(text)) ? asNumber(text) : undefined),
}

/** Text of a bounded length in code points; a lone surrogate is no text. */
export const text = (least: number, most = 10_000): Kind => ({
  doc: `a text of ${least} to ${most} characters`,
  check: (value) =>
    typeof value === 'string' &&
    value.isWellFormed() &&
    [...value].length >= least &&
    [...value].length <= most
      ? value
      : undefined,
  write: String,
  read: asText,
})

/** Text of a fixed form. */
export const matching = (pattern: RegExp, doc: string): Kind => ({
  doc,
  check: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
  write: String,
  read: asText,
})

/** Text of a fixed form that the service wants in one letter case. */
export const cased = (toCase: 'upper' | 'lower', pattern: RegExp, doc: string): Kind => ({
  ...matching(pattern, doc),
  check(value) {
    if (typeof value !== 'string') return undefined
    const written = toCase === 'upper' ? value.toUpperCase() : value.toLowerCase()
    return pattern.test(written) ? written : undefined
  },
})

export const bool: Kind = {
  doc: 'true or false',
  check: (value) => (typeof value === 'boolean' ? value : undefined),
  write: String,
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

type Words = Readonly<Record<string, string>>

/** One of the wire words of an enumeration, of which others may take more. */
export const oneOf = (words: Words, all: Words = words): Kind => ({
  doc: `one of ${Object.keys(words).join(', ')}`,
  check: (value) =>
    typeof value === 'string' && Object.values(words).includes(value) ? value : undefined,
  name: (value) => Object.keys(all).find((name) => all[name] === value),
  write: String,
  read: asText,
})

export const country: Kind = {
  doc: 'a country of two letters (ISO 3166-1)',
  check: (value) => (typeof value === 'string' ? countryCode(value) : undefined),
  write: String,
  read: asText,
}

export const day: Kind = {
  doc: 'a day of the calendar, YYYY-MM-DD',
  check: (value) =>
    typeof value === 'string' && value.length === 10 ? leadingDay(value) : undefined,
  write: String,
  read: asText,
}

export type Place = 'path' | 'query' | 'body' | 'header'

/** Where a value goes on the wire, and what it may be. */
export interface Param {
  readonly wire: string
  readonly place: Place
  readonly kind: Kind
  /** An array parameter: `name[]`, unique, in canonical order. */
  readonly many: boolean
  readonly required: boolean
  /** The default of the specification; sent like any other value unless `quiet`. */
  readonly initial?: unknown
  /** Not sent while it equals `initial`. */
  readonly quiet?: boolean
  readonly most?: number
}

type Options = Partial<Pick<Param, 'required' | 'initial' | 'quiet' | 'most'>>
const param = (place: Place, wire: string, kind: Kind, many: boolean, o: Options): Param => ({
  wire,
  place,
  kind,
  many,
  required: false,
  ...o,
})

export const path = (wire: string, kind: Kind): Param =>
  param('path', wire, kind, false, { required: true })
export const query = (wire: string, kind: Kind, options: Options = {}): Param =>
  param('query', wire, kind, false, options)
export const array = (wire: string, kind: Kind, options: Options = {}): Param =>
  param('query', wire, kind, true, options)
export const header = (wire: string, kind: Kind): Param => param('header', wire, kind, false, {})
export const body = (wire: string, kind: Kind, options: Options = {}): Param =>
  param('body', wire, kind, true, { required: true, ...options })

export type Args = Readonly<Record<string, unknown>>

/** A rule over several arguments: the complaint and the argument that it is about, or undefined. */
export interface Rule {
  /** The bound of a sum, where the rule is one. */
  readonly most?: number
  readonly doc: string
  broken(args: Args): string | undefined
}

const given = (args: Args, name: string): boolean => args[name] !== undefined

/** `offset + limit` and the like. */
export const sumAtMost = (
  a: string,
  b: string,
  most: number,
): Rule & { readonly most: number } => ({
  doc: `${a} + ${b} at most ${most}`,
  most,
  broken: (args) => (Number(args[a] ?? 0) + Number(args[b] ?? 0) > most ? b : undefined),
})

/** The first argument excludes each of the others. */
export const notTogether = (first: string, ...others: string[]): Rule => ({
  doc: `${first} excludes ${others.join(', ')}`,
  broken: (args) =>
    given(args, first) && others.some((other) => given(args, other)) ? first : undefined,
})

/** Arguments that make sense only while another has a value. */
export const onlyWith = (name: string, value: unknown, ...dependents: string[]): Rule => ({
  doc: `${dependents.join(', ')} only with ${name} ${value}`,
  broken: (args) =>
    args[name] === value ? undefined : dependents.find((dependent) => given(args, dependent)),
})

/** A range whose ends are in order. */
export const inOrder = (low: string, high: string): Rule => ({
  doc: `${low} at most ${high}`,
  broken: (args) =>
    given(args, low) && given(args, high) && Number(args[low]) > Number(args[high])
      ? low
      : undefined,
})

/** A range of days whose ends are in order. */
export const daysInOrder = (low: string, high: string): Rule => ({
  doc: `${low} not after ${high}`,
  broken: (args) =>
    given(args, low) && given(args, high) && String(args[low]) > String(args[high])
      ? low
      : undefined,
})
