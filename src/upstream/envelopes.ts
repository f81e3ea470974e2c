export type JsonObject = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An array, or one that came as an object keyed by its places. */
export const listOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return undefined
  let place = 0
  for (const key in value) if (key !== String(place++)) return undefined
  return place === 0 ? undefined : Object.values(value)
}

/** What a body holds, taken out of its wrapping. */
export interface Opened {
  readonly obj: unknown
  readonly rows?: readonly unknown[]
  readonly total?: number | null
  readonly offset?: number | null
}

/** One of the service's wrappings: `open` for the client, `seal` for a server that keeps the same rules. */
export interface Envelope {
  readonly name: string
  /** Undefined where the body is not of this wrapping. */
  open(body: JsonObject): Opened | undefined
  seal(rows: readonly unknown[], total: number, offset: number): JsonObject
}

/** More rows than GraphQL's Int counts are no count that anybody could page through. */
const MOST_ROWS = 2_147_483_647

const whole = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return Number.isSafeInteger(number) && Number(number) >= 0 && Number(number) <= MOST_ROWS
    ? Number(number)
    : null
}

const NO_MATCH = 'No artists found with given parameters.'

const isEmpty = (value: JsonObject): boolean => {
  for (const _ in value) return false
  return true
}

/** Null and an empty object say that there are none. */
const isNone = (value: unknown): boolean => value === null || (isObject(value) && isEmpty(value))

/** The stat list says that there are none in a sentence, and by a length that no list has. */
const saysNone = ({ length }: JsonObject, inner: unknown): boolean =>
  inner === NO_MATCH || (typeof inner === 'string' && (length === -1 || length === '-1'))

/** Other members that have been seen to hold the rows, where nothing else beside them could. */
const HOLDERS = /^(items|tracks|plat[A-Z])$/

const heldIn = (obj: JsonObject, holders: RegExp): unknown => {
  if ('data' in obj || 'obj' in obj) return obj.data ?? obj.obj ?? null
  const [only, ...others] = Object.entries(obj).filter(([, value]) => typeof value === 'object')
  return only !== undefined && others.length === 0 && holders.test(only[0]) ? only[1] : undefined
}

/**
 * Rows wherever this service and its clients' notes have them: bare, under `data`, or in another holder. What is
 * neither rows nor says that there are none is unknown.
 */
const rowsOf = (obj: unknown, holders: RegExp): readonly unknown[] | undefined => {
  const bare = listOf(obj)
  if (bare !== undefined) return bare
  if (isNone(obj)) return []
  if (!isObject(obj)) return undefined
  const inner = heldIn(obj, holders)
  return listOf(inner) ?? (isNone(inner) || saysNone(obj, inner) ? [] : undefined)
}

export const rowsEnvelope = (
  name: string,
  seal: Envelope['seal'],
  holders = HOLDERS,
): Envelope => ({
  name,
  seal,
  open(body) {
    const { obj } = body
    const rows = rowsOf(obj, holders)
    if (rows === undefined) return undefined
    const inner = isObject(obj) ? obj : {}
    return {
      obj,
      rows,
      total: whole(inner.total ?? inner.count ?? body.total),
      offset: whole(inner.offset ?? body.offset),
    }
  },
})

/** `obj` = { length, data }: the stat list and every chart; `length` is the rows of this answer and never a total. */
export const lengthAndData = rowsEnvelope('{ length, data }', (rows) => ({
  obj: { length: rows.length, data: rows },
}))

/** The stat list, which says in a sentence that nothing matches. */
export const lengthAndDataOrSentence = rowsEnvelope(
  '{ length, data }, no match: a sentence',
  (rows) =>
    rows.length === 0
      ? { obj: { length: -1, data: NO_MATCH } }
      : { obj: { length: rows.length, data: rows } },
)

/** `obj` = { data, total }: venues. */
export const dataAndTotal = rowsEnvelope('{ data, total }', (rows, total) => ({
  obj: { data: rows, total },
}))

/** `obj` = rows, beside `offset` and `total`: playlists and the track filter. */
export const arrayWithTotal = rowsEnvelope('array, offset, total', (rows, total, offset) => ({
  obj: rows,
  offset,
  total,
}))

/** `obj` = rows: festivals, radio stations, live events, stream estimates. */
export const array = rowsEnvelope('array', (rows) => ({ obj: rows }))

/** `obj` = one object: metadata, search, venue events; an array of one is unwrapped, an empty one is nothing. */
export const object: Envelope = {
  name: 'object',
  seal: (rows) => ({ obj: rows[0] ?? null }),
  open({ obj }) {
    const all = listOf(obj)
    const one = all !== undefined && all.length <= 1 ? (all[0] ?? null) : obj
    if (isNone(one)) return { obj: null }
    return isObject(one) ? { obj: one } : undefined
  },
}

/** `obj` of a shape that the specification does not show. */
export const anything: Envelope = {
  name: 'not documented',
  seal: (rows) => ({ obj: rows[0] ?? null }),
  open: ({ obj }) => ({ obj }),
}
