import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/credits/ledger.ts'
import type { GatewayError } from '../../../src/errors.ts'
import { createBreaker } from '../../../src/upstream/transport/breaker.ts'
import { createGate } from '../../../src/upstream/transport/gate.ts'
import type { PassageSettings } from '../../../src/upstream/transport/passage.ts'
import type { WireAnswer, WireRequest } from '../../../src/upstream/transport/send.ts'
import { createFakeClock, settle, T0 } from './clocks.ts'
import { through } from './through.ts'

const SECOND = 1_000
const seconds = (moment: number) => String(moment / SECOND)

/** A gate before a service that answers when told; `starts` are the moments things went out. */
const open = ({ luck = 0, ...settings }: Partial<PassageSettings> & { luck?: number } = {}) => {
  const clock = createFakeClock()
  const gate = createGate({ concurrency: 16, ...settings }, clock, () => luck, createBreaker(clock))
  const starts: number[] = []
  const under: {
    path: string
    answer: (answer: WireAnswer) => void
    fail: (e: unknown) => void
  }[] = []
  const send = through(gate.through, (request) => {
    starts.push(clock.now() - T0)
    return new Promise((answer, fail) => under.push({ path: request.path, answer, fail }))
  })
  const errors: GatewayError[] = []
  const ask = (patience = 60 * SECOND, over: Partial<WireRequest> = {}) => {
    const request = { method: 'GET', path: '/', credits: 1, endpoint: 'track', ...over } as const
    return send(request, { ledger: createLedger(), deadline: clock.now() + patience }).catch(
      (error: GatewayError) => void errors.push(error),
    )
  }
  const answer = async (status = 200, headers: WireAnswer['headers'] = {}) => {
    under.shift()?.answer({ status, headers, text: '' })
    await settle(2)
  }
  const askMany = async (count: number, patience?: number) => {
    for (let one = 0; one < count; one += 1) void ask(patience)
    await settle(2)
  }
  return { clock, gate, send, starts, under, errors, ask, askMany, answer }
}

describe('slots', () => {
  it('bound what is under way, and free ones go to whoever waits longest', async () => {
    const { ask, answer, under, gate } = open({ concurrency: 2 })
    for (const path of ['a', 'b', 'c', 'd']) void ask(undefined, { path })
    await settle(2)
    expect(under.map(({ path }) => path)).toEqual(['a', 'b'])
    expect(gate.waiting).toBe(2)
    await answer()
    expect(under.map(({ path }) => path)).toEqual(['b', 'c'])
    under[0]?.fail(new Error('broken'))
    await settle(2)
    expect(gate.running).toBe(2)
    expect(gate.waiting).toBe(0)
  })

  it('have a queue of 256, and who comes after is told so at once', async () => {
    const { askMany, errors, gate, ask } = open({ concurrency: 1 })
    await askMany(257)
    expect(gate.waiting).toBe(256)
    expect(errors).toEqual([])
    await ask()
    expect(errors[0]?.code).toBe('OVERLOADED')
    expect(gate.waiting).toBe(256)
  })

  it('take all that one who was let in asks for, and newcomers only when fewer wait', async () => {
    const { askMany, errors, gate, ask, send, answer } = open({ concurrency: 1 })
    const caller = { ledger: createLedger(), deadline: Number.POSITIVE_INFINITY }
    const more = (count: number) => {
      for (let one = 0; one < count; one += 1)
        void send({ method: 'GET', path: '/', credits: 1, endpoint: 'track' }, caller)
    }
    more(1)
    await askMany(256)
    more(400)
    await settle(2)
    expect(errors).toEqual([])
    expect(gate.waiting).toBe(656)
    await ask()
    expect(errors[0]?.code).toBe('OVERLOADED')
    for (let one = 0; one < 401; one += 1) await answer()
    expect(gate.waiting).toBe(255)
    void ask()
    await settle(2)
    expect(errors).toHaveLength(1)
    expect(gate.waiting).toBe(256)
  })

  it('are not waited for past the deadline', async () => {
    const { clock, askMany, errors, gate, under } = open({ concurrency: 1 })
    await askMany(1)
    await askMany(2, 3 * SECOND)
    await clock.pass(3 * SECOND)
    expect(errors.map(({ code }) => code)).toEqual(['TIMEOUT', 'TIMEOUT'])
    expect(gate.waiting).toBe(0)
    expect(under).toHaveLength(1)
    expect(clock.sleeping).toBe(0)
  })

  it('refuses who has waited too long as late, though the clock moves on while it looks', async () => {
    const fake = createFakeClock()
    let looks = 0
    const clock = { ...fake, now: () => fake.now() + looks++ / 100 }
    const gate = createGate({ concurrency: 1 }, clock, () => 0.5, createBreaker(clock))
    const send = through(gate.through, () => new Promise(() => undefined))
    const ask = () =>
      send(
        { method: 'GET', path: '/', credits: 1, endpoint: 'track' },
        { ledger: createLedger(), deadline: T0 + SECOND },
      )
    void ask()
    const late = ask().catch((error: GatewayError) => error.code)
    await fake.pass(SECOND)
    expect(await late).toBe('TIMEOUT')
  })

  it('are closed to newcomers and waiters when the gate closes', async () => {
    const { clock, gate, askMany, errors, ask, answer } = open({ concurrency: 1 })
    await askMany(2)
    gate.close()
    expect(clock.sleeping).toBe(0)
    await ask()
    expect(errors.map(({ code }) => code)).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'])
    await answer()
    expect(gate.running).toBe(0)
  })
})

describe('spacing', () => {
  it('lets requests go one by one, never two at once', async () => {
    const { clock, starts, askMany } = open({ rps: 4 })
    await askMany(5)
    await clock.pass(10 * SECOND)
    expect(starts).toEqual([0, 250, 500, 750, 1_000])
    await askMany(2)
    await clock.pass(SECOND)
    expect(starts.slice(5)).toEqual([10_000, 10_250])
  })

  it('refuses at once whose turn would come past the deadline, and tells when', async () => {
    const { askMany, errors, ask } = open({ rps: 1 })
    await askMany(4)
    await ask(2 * SECOND)
    expect(errors).toMatchObject([{ code: 'RATE_LIMITED', facts: { retryAfter: 4 } }])
  })
})

describe('a 429', () => {
  it.each([
    ['epoch seconds', seconds(T0 + 30 * SECOND)],
    ['epoch milliseconds', String(T0 + 30 * SECOND)],
    ['seconds from now', '30'],
  ])('pauses everything until its reset, given as %s', async (_, reset) => {
    const { clock, starts, askMany, answer, errors, gate } = open({ concurrency: 1 })
    await askMany(51)
    await answer(429, { 'x-ratelimit-reset': reset })
    expect(gate.pausedUntil).toBe(T0 + 30 * SECOND)
    await clock.pass(30 * SECOND - 1)
    expect(starts).toEqual([0])
    await clock.pass(1)
    expect(starts).toEqual([0, 30_000])
    expect(errors).toEqual([])
  })

  it('goes up as it is', async () => {
    const { ask, answer } = open()
    const asked = ask()
    await settle(2)
    await answer(429, { 'x-ratelimit-reset': '5' })
    expect(await asked).toMatchObject({ status: 429 })
  })

  it('refuses at once, with the time to wait, who could not go before the deadline', async () => {
    const { clock, askMany, ask, answer, errors } = open({ concurrency: 1 })
    await askMany(1)
    await askMany(2, 10 * SECOND)
    await askMany(1, 61 * SECOND)
    await answer(429, { 'x-ratelimit-reset': '60' })
    expect(errors).toMatchObject([
      { code: 'RATE_LIMITED', facts: { retryAfter: 60 } },
      { code: 'RATE_LIMITED', facts: { retryAfter: 60 } },
    ])
    await clock.pass(20 * SECOND)
    await ask(10 * SECOND)
    expect(errors[2]).toMatchObject({ code: 'RATE_LIMITED', facts: { retryAfter: 40 } })
  })

  it('with a reset hours ahead is a pause of a quarter of an hour', async () => {
    const { clock, ask, askMany, answer, errors } = open()
    await askMany(1)
    await answer(429, {
      'x-ratelimit-reset': seconds(T0 + 86_400 * SECOND),
      'retry-after': '86400',
    })
    await ask(10 * SECOND)
    expect(errors).toMatchObject([{ code: 'RATE_LIMITED', facts: { retryAfter: 900 } }])
    expect(clock.sleeping).toBe(0)
  })

  it('with a reset in the past is a pause of about a second', async () => {
    const { gate, askMany, answer } = open()
    await askMany(1)
    await answer(429, { 'x-ratelimit-reset': seconds(T0 - SECOND) })
    expect(gate.pausedUntil).toBe(T0 + 1_000)
  })

  it.each([
    [10, 0.5, 10_500],
    [10, 1, 11_000],
    [60, 0.5, 61_000],
    [60, 1, 62_000],
    [900, 1, 900_000],
  ])(
    'with a reset in %i s is told as that, and kept up to a tenth and two seconds longer: at %d of that, %i ms',
    async (told, luck, pause) => {
      const { clock, gate, starts, askMany, answer } = open({ luck })
      await askMany(1)
      await answer(429, { 'x-ratelimit-reset': String(told) })
      expect(gate.pausedUntil - T0).toBe(told * SECOND)
      await askMany(1, 3_600 * SECOND)
      await clock.pass(pause - 1)
      expect(starts).toEqual([0])
      await clock.pass(1)
      expect(starts).toEqual([0, pause])
    },
  )

  it('says with its answer when the next may go', async () => {
    const { ask, answer } = open({ luck: 0.75 })
    const asked = ask()
    await settle(2)
    await answer(429)
    expect(await asked).toMatchObject({ status: 429, retryAt: T0 + 1_500 })
  })

  it.each([[{}], [{ 'x-ratelimit-reset': 'soon, 5' }]])(
    'with the headers %j waits for any part of a span that doubles, up to a minute, and a second at least',
    async (headers) => {
      const { clock, gate, askMany, answer } = open({ concurrency: 1, luck: 0.25 })
      await askMany(9, 3_600 * SECOND)
      const pauses: number[] = []
      for (let count = 0; count < 8; count += 1) {
        await answer(429, headers)
        const pause = gate.pausedUntil - clock.now()
        pauses.push(pause)
        await clock.pass(pause * 1.1)
      }
      expect(pauses).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
    },
  )

  it('of a burst counts once, and a success makes the next wait short again', async () => {
    const { clock, gate, askMany, answer } = open({ concurrency: 4, luck: 1 })
    await askMany(10)
    for (let count = 0; count < 4; count += 1) await answer(429)
    expect(gate.pausedUntil - clock.now()).toBe(2_000)
    await clock.pass(2_200)
    await answer(200)
    await answer(429)
    expect(gate.pausedUntil - clock.now()).toBe(2_000)
  })

  it('that comes late cannot shorten a pause, nor begin one that is over', async () => {
    const { clock, gate, askMany, answer } = open({ concurrency: 3 })
    await askMany(4)
    await answer(429, { 'x-ratelimit-reset': '30' })
    await answer(429, { 'x-ratelimit-reset': '10' })
    expect(gate.pausedUntil).toBe(T0 + 30 * SECOND)
    await clock.pass(30 * SECOND)
    await answer(429, { 'x-ratelimit-reset': seconds(T0 + 10 * SECOND) })
    expect(gate.pausedUntil).toBe(T0 + 30 * SECOND)
  })
})

describe('the end of a pause', () => {
  it('is tried with one request, then with twice as many after each round of answers', async () => {
    const { clock, gate, starts, askMany, answer, under } = open({ concurrency: 8 })
    await askMany(8)
    for (let count = 0; count < 8; count += 1) await answer(429, { 'x-ratelimit-reset': '10' })
    await askMany(100)
    await clock.pass(10 * SECOND)
    const rounds: number[] = []
    for (let round = 0; round < 5; round += 1) {
      rounds.push(gate.running)
      for (let left = under.length; left > 0; left -= 1) await answer()
    }
    expect(rounds).toEqual([1, 2, 4, 8, 8])
    expect(starts.filter((start) => start > 0 && start < 10_000)).toEqual([])
  })

  it('is tried again by the next in line when the probe is lost', async () => {
    const { clock, gate, askMany, answer, under } = open({ concurrency: 4 })
    await askMany(5)
    for (let count = 0; count < 4; count += 1) await answer(429, { 'x-ratelimit-reset': '5' })
    await askMany(3)
    await clock.pass(5 * SECOND)
    expect(gate.running).toBe(1)
    under.shift()?.fail(new Error('lost'))
    await settle(2)
    expect(gate.running).toBe(1)
  })
})

describe('an answer that is no refusal', () => {
  it('with nothing remaining makes the next request wait for the reset', async () => {
    const { clock, starts, askMany, answer } = open({ concurrency: 1 })
    await askMany(2)
    await answer(200, {
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': seconds(T0 + SECOND),
    })
    await clock.pass(SECOND - 1)
    expect(starts).toEqual([0])
    await clock.pass(1)
    expect(starts).toEqual([0, 1_000])
  })

  it('with a future reset but room left pauses nothing', async () => {
    const { starts, askMany, answer } = open({ concurrency: 1 })
    await askMany(2)
    await answer(200, { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '30' })
    expect(starts).toEqual([0, 0])
  })

  it('lets only as many more go as remain beyond those under way', async () => {
    const { clock, gate, askMany, answer, starts } = open({ concurrency: 16 })
    await askMany(4)
    await answer(200, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '2' })
    await askMany(10)
    expect(starts).toHaveLength(6)
    expect(gate.waiting).toBe(8)
    await answer(200, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '2' })
    expect(starts).toHaveLength(7)
    await clock.pass(2 * SECOND)
    expect(starts).toHaveLength(7)
    await answer(200)
    expect(gate.running).toBeLessThanOrEqual(5)
  })

  it('tells a 503 with Retry-After to wait, but no other status', async () => {
    const { gate, askMany, answer } = open({ concurrency: 2 })
    await askMany(2)
    await answer(200, { 'retry-after': '9' })
    expect(gate.pausedUntil).toBe(0)
    await answer(503, { 'retry-after': '9' })
    expect(gate.pausedUntil).toBe(T0 + 9 * SECOND)
  })
})

describe('whatever the service answers', () => {
  const header = fc.oneof(
    fc.constantFrom('0', '1', '7', '-3', 'soon', '', '86400', '1e9'),
    fc.integer({ min: -5, max: 40 }).map((off) => seconds(T0 + off * SECOND)),
    fc.integer({ min: -5, max: 40 }).map((off) => String(T0 + off * SECOND)),
  )
  const reply = fc.record({
    status: fc.constantFrom(200, 200, 429, 503, 404),
    headers: fc.record(
      {
        'x-ratelimit-reset': header,
        'x-ratelimit-remaining': fc.constantFrom('0', '1', '5', 'x'),
        'retry-after': header,
      },
      { requiredKeys: [] },
    ),
  })
  const step = fc.oneof(
    reply.map((value) => ({ reply: value })),
    fc.constant({ lost: true }),
    fc.integer({ min: 1, max: 20 }).map((ask) => ({ ask })),
    fc.integer({ min: 1, max: 20_000 }).map((pass) => ({ pass })),
  )

  it('nothing is sent in a pause or beyond the slots, and everybody is answered in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { clock, gate, starts, under, askMany, answer } = open({ concurrency: 4 })
        for (const one of steps) {
          const before = { count: starts.length, until: gate.pausedUntil }
          if ('ask' in one) await askMany(one.ask, 30 * SECOND)
          else if ('pass' in one) await clock.pass(one.pass)
          else if ('reply' in one) await answer(one.reply.status, one.reply.headers)
          else under.shift()?.fail(new Error('lost'))
          await settle(2)
          for (const start of starts.slice(before.count))
            expect(start + T0).toBeGreaterThanOrEqual(before.until)
          expect(under.length).toBeLessThanOrEqual(4)
          expect(gate.running).toBe(under.length)
          expect(gate.pausedUntil - clock.now()).toBeLessThanOrEqual(900 * SECOND)
        }
        while (under.length > 0) await answer(200)
        await clock.pass(1_000 * SECOND)
        while (under.length > 0) await answer(200)
        expect(gate.waiting).toBe(0)
        expect(clock.sleeping).toBe(0)
      }),
      { numRuns: 150 },
    )
  })
})

describe('an exchange of tokens', () => {
  it('goes before whatever else waits', async () => {
    const { ask, answer, under } = open({ concurrency: 1 })
    for (const endpoint of ['track', 'track', 'token'])
      void ask(undefined, { endpoint, path: endpoint })
    await settle(2)
    await answer()
    expect(under.map(({ path }) => path)).toEqual(['token'])
  })

  it('is let into a full queue', async () => {
    const { askMany, ask, answer, errors, gate, under } = open({ concurrency: 1 })
    await askMany(257)
    void ask(undefined, { endpoint: 'token', path: 'token' })
    await settle(2)
    expect(gate.waiting).toBe(257)
    await answer()
    expect(under.map(({ path }) => path)).toEqual(['token'])
    expect(errors).toEqual([])
  })
})

describe('the fixtures', () => {
  const { cases } = JSON.parse(
    readFileSync(new URL('../../fixtures/errors.json', import.meta.url), 'utf8'),
  ) as {
    cases: { name: string; response: { status: number; headers: Record<string, string> } }[]
  }
  const pauses: Record<string, number> = {
    '429-no-headers': 1_000,
    '429-reset-delta': 3_000,
    '429-reset-huge': 900_000,
    '429-reset-garbage': 1_000,
    '429-retry-after-only': 3_000,
    '429-retry-after-in-body': 1_000,
    '200-remaining-zero': 1_000,
  }
  it.each(cases.map(({ name, response }) => [name, response] as const))(
    '%s pauses as it should',
    async (name, { status, headers }) => {
      const { gate, askMany, answer } = open()
      await askMany(1)
      await answer(status, headers)
      expect(Math.max(0, gate.pausedUntil - T0)).toBe(pauses[name] ?? 0)
    },
  )
})
