import { describe, expect, it } from 'vitest'
import { remainingOf, resetOf } from '../../../src/upstream/transport/reset.ts'
import { T0 } from './clocks.ts'

const wait = (headers: Record<string, string | string[]>, now = T0) => {
  const until = resetOf(headers, now)
  return until === undefined ? undefined : until - now
}
const reset = (value: string) => wait({ 'x-ratelimit-reset': value })

describe('the moment that an answer asks to wait for', () => {
  it.each([
    ['epoch seconds', '1767225630', 30_000],
    ['epoch milliseconds', '1767225630000', 30_000],
    ['seconds from now', '30', 30_000],
    ['a fraction of a second', '0.5', 500],
    ['the past', '1767225599', -1_000],
    ['a negative number', '-5', -5_000],
    ['hours ahead', '1767312000', 86_400_000],
  ])('is read from %s', (_, value, ms) => {
    expect(reset(value)).toBe(ms)
  })

  it.each(['', 'soon, 5', 'NaN', 'Infinity', '0x10', '1e3', '12 13'])(
    'is not told by %j',
    (value) => {
      expect(reset(value)).toBeUndefined()
    },
  )

  it('is not told by a header that comes twice', () => {
    expect(wait({ 'x-ratelimit-reset': ['5', '6'] })).toBeUndefined()
  })

  it('may come as Retry-After, in seconds or as a date', () => {
    expect(wait({ 'retry-after': '7' })).toBe(7_000)
    expect(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' })).toBe(3_000)
    expect(wait({ 'retry-after': 'later' })).toBeUndefined()
  })

  it('is the later of the two when both are told', () => {
    expect(wait({ 'x-ratelimit-reset': '1767225599', 'retry-after': '7' })).toBe(7_000)
    expect(wait({ 'x-ratelimit-reset': '9', 'retry-after': 'x' })).toBe(9_000)
  })

  it.each([-300_000, 300_000])('is put right when our clock is %i ms off', (off) => {
    const headers = { date: 'Thu, 01 Jan 2026 00:00:00 GMT' }
    const now = T0 + off
    expect(wait({ ...headers, 'x-ratelimit-reset': '1767225630' }, now)).toBe(30_000)
    expect(wait({ ...headers, 'x-ratelimit-reset': '1767225630000' }, now)).toBe(30_000)
    expect(wait({ ...headers, 'x-ratelimit-reset': '30' }, now)).toBe(30_000)
    expect(wait({ ...headers, 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, now)).toBe(30_000)
  })

  it('does not take the cut seconds of Date for a wrong clock', () => {
    const headers = { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'x-ratelimit-reset': '1767225601' }
    expect(wait(headers, T0 + 900)).toBe(100)
  })
})

describe('what is left of a window', () => {
  it.each([
    ['12', 12],
    ['0', 0],
    ['-3', 0],
    ['x', undefined],
    ['', undefined],
  ])('%j is %s', (value, left) => {
    expect(remainingOf({ 'x-ratelimit-remaining': value })).toBe(left)
  })
})
