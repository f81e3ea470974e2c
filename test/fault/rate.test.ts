import { describe, expect, test } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'
import type { GatewayError } from '../../src/errors.ts'
import { createBreaker } from '../../src/upstream/transport/breaker.ts'
import { createGate } from '../../src/upstream/transport/gate.ts'
import type { Caller } from '../../src/upstream/transport/send.ts'
import { figure } from '../support/figure.ts'
import { createFakeClock, T0 } from '../upstream/transport/clocks.ts'
import { through } from '../upstream/transport/through.ts'
import { artist, codesOf, openBench, range, SECOND, until } from './bench.ts'

const MINUTE = 60 * SECOND
const LONG = { OPERATION_TIMEOUT_MS: '120000' }

/** A gate before a service that takes 100 ms for each request. */
const openGate = (concurrency: number) => {
  const clock = createFakeClock()
  const gate = createGate({ concurrency }, clock, () => 0.5, createBreaker(clock))
  const errors: GatewayError[] = []
  let most = 0
  let behind = 0
  const send = through(gate.through, async (_, { purpose }) => {
    const isBehind = purpose === 'revalidation'
    if (isBehind) behind += 1
    most = Math.max(most, behind)
    await clock.sleep(100)
    if (isBehind) behind -= 1
    return { status: 200, headers: {}, text: '' }
  })
  /** Milliseconds from the question to the answer; undefined where it was refused. */
  const ask = async (caller: Partial<Caller> = {}) => {
    const begun = clock.now()
    const ledger = createLedger()
    const request = { method: 'GET', path: '/', credits: 1, endpoint: 'track' } as const
    try {
      await send(request, { ledger, deadline: begun + 10 * SECOND, ...caller })
      return clock.now() - begun
    } catch (error) {
      errors.push(error as GatewayError)
      return undefined
    }
  }
  return {
    clock,
    gate,
    errors,
    ask,
    get mostBehind() {
      return most
    },
  }
}

const p99 = (times: readonly (number | undefined)[]) => {
  const sorted = times.map((time) => time ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

describe('faults of the rate, one process', () => {
  test.each([
    ['epoch seconds', String((T0 + 30 * SECOND) / SECOND)],
    ['epoch milliseconds', String(T0 + 30 * SECOND)],
    ['seconds from now', '30'],
  ])('R1: a 429 with its reset in %s stops the fifty behind it until then', async (unit, reset) => {
    const bench = await openBench({ env: { ...LONG, UPSTREAM_CONCURRENCY: '1' } })
    await bench.warm()
    const refuse = { times: 1, status: 429, headers: { 'x-ratelimit-reset': reset } }
    bench.faults.inject('artist', refuse)
    const asked = bench.askAll(range(2, 51).map(artist))
    await until(() => bench.gate.pausedUntil > T0)
    expect(bench.gate.pausedUntil).toBe(T0 + 30 * SECOND)
    // Half of the two seconds that a pause may be kept beyond its end.
    await bench.clock.pass(31 * SECOND - 1)
    const inside = bench.meter.requests.length - 1
    expect([inside, bench.gate.waiting]).toEqual([0, 50])
    await bench.clock.pass(1)
    expect(codesOf(await bench.passing(asked))).toEqual(['RATE_LIMITED'])
    expect(bench.balances()).toBe(51)
    figure(`R1: ${inside} sends inside the pause, ${unit}`)
  })

  test.each([
    ['none', {}, [1, 2, 4, 8, 16, 30]],
    ['a negative one', { 'x-ratelimit-reset': '-5' }, [1, 1, 2, 4, 8, 16]],
    ['one in the past', { 'x-ratelimit-reset': '1767225000' }, [1, 1, 2, 4, 8, 16]],
    ['a text', { 'x-ratelimit-reset': 'soon' }, [1, 2, 4, 8, 16, 30]],
    ['the year 2099', { 'x-ratelimit-reset': '4070908800' }, [900, 900, 900, 900, 900, 900]],
  ])(
    'R2: for a reset, %s: a pause of a second to a quarter of an hour',
    async (name, headers, expected) => {
      const bench = await openBench()
      await bench.warm()
      bench.faults.inject('artist', {
        status: 429,
        headers: { 'x-ratelimit-reset': '', ...headers },
      })
      const pauses: number[] = []
      for (const cmId of range(2, expected.length)) {
        await bench.ask(artist(cmId))
        const pause = bench.gate.pausedUntil - bench.clock.now()
        pauses.push(pause / SECOND)
        await bench.clock.pass(pause * 1.1)
      }
      expect(pauses).toEqual(expected)
      expect(bench.balances()).toBe(expected.length)
      figure(`R2: ${name}: pauses of ${pauses.join(', ')} s`)
    },
  )

  test.each([5 * MINUTE, -5 * MINUTE])(
    'R3: a clock of the service %d ms off is seen through',
    async (off) => {
      const bench = await openBench()
      await bench.warm()
      const now = bench.clock.now()
      bench.faults.inject('artist', {
        status: 429,
        headers: {
          date: new Date(now + off).toUTCString(),
          'x-ratelimit-reset': String((now + off) / SECOND + 30),
        },
      })
      await bench.ask(artist(5))
      const error = Math.abs(bench.gate.pausedUntil - (now + 30 * SECOND))
      expect(error).toBeLessThanOrEqual(2 * SECOND)
      bench.balances()
      figure(`R3: clock off by ${off / MINUTE} min, pause off by ${error} ms`)
    },
  )

  test('R5: a 429 fails nobody who can be given something older, and makes nobody wait', async () => {
    const bench = await openBench()
    await bench.grow(range(2, 100))
    bench.faults.inject('artist', { status: 429, headers: { 'x-ratelimit-reset': '60' } })
    const before = [bench.clock.now(), bench.meter.credits] as const
    const answers = await bench.askAll(range(2, 100).map(artist))
    expect(codesOf(answers)).toEqual([])
    expect(answers.every(({ credits }) => credits.stale?.[0]?.reason === 'RATE_LIMITED')).toBe(true)
    const waited = bench.clock.now() - before[0]
    expect(waited).toBe(0)
    const paid = bench.balances() - before[1]
    expect(paid).toBeLessThanOrEqual(16)
    figure(`R5: 0 of 100 errors, ${waited} ms waited, ${paid} credits`)
  })

  test.each([
    [429, 'RATE_LIMITED'],
    [402, 'CREDIT_BUDGET_EXHAUSTED'],
  ])(
    'a %d of the service is the answer to all who joined, for one credit',
    async (status, code) => {
      const bench = await openBench({ env: LONG })
      await bench.warm()
      bench.faults.inject('artist', { status, headers: { 'x-ratelimit-reset': '1' } })
      const answers = await bench.passing(bench.askAll(range(0, 30).map(() => artist(5))))
      expect(codesOf(answers)).toEqual(range(0, 30).map(() => code))
      expect(bench.balances()).toBe(1)
      bench.faults.clear()
      expect(codesOf([await bench.passing(bench.ask(artist(5)))])).toEqual([])
    },
  )

  test('R6: a pause past the deadline is told at once, with its end', async () => {
    const bench = await openBench()
    await bench.warm()
    bench.faults.inject('artist', { times: 1, status: 429, headers: { 'x-ratelimit-reset': '60' } })
    await bench.ask(artist(2))
    const before = bench.clock.now()
    const { errors } = await bench.ask(artist(3))
    expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 60 })
    const waited = bench.clock.now() - before
    expect(waited).toBe(0)
    expect(bench.balances()).toBe(1)
    figure(`R6: refused after ${waited} ms, retryAfter 60`)
  })

  test('R7: 256 who waited for the end of a pause do not bring about another', async () => {
    const bench = await openBench({ env: LONG, sandbox: { ratePerSecond: 5, latencyMs: 50 } })
    await bench.passing(bench.warm())
    await bench.clock.pass(2 * SECOND)
    bench.faults.inject('artist', { times: 1, status: 429, headers: { 'x-ratelimit-reset': '10' } })
    await bench.passing(bench.ask(artist(2)))
    const asked = bench.askAll(range(3, 256).map(artist))
    await until(() => bench.gate.waiting === 256)
    await bench.clock.pass(bench.gate.pausedUntil - bench.clock.now() - 1)
    expect(bench.meter.requests).toHaveLength(1)
    await bench.passing(bench.clock.pass(SECOND))
    const first = bench.meter.requests.length - 1
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(7)
    expect(codesOf(await bench.passing(asked, 100))).toEqual([])
    const again = bench.meter.requests.filter(({ status }) => status === 429).length - 1
    expect(again).toBe(0)
    expect(bench.balances()).toBe(257)
    figure(
      `R7: ${first} sends in the first second, ${again} more 429 over ${bench.meter.requests.length}`,
    )
  })

  test('R8: ten thousand renewals take a fifth of the slots and hold up nobody', async () => {
    const measure = async (renewals: number) => {
      const bench = openGate(16)
      const flood = range(0, renewals).map(() => bench.ask({ purpose: 'revalidation' }))
      const asked: Promise<number | undefined>[] = []
      for (let one = 0; one < 20; one += 1) {
        asked.push(bench.ask())
        await bench.clock.pass(20)
      }
      await bench.clock.pass(20 * SECOND)
      await Promise.all(flood)
      return { time: p99(await Promise.all(asked)), bench }
    }
    const idle = await measure(0)
    const flooded = await measure(10_000)
    expect(flooded.time).toBeLessThanOrEqual(idle.time * 1.5)
    expect(flooded.bench.mostBehind).toBe(3)
    expect(new Set(flooded.bench.errors.map(({ code }) => code))).toEqual(new Set(['OVERLOADED']))
    figure(
      `R8: interactive p99 ${flooded.time} ms, idle ${idle.time} ms; ${flooded.bench.mostBehind} of 16 slots behind`,
    )
  })

  test('R9: a client with 95 % of the misses holds up none of the others', async () => {
    const { clock, ask, gate } = openGate(4)
    const flood = range(0, 950).map(() => ask({ client: 'greedy' }))
    const others = range(0, 50).map((index) => ask({ client: `other-${index % 10}` }))
    expect(gate.waiting).toBe(256)
    await clock.pass(30 * SECOND)
    await Promise.all(flood)
    // Eleven share forty requests a second: the fifth of a client is due after 5 / (40 / 11) s.
    const fair = (5 / (40 / 11)) * SECOND
    const wait = p99(await Promise.all(others))
    expect(wait).toBeLessThanOrEqual(fair * 2)
    figure(`R9: others' p99 ${wait} ms, fair share ${Math.round(fair)} ms`)
  })

  test('R9: an operation of many requests does not hold up one of a few, nor they it for good', async () => {
    const { clock, ask } = openGate(1)
    const ledger = createLedger()
    const large = range(0, 20).map(() => ask({ ledger }))
    const small = range(0, 40).map(() => ask())
    await clock.pass(10 * SECOND)
    const times = await Promise.all(large)
    expect(times.every((time) => time !== undefined)).toBe(true)
    expect(await Promise.all(small)).not.toContain(undefined)
    figure(`R9: the last of 20 after ${times.at(-1)} ms beside 40 of others`)
  })

  test('R10: a full queue holds 256, and the rest is told so', async () => {
    const { clock, ask, gate, errors } = openGate(16)
    const asked = range(0, 5_000).map(() => ask())
    expect(gate.waiting).toBe(256)
    await clock.pass(0)
    expect(errors).toHaveLength(5_000 - 256 - 16)
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['OVERLOADED']))
    await clock.pass(10 * SECOND)
    const served = (await Promise.all(asked)).filter((time) => time !== undefined).length
    expect(served).toBe(272)
    expect([gate.waiting, gate.running]).toEqual([0, 0])
    figure(`R10: ${gate.waiting} waiting at the end, ${served} served, ${errors.length} refused`)
  })

  test('R10: what nobody waits for makes room in a full queue', async () => {
    const { clock, ask, gate, errors } = openGate(1)
    const behind = range(0, 256).map(() => ask({ purpose: 'revalidation' }))
    const asked = range(0, 10).map(() => ask())
    expect(gate.waiting).toBeLessThanOrEqual(256)
    await clock.pass(0)
    expect(errors.length).toBeGreaterThan(0)
    await clock.pass(10 * SECOND)
    await Promise.all(behind)
    expect(await Promise.all(asked)).not.toContain(undefined)
  })
})
