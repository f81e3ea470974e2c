import { leadingDay } from './calendar.ts'
import { countryCode } from './country.ts'
import { deep, type Reader, type Reading } from './decode.ts'
import { isObject, listOf } from './envelopes.ts'
import { isPrintable } from './printable.ts'

/** Whether a text begins with a letter, a digit or another sign that can be seen; there are more than these. */
const beginsVisibly = (text: string): boolean => text > '!' && text < '\x7f'

const blank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && !beginsVisibly(value) && value.trim() === '')

const scalar =
  <T>(read: (value: unknown) => T | undefined): Reader<T | null> =>
  (value) =>
    blank(value) ? null : read(value)

const NUMBER = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i

const toNumber = (value: unknown): number | undefined => {
  const number =
    typeof value === 'string' && NUMBER.test(value) ? Number(value) : (value as unknown)
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const text = scalar((value) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined,
)

/** A recording code: upper case by its standard; platD writes it in small letters at times. */
export const isrc = scalar((value) =>
  typeof value === 'string' ? value.trim().toUpperCase() : undefined,
)

export const float = scalar(toNumber)

/** A whole number that fits GraphQL's Int. */
export const int = scalar((value) => {
  const number = toNumber(value)
  return number !== undefined && number === (number | 0) ? number | 0 : undefined
})

/** A whole number of any size: a number while that is exact, a string of its digits beyond. */
export const count = scalar((value): number | string | undefined => {
  if (typeof value === 'string' && /^\s*[-+]?\d{1,40}\s*$/.test(value)) {
    const exact = BigInt(value.trim().replace('+', ''))
    const number = Number(exact)
    return Number.isSafeInteger(number) ? number : exact.toString()
  }
  const number = toNumber(value)
  return Number.isSafeInteger(number) ? number : undefined
})

/** The number of an entity. */
export const id = scalar((value) => {
  const number = toNumber(value)
  return number !== undefined && number === (number | 0) && number >= 0 ? number : undefined
})

/** An identifier that is not ours to read: every digit and letter stays. */
export const key = scalar((value) =>
  typeof value === 'string'
    ? value.trim()
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : undefined,
)

export const bool = scalar((value) =>
  value === true || value === 'true' || value === 1
    ? true
    : value === false || value === 'false' || value === 0
      ? false
      : undefined,
)

export const country = scalar((value) =>
  typeof value === 'string' ? countryCode(value) : undefined,
)

/** What is surely one: hosts whose parts all begin with a letter are no numbers, and nothing in it is to be encoded. */
const PLAIN_URL = /^https?:\/\/(?:(?!xn--)[a-z][a-z0-9-]*[.])+(?!xn--)[a-z]+(?:[/][\w./~-]*)?$/

/** An absolute http(s) URL; any other scheme is not one that a page may follow. */
export const url = scalar((value) =>
  typeof value === 'string' &&
  (PLAIN_URL.test(value) || (/^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value)))
    ? value
    : undefined,
)

/** A day as written: the date part of whatever stands there. */
export const day = scalar((value) => (typeof value === 'string' ? leadingDay(value) : undefined))

const MOMENT =
  /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)?\s*(Z|[-+]\d{2}:?\d{2})?$/i

/** As the service writes most of them, and as they are told: on a day that every month has. */
const WHOLE_MOMENT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/

const momentOf = (
  value: string,
): { day: string; time: string; fraction: string; zone: string } | undefined => {
  const match = MOMENT.exec(value.trim())
  const date = leadingDay(value.trim())
  if (match === null || date === undefined) return undefined
  const [, time = '00:00:00', fraction = '', zone = ''] = match
  const full = time.length === 5 ? `${time}:00` : time
  return /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(full)
    ? { day: date, time: full, fraction, zone: zone.toUpperCase() }
    : undefined
}

/** A moment, RFC 3339; one written without a zone is read as UTC, one as a number is epoch milliseconds. */
export const moment = scalar((value) => {
  if (typeof value === 'number')
    return Math.abs(value) <= 8.64e15 && value >= 1e11 ? new Date(value).toISOString() : undefined
  if (typeof value !== 'string') return undefined
  if (WHOLE_MOMENT.test(value)) return value
  const parts = momentOf(value)
  if (parts === undefined) return undefined
  const zone = parts.zone === '' ? 'Z' : parts.zone.replace(/^([-+]\d{2})(\d{2})$/, '$1:$2')
  return `${parts.day}T${parts.time}${parts.fraction}${zone}`
})

/** A moment on the clock of a place. */
export const localMoment = scalar((value) => {
  const parts = typeof value === 'string' ? momentOf(value) : undefined
  return parts && `${parts.day}T${parts.time}`
})

/** One wire word of an enumeration. */
export const wordOf = <W extends string>(words: Readonly<Record<string, W>>): Reader<W | null> => {
  const known = new Map<string, W>(Object.values(words).map((word) => [word, word]))
  return scalar((value) => (typeof value === 'string' ? known.get(value) : undefined))
}

/** Any JSON, as it came. */
export const json: Reader<unknown> = (value) => (isPrintable(value) ? value : undefined)

const items = (value: unknown): readonly unknown[] => listOf(value) ?? (blank(value) ? [] : [value])

/** A list without its holes; one thing where a list is meant is a list of one. */
export const list = <T>(read: Reader<T>): Reader<NonNullable<T>[]> =>
  deep((value: unknown, reading: Reading) => {
    const all: NonNullable<T>[] = []
    for (const item of items(value)) {
      const got = blank(item) ? null : read(item, reading)
      if (got === undefined) reading.note('[]')
      if (got !== null && got !== undefined) all.push(got)
    }
    // A list that grew has room for sixteen more.
    return all.slice()
  })

/** A list that keeps its holes, because others run beside it; the text `None` is a hole too. */
export const column = <T>(read: Reader<T>): Reader<(T | null)[]> =>
  deep((value: unknown, reading: Reading) =>
    items(value).map((item) => {
      const got = blank(item) || item === 'None' ? null : read(item, reading)
      if (got === undefined) reading.note('[]')
      return got ?? null
    }),
  )

/** A name: a text, or what a thing says of itself. */
export const label: Reader<string | null> = (value, reading) =>
  text(isObject(value) ? (value.name ?? null) : value, reading)

/** A comma-separated text, or a list of texts or of things with a name. */
export const commaList: Reader<string[]> = deep((value, reading) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : list(label)(value, reading),
)

/** One row; an array of one is unwrapped, an empty one is nothing. */
export const one = <T>(read: Reader<T | null>): Reader<T | null> =>
  deep((value: unknown, reading: Reading) => {
    const all = listOf(value)
    const only = all !== undefined && all.length <= 1 ? all[0] : value
    return blank(only) ? null : read(only, reading)
  })

/** A thing that comes as an object, or as one member of it, a plain text. */
export const orPlain =
  <T>(member: string, read: Reader<T>): Reader<T> =>
  (value, reading) =>
    read(typeof value === 'string' ? { [member]: value } : value, reading)

/** Things that come as objects with a name, or as plain names. */
export const named = <T>(read: Reader<T | null>): Reader<NonNullable<T>[]> =>
  list(orPlain<T | null>('name', read))
