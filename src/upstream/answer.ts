import { type ErrorCode, GatewayError } from '../errors.ts'
import { days, minutes, seconds } from './calendar.ts'
import type { Reading } from './decode.ts'
import { isObject } from './envelopes.ts'
import { type Request, request as requestOf } from './request.ts'
import { RightRefused } from './token/bearer.ts'
import { bounded, resetOf } from './transport/reset.ts'
import type { WireAnswer } from './transport/send.ts'

/** Kinds of answers that do not push each other out: records, wide windows, and the service's "no". */
export const CLASSES = ['record', 'window', 'negative'] as const

/** What a request bought: a value, or a refusal worth remembering, with its moments and its weight. */
export interface Answer<V = unknown> {
  readonly key: string
  readonly value: V
  readonly refusal?: GatewayError
  /** Moment of the answer, and the end of its freshness; milliseconds since the epoch. */
  readonly at: number
  readonly freshUntil: number
  /** End of the time in which it may stand in where a newer one cannot be had. */
  readonly usableUntil: number
  readonly bytes: number
  readonly class: (typeof CLASSES)[number]
  /** Moment before which a newer one is not asked for again, because asking just failed. */
  readonly retryAt?: number
  readonly failures?: number
  readonly failure?: ErrorCode
}

/** How long the service's own "no" is believed. */
const NOT_FOUND_FOR = minutes(3)
const EMPTY_FOR = minutes(3)
const REMEMBERED: { readonly [code in ErrorCode]?: number } = {
  UPSTREAM_REJECTED: minutes(2),
  UPSTREAM_FORBIDDEN: minutes(10),
  UPSTREAM_BAD_RESPONSE: seconds(30),
}

/** A value of last week beats none; the service's "no" does not outlive its freshness. */
const USABLE_FOR = days(7)

/** A rate limit that does not say when it ends is one of requests a second. */
const UNTOLD_PAUSE = seconds(2)

const SHORTEST_RETRY = seconds(10)
const LONGEST_RETRY = minutes(5)

/** The same answer after a failed try to renew it: the next try waits, longer each time. */
export const postponed = <V>(held: Answer<V>, failure: ErrorCode, now: number): Answer<V> => {
  const failures = (held.failures ?? 0) + 1
  const wait = Math.min(SHORTEST_RETRY * 2 ** (failures - 1), LONGEST_RETRY)
  return { ...held, failures, failure, retryAt: now + wait }
}

/** Parsed JSON costs about this much more heap than its text. */
const HEAP_PER_CHARACTER = 1.2
const ENTRY_BYTES = 200
/** A record of the service is some kilobytes; what is larger is a window of rows. */
const WIDE = 64_000

const LONG_NUMBER = /[-\d]\d{15}/
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g

/** Parses JSON so that no digit is lost: integers that a double cannot hold become strings of digits. */
const parse = (text: string): unknown =>
  JSON.parse(
    LONG_NUMBER.test(text)
      ? text.replace(STRING_OR_NUMBER, (token) =>
          /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
        )
      : text,
  )

const failure = (request: Request, what: string): GatewayError =>
  new GatewayError('UPSTREAM_BAD_RESPONSE', `${request.endpoint.name}: ${what}`)

const bodyOf = (request: Request, text: string): unknown => {
  try {
    return parse(text)
  } catch {
    throw failure(request, 'the service answered with something that is not JSON')
  }
}

const open = <V>(request: Request<V>, wire: WireAnswer, reading: Reading): V => {
  const body = bodyOf(request, wire.text)
  if (!isObject(body) || !('obj' in body))
    throw failure(request, 'the answer of the service has no `obj`')
  const value = request.endpoint.open(body, reading)
  if (value === undefined) throw failure(request, 'the answer of the service has an unknown shape')
  return value
}

const TEXT = /[^\p{L}\p{N}\p{P}\p{Zs}]/gu

/** The service's complaint, if it is plain text: markup, objects and long texts are not passed on. */
const complaint = (text: string): string => {
  try {
    const body: unknown = JSON.parse(text)
    const said = isObject(body) ? (body.error ?? body.message) : undefined
    if (typeof said === 'string' && !/bearer|token/i.test(said))
      return `: ${said.replace(TEXT, ' ').slice(0, 200)}`
  } catch {
    return ''
  }
  return ''
}

/** Seconds until the service may answer again, as far as it says; else a moment. */
const retryAfter = (wire: WireAnswer, at: number): number => {
  const reset = bounded(resetOf(wire.headers, at) ?? at + UNTOLD_PAUSE, at)
  return Math.ceil((reset - at) / 1000)
}

const refusalOf = (request: Request, wire: WireAnswer, at: number): GatewayError => {
  const { name } = request.endpoint
  if (wire.status === 429)
    return new GatewayError('RATE_LIMITED', `${name}: the service's rate limit is reached`, {
      retryAfter: retryAfter(wire, at),
    })
  if (wire.status === 402)
    return new GatewayError('CREDIT_BUDGET_EXHAUSTED', `${name}: the plan has no credits left`)
  if (wire.status === 403)
    return new GatewayError('UPSTREAM_FORBIDDEN', `${name}: the plan does not permit this`)
  if (wire.status >= 400 && wire.status < 500)
    return new GatewayError(
      'UPSTREAM_REJECTED',
      `${name}: the service refused the request with ${wire.status}${complaint(wire.text)}`,
      { status: wire.status },
    )
  return new GatewayError('UPSTREAM_UNAVAILABLE', `${name}: the service answered ${wire.status}`)
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Array.isArray(value.rows) && value.rows.length === 0)

const lifetime = <V>(request: Request<V>, value: V, now: number): number => {
  if (isEmpty(value)) return EMPTY_FOR
  const { freshFor } = request.endpoint
  return typeof freshFor === 'number' ? freshFor : freshFor(request.args, now)
}

/** What is remembered of a refusal: how long, and under which key (a premium right is the route's). */
export const refused = <V>(request: Request<V>, refusal: GatewayError, at: number): Answer<V> => {
  const doubtful = refusal instanceof RightRefused && !refusal.certain
  const keep = doubtful ? 0 : (REMEMBERED[refusal.code] ?? 0)
  return {
    key: refusal.code === 'UPSTREAM_FORBIDDEN' ? rightKey(request) : request.key,
    value: request.endpoint.nothing,
    refusal,
    at,
    freshUntil: at + keep,
    usableUntil: at + keep,
    bytes: ENTRY_BYTES * 4,
    class: 'negative',
  }
}

/** The key under which a missing right is remembered. */
export const rightKey = ({ endpoint, key }: Request): string =>
  endpoint.credits === 2 ? endpoint.route : key

/** Reads what came back; a 404 is an answer, every other refusal is thrown. */
export const answer = <V>(
  request: Request<V>,
  wire: WireAnswer,
  at: number,
  reading: Reading,
): Answer<V> => {
  const bytes = ENTRY_BYTES + Math.ceil(wire.text.length * HEAP_PER_CHARACTER) + request.key.length
  const { key } = request
  if (wire.status === 404) {
    const freshUntil = at + NOT_FOUND_FOR
    return {
      key,
      value: request.endpoint.nothing,
      at,
      freshUntil,
      usableUntil: freshUntil,
      bytes,
      class: 'negative',
    }
  }
  if (wire.status < 200 || wire.status > 299) throw refusalOf(request, wire, at)
  const value = open(request, wire, reading)
  const freshUntil = at + lifetime(request, value, at)
  return {
    key,
    value,
    at,
    freshUntil,
    usableUntil: freshUntil + USABLE_FOR,
    bytes,
    class: isEmpty(value) ? 'negative' : bytes > WIDE ? 'window' : 'record',
  }
}

/** The same answer under the other arguments that it turns out to answer; undefined where there are none. */
export const aliased = <V>(request: Request<V>, bought: Answer<V>): Answer<V> | undefined => {
  const args = request.endpoint.alias?.(bought.value, request.args)
  if (args === undefined) return undefined
  const other = requestOf(request.endpoint, args)
  const freshUntil = bought.at + lifetime(other, bought.value, bought.at)
  return { ...bought, key: other.key, freshUntil, usableUntil: freshUntil + USABLE_FOR }
}
