import type { ErrorCode, GatewayError } from '../errors.ts'
import { days, minutes } from './calendar.ts'
import type { Reading } from './decode.ts'
import { isObject } from './envelopes.ts'
import { failure, lengthOf, openBody, weigh } from './opening.ts'
import type { Args } from './params.ts'
import { refusalOf } from './refusal.ts'
import { type Asked, type Request, request as requestOf } from './request.ts'
import type { WireAnswer } from './transport/send.ts'

/** Kinds of answers that do not push each other out: records, wide windows, and the service's "no". */
export const CLASSES = ['record', 'window', 'negative'] as const

/** How an answer stands in time, which takes no look into it; milliseconds since the epoch. */
export interface Standing {
  readonly refusal?: GatewayError
  /** Whether there is no such thing, as the service said. */
  readonly isNothing?: boolean
  /** Moment of the answer, and the end of its freshness. */
  readonly at: number
  readonly freshUntil: number
  /** End of the time in which it may stand in where a newer one cannot be had. */
  readonly usableUntil: number
  /** Moment before which a newer one is not asked for again, because asking just failed. */
  readonly retryAt?: number
  readonly failures?: number
  readonly failure?: ErrorCode
}

/** What an answer holds. */
export interface Content<V = unknown> {
  readonly value: V
}

/** What a request bought: a value, or a refusal worth remembering, with its moments and its weight. */
export interface Answer<V = unknown> extends Standing, Asked<V> {
  readonly key: string
  readonly content: Content<V>
  /** Where what cannot be read of it is told; none where it holds nothing. */
  readonly reading?: Reading | undefined
  /** The other arguments that it turned out to answer. */
  readonly shown?: Args | undefined
  readonly bytes: number
  readonly class: (typeof CLASSES)[number]
}

/** Whether it may be given to anybody where no newer one can be had. */
export const isOfUse = ({ refusal, usableUntil }: Standing, now: number): boolean =>
  refusal === undefined && now < usableUntil

/** How long the service's own "no" is believed. */
const NOT_FOUND_FOR = minutes(3)
const EMPTY_FOR = minutes(3)

/** A value of last week beats none; the service's "no" does not outlive its freshness. */
const USABLE_FOR = days(7)

/** A record of the service is some kilobytes; what is longer is a window of rows. */
const WIDE = 53_000
const PARTIAL = 206

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Array.isArray(value.rows) && value.rows.length === 0)

/** What never expires, such as a settled day of a chart, tells of its day; of what things are called now it tells nothing. */
export const tellsOfNow = ({ freshUntil }: Standing): boolean => Number.isFinite(freshUntil)

/** How an answer to a request stands that came at a moment and holds something. */
const standingOf = ({ endpoint, args }: Request, at: number, shown?: Args): Standing => {
  const { freshFor } = endpoint
  const freshUntil = at + (typeof freshFor === 'number' ? freshFor : freshFor(args, at, shown))
  return { at, freshUntil, usableUntil: freshUntil + USABLE_FOR }
}

/** Reads what came back; a 404 is an answer, every other refusal is thrown. */
export const answer = <V>(
  request: Request<V>,
  wire: WireAnswer,
  at: number,
  reading: Reading,
): Answer<V> => {
  const { key, endpoint, args } = request
  if (wire.status === 404) {
    const freshUntil = at + NOT_FOUND_FOR
    return {
      key,
      endpoint,
      args,
      content: { value: endpoint.nothing },
      isNothing: true,
      at,
      freshUntil,
      usableUntil: freshUntil,
      bytes: weigh(key, wire.text),
      class: 'negative',
    }
  }
  if (wire.status < 200 || wire.status > 299) throw refusalOf(request, wire, at)
  // Its body may well be JSON, of a part that nobody asked for.
  if (wire.status === PARTIAL) throw failure(request, 'the service answered with a part (206)')
  const { value, bytes, reading: anew } = openBody(request, wire, reading)
  if (isEmpty(value)) {
    const freshUntil = at + EMPTY_FOR
    const usableUntil = freshUntil + USABLE_FOR
    return {
      key,
      endpoint,
      args,
      content: { value },
      at,
      freshUntil,
      usableUntil,
      bytes,
      class: 'negative',
    }
  }
  const size = lengthOf(wire) > WIDE ? 'window' : 'record'
  const shown = endpoint.alias?.(value, args)
  const { freshUntil, usableUntil } = standingOf(request, at, shown)
  return {
    key,
    endpoint,
    args,
    content: { value },
    reading: anew,
    bytes,
    at,
    freshUntil,
    usableUntil,
    shown,
    class: size,
  }
}

/** An answer with the request that it answers. */
export interface Answered<V = unknown> {
  readonly request: Request<V>
  readonly answer: Answer<V>
}

/** The same answer under the other arguments that it turns out to answer; undefined where there are none. */
export const aliased = <V>(bought: Answer<V>): Answered<V> | undefined => {
  const { endpoint, at, shown } = bought
  if (shown === undefined) return undefined
  const other = requestOf(endpoint, shown)
  const { key, args } = other
  const standing = standingOf(other, at)
  return { request: other, answer: { ...bought, ...standing, shown: undefined, key, args } }
}
