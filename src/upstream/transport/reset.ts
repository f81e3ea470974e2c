import type { WireAnswer } from './send.ts'

type Headers = WireAnswer['headers']

const SECOND = 1_000
export const SHORTEST_PAUSE = SECOND
const LONGEST_PAUSE = 15 * 60 * SECOND
/** `Date` is cut to the second and the answer took its time: a smaller difference proves nothing. */
const TRUSTED_SKEW = 2 * SECOND

const single = (headers: Headers, name: string) => {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

const number = (text: string | undefined) =>
  text !== undefined && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined

const moment = (text: string | undefined) => {
  const parsed = text === undefined || !/[a-z]/i.test(text) ? Number.NaN : Date.parse(text)
  return Number.isNaN(parsed) ? undefined : parsed
}

/** How far our clock is ahead of the service's. */
const skewOf = (headers: Headers, now: number) => {
  const theirs = moment(single(headers, 'date'))
  return theirs === undefined || Math.abs(now - theirs) <= TRUSTED_SKEW ? 0 : now - theirs
}

/** The specification leaves the unit open: epoch milliseconds, epoch seconds and seconds from now. */
const momentOf = (value: number, skew: number, now: number) => {
  if (value >= 1e12) return value + skew
  if (value >= 1e9) return value * SECOND + skew
  return now + value * SECOND
}

const retryAfter = (headers: Headers, skew: number, now: number) => {
  const text = single(headers, 'retry-after')
  const value = number(text)
  if (value !== undefined) return momentOf(value, skew, now)
  const date = moment(text)
  return date === undefined ? undefined : date + skew
}

/** The moment an answer asks us to wait for, as written: it may lie in the past or far ahead. */
export const resetOf = (headers: Headers, now: number): number | undefined => {
  if (headers['x-ratelimit-reset'] === undefined && headers['retry-after'] === undefined)
    return undefined
  const skew = skewOf(headers, now)
  const reset = number(single(headers, 'x-ratelimit-reset'))
  const limit = reset === undefined ? undefined : momentOf(reset, skew, now)
  const retry = retryAfter(headers, skew, now)
  return limit === undefined || retry === undefined ? (limit ?? retry) : Math.max(limit, retry)
}

/** Requests that the running window still allows; undefined when the answer does not say. */
export const remainingOf = (headers: Headers): number | undefined => {
  const value = number(single(headers, 'x-ratelimit-remaining'))
  return value === undefined ? undefined : Math.max(0, Math.floor(value))
}

/** A wait that is neither a busy loop nor an hour lost to a wrong unit. */
export const bounded = (until: number, now: number): number =>
  Math.min(Math.max(until, now + SHORTEST_PAUSE), now + LONGEST_PAUSE)
