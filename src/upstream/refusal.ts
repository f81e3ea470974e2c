import { type ErrorCode, GatewayError } from '../errors.ts'
import type { Answer } from './answer.ts'
import { minutes, seconds } from './calendar.ts'
import { isObject } from './envelopes.ts'
import type { Request } from './request.ts'
import { RightRefused } from './token/bearer.ts'
import { bounded, resetOf } from './transport/reset.ts'
import type { WireAnswer } from './transport/send.ts'

/** How long a refusal is believed. */
const REMEMBERED: { readonly [code in ErrorCode]?: number } = {
  UPSTREAM_REJECTED: minutes(2),
  UPSTREAM_FORBIDDEN: minutes(10),
  UPSTREAM_BAD_RESPONSE: seconds(30),
}
const BYTES = 800

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

/** What a status that is no answer means for those who asked. */
export const refusalOf = (request: Request, wire: WireAnswer, at: number): GatewayError => {
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
    bytes: BYTES,
    class: 'negative',
  }
}

/** The key under which a missing right is remembered. */
export const rightKey = ({ endpoint, key }: Request): string =>
  endpoint.credits === 2 ? endpoint.route : key
