import { type ErrorCode, GatewayError } from '../errors.ts'
import type { Answer, Standing } from './answer.ts'
import { minutes, seconds } from './calendar.ts'
import { isObject } from './envelopes.ts'
import type { Operation } from './operation.ts'
import type { Request } from './request.ts'
import { rightRefused } from './token/bearer.ts'
import type { WireAnswer } from './transport/send.ts'

/** How long a refusal is believed. */
const REMEMBERED: { readonly [code in ErrorCode]?: number } = {
  UPSTREAM_REJECTED: minutes(2),
  UPSTREAM_FORBIDDEN: minutes(10),
  UPSTREAM_BAD_RESPONSE: seconds(30),
}
const BYTES = 800

/** Whether an operation is given no answer to a request, whoever has paid for it. */
export const isBarredFrom = ({ endpoint }: Request, { isBarred = false }: Operation): boolean =>
  isBarred && endpoint.credits === 2

export const barred = ({ endpoint }: Request): GatewayError =>
  new GatewayError('FORBIDDEN', `${endpoint.name}: premium answers are not for this client`)

const SHORTEST_RETRY = seconds(10)
const LONGEST_RETRY = minutes(5)

/** Each failure in a row is waited for longer, and never longer than it has lasted so far. */
const waitAfter = (failures: number): number =>
  Math.min(SHORTEST_RETRY * 2 ** (failures - 1), LONGEST_RETRY)

/** The same answer after a failed try to renew it. */
export const postponed = <V>(held: Answer<V>, failure: ErrorCode, now: number): Answer<V> => {
  const failures = (held.failures ?? 0) + 1
  return { ...held, failures, failure, retryAt: now + waitAfter(failures) }
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

/** Seconds until the service is asked again. */
const retryAfter = ({ retryAt = 0 }: WireAnswer, at: number): number =>
  Math.max(1, Math.ceil((retryAt - at) / 1000))

/** What a status that is no answer means for those who asked. */
export const refusalOf = (request: Request, wire: WireAnswer, at: number): GatewayError => {
  const { name } = request.endpoint
  const { status } = wire
  if (status === 429)
    return new GatewayError('RATE_LIMITED', `${name}: the service's rate limit is reached`, {
      status,
      retryAfter: retryAfter(wire, at),
    })
  if (status === 402)
    return new GatewayError('CREDIT_BUDGET_EXHAUSTED', `${name}: the plan has no credits left`, {
      status,
    })
  if (status === 401) return rightRefused(name)
  if (status === 403)
    return new GatewayError('UPSTREAM_FORBIDDEN', `${name}: the plan does not permit this`, {
      status,
    })
  if (status >= 400 && status < 500)
    return new GatewayError(
      'UPSTREAM_REJECTED',
      `${name}: the service refused the request with ${status}${complaint(wire.text)}`,
      { status },
    )
  return new GatewayError('UPSTREAM_UNAVAILABLE', `${name}: the service answered ${status}`, {
    status,
  })
}

/** A 401 on a fresh token tells of a missing right, or of a service that refuses everything for a while. */
const isDoubtful = ({ code, facts }: GatewayError): boolean =>
  code === 'UPSTREAM_FORBIDDEN' && facts.status === 401

/** Whether a refusal takes the place of what is held. */
export const isFinal = (refusal: GatewayError): boolean =>
  refusal.code === 'UPSTREAM_FORBIDDEN' && !isDoubtful(refusal)

/** Doubtful refusals in a row, this one included; those that were under way together are one. */
const inARow = (last: Answer | undefined, at: number): number => {
  if (last?.refusal === undefined || !isDoubtful(last.refusal)) return 1
  if (at >= last.freshUntil + LONGEST_RETRY) return 1
  return (last.failures ?? 0) + (at < last.freshUntil ? 0 : 1)
}

/** The key under which a missing right is remembered: a premium right is the route's. */
export const rightKey = ({ endpoint, key }: Request): string =>
  endpoint.credits === 2 ? endpoint.route : key

/**
 * What is remembered of a refusal, and how long: at least until `retryAt`, where it was said already when to ask
 * again. `last` is what was remembered of the same right.
 */
export const refused = <V>(
  request: Request<V>,
  refusal: GatewayError,
  at: number,
  last?: Answer,
  retryAt = at,
): Answer<V> => {
  const { endpoint, args } = request
  const failures = inARow(last, at)
  const keep = isDoubtful(refusal) ? waitAfter(failures) : (REMEMBERED[refusal.code] ?? 0)
  const until = Math.max(at + keep, retryAt)
  return {
    key: refusal.code === 'UPSTREAM_FORBIDDEN' ? rightKey(request) : request.key,
    endpoint,
    args,
    content: { value: endpoint.nothing },
    refusal,
    failures,
    at,
    freshUntil: until,
    usableUntil: until,
    bytes: BYTES,
    class: 'negative',
  }
}

/** What stands for a request: what is held of it, or the missing right of its route where that is newer. */
export const within = <S extends Standing>(
  right: S | undefined,
  held: S | undefined,
  now: number,
): S | undefined => {
  if (right?.refusal === undefined || now >= right.freshUntil) return held
  if (held === undefined) return right
  if (held.at > right.at || now < held.freshUntil) return held
  return isFinal(right.refusal)
    ? right
    : { ...held, failure: right.refusal.code, retryAt: right.freshUntil }
}
