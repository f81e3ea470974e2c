import { GatewayError } from '../errors.ts'
import type { Reading } from './decode.ts'
import { isObject } from './envelopes.ts'
import { parseWhole } from './json.ts'
import { countOf, layoutOf } from './layout.ts'
import type { Asked, Request } from './request.ts'
import { bytesOf } from './transport/came.ts'
import type { Body, WireAnswer } from './transport/send.ts'

/** What an object costs beside its text: between 120 as it was parsed, and 500 once all of it was read. */
const BYTES_OF_OBJECT = 300
const ENTRY_BYTES = 200
const weighed = (key: string, length: number, objects: number): number =>
  ENTRY_BYTES + key.length + length + BYTES_OF_OBJECT * objects

/** Bytes of an answer as it is held, with those of its parsed form: whoever reads it needs room for that. */
export const weigh = (key: string, text: string): number => {
  let objects = 0
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) objects++
  return weighed(key, text.length, objects)
}

/** What an answer fails with that cannot be read. */
export const failure = ({ endpoint }: Asked, what: string): GatewayError =>
  new GatewayError('UPSTREAM_BAD_RESPONSE', `${endpoint.name}: ${what}`)

const bodyOf = (asked: Asked, text: string): unknown => {
  try {
    return parseWhole(text)
  } catch {
    throw failure(asked, 'the service answered with something that is not JSON')
  }
}

/** Whether an answer names another thing than was asked for; one that names none is taken at its word. */
const isOfAnother = ({ endpoint, args }: Asked, value: unknown): boolean => {
  if (!isObject(value)) return false
  let isAnother = false
  for (const column of endpoint.repeats) {
    const id = value[column]
    if (id === null || id === undefined) continue
    if (String(id) === String(args.cmId)) return false
    isAnother = true
  }
  return isAnother
}

/** Reads all of a body. */
export const open = <V>(
  asked: Asked<V>,
  { text }: Pick<WireAnswer, 'text'>,
  reading: Reading,
): V => {
  const body = bodyOf(asked, text)
  if (!isObject(body) || !('obj' in body))
    throw failure(asked, 'the answer of the service has no `obj`')
  const value = asked.endpoint.open(body, reading)
  if (value === undefined) throw failure(asked, 'the answer of the service has an unknown shape')
  if (isOfAnother(asked, value))
    throw failure(asked, 'the service answered about another thing than was asked for')
  return value
}

/** Of a body, in bytes or letters: what is told by it needs no more. */
export const lengthOf = (body: Body): number => body.bytes?.length ?? body.text.length

/** A body that is longer is worth a look for where its rows lie. */
const LONG = 8_000

/** What a body holds, what it weighs, and, where it may be read anew, where is told what cannot be read of it. */
interface Opened<V> {
  readonly value: V
  readonly bytes: number
  readonly reading?: Reading | undefined
}

/** An answer whose rows are read where they lie; undefined where they have to be read all at once. */
const openOver = <V>(
  { endpoint, key }: Request<V>,
  wire: WireAnswer,
  reading: Reading,
): Opened<V> | undefined => {
  if (endpoint.openOver === undefined || lengthOf(wire) < LONG) return undefined
  const layout = layoutOf(bytesOf(wire))
  if (layout === undefined) return undefined
  const value = endpoint.openOver(layout, reading)
  return value && { value, bytes: weighed(key, layout.bytes.length, countOf(layout)) }
}

const openAll = <V>(request: Request<V>, wire: WireAnswer, reading: Reading): Opened<V> => ({
  value: open(request, wire, reading),
  bytes: weigh(request.key, wire.text),
  reading,
})

/** Reads a body, or finds what is to be read of it later. */
export const openBody = <V>(request: Request<V>, wire: WireAnswer, reading: Reading): Opened<V> =>
  openOver(request, wire, reading) ?? openAll(request, wire, reading)
