import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { STRANGERS } from '../../src/clients/client.ts'
import { systemClock } from '../../src/clock.ts'
import {
  createGlances,
  createLoad,
  createStalls,
  createStrain,
  type Strain,
  worked,
} from '../../src/load.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { openScript, type Scripted } from '../support/script.ts'
import { serve } from '../support/server.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const SECOND = 1_000
const DAY = 86_400_000
const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { name } }`
const HELD = artist(5)

const NONE: Strain = { delayMs: 10, heapShare: 0.2 }
const HEAP_AT_93: Strain = { ...NONE, heapShare: 0.93 }

const ask = async (address: string, query: string) => {
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const body = await answer.json()
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    data: body.data,
    code: body.errors?.[0]?.extensions.code,
    stale: body.extensions?.credits?.stale,
  }
}
const ANSWERED = { status: 200, data: { artist: { name: 'Ada' } } }
const REFUSED = { status: 503, retryAfter: '3', code: 'OVERLOADED', data: undefined }

const openService = async (before: () => Promise<void> = async () => undefined) => {
  const service = await openScript(async ({ path }): Promise<Scripted> => {
    await before()
    return { body: { obj: { id: Number(path.split('/').at(-1)), name: 'Ada' } } }
  })
  onTestFinished(() => service.close())
  return service
}

/** A gateway whose time and strain are the test's; it holds artist 5. */
const open = async () => {
  const clock = createFakeClock(Date.now())
  let strain = NONE
  const service = await openService()
  const { gateway } = openGateway(service.url, {}, { clock, strain: () => strain })
  const { address } = await serve(gateway)
  onTestFinished(() => gateway.close())
  expect(await ask(address, HELD)).toMatchObject(ANSWERED)
  return {
    clock,
    service,
    gateway,
    address,
    async suffer(next: Strain, seconds: number) {
      strain = next
      for (let second = 0; second < seconds; second += 1) await clock.pass(SECOND)
    },
  }
}

describe('S5: strain', () => {
  test.each([
    ['a loop that keeps work waiting for 300 ms', { delayMs: 300, heapShare: 0.2 }],
    ['a heap at 86 %', { delayMs: 10, heapShare: 0.86 }],
  ])('S5: under %s hits are served and misses refused', async (_, strain) => {
    const { address, service, suffer } = await open()
    await suffer(strain, 2)
    const sent = service.requests.length
    expect(await ask(address, artist(6))).toMatchObject(REFUSED)
    expect(await ask(address, HELD)).toMatchObject(ANSWERED)
    expect(service.requests).toHaveLength(sent)
    const both = await ask(address, '{ a: artist(cmId: 5) { name } b: artist(cmId: 6) { name } }')
    expect(both).toMatchObject({
      status: 200,
      code: 'OVERLOADED',
      data: { a: { name: 'Ada' }, b: null },
    })
  })

  test('S5: an old answer stands in, and is not renewed meanwhile', async () => {
    const { address, service, suffer, clock } = await open()
    clock.jump(2 * DAY)
    await suffer({ delayMs: 300, heapShare: 0.2 }, 2)
    const sent = service.requests.length
    const { stale, ...answer } = await ask(address, HELD)
    expect(answer).toMatchObject(ANSWERED)
    expect(stale).toEqual([{ path: ['artist'], age: 2 * 86_400 + 2, reason: 'OVERLOADED' }])
    await suffer(NONE, 3)
    expect(service.requests).toHaveLength(sent)
    expect((await ask(address, artist(6))).status).toBe(200)
  })

  test.each([
    ['a heap at 93 %', HEAP_AT_93],
    ['a loop that keeps work waiting for 600 ms', { delayMs: 600, heapShare: 0.2 }],
  ])(
    'S5: under %s all but the probes are refused; a good second later hits are served, and misses after three',
    async (_, strain) => {
      const { address, suffer, gateway } = await open()
      await suffer(strain, 2)
      expect(await ask(address, HELD)).toMatchObject(REFUSED)
      expect(gateway.health().load).toBe('critical')
      for (const probe of ['livez', 'readyz'])
        expect((await fetch(`${address}/${probe}`)).status).toBe(200)
      for (let second = 0; second < 2; second += 1) {
        await suffer(NONE, 1)
        expect(await ask(address, HELD)).toMatchObject(ANSWERED)
        expect(await ask(address, artist(6))).toMatchObject(REFUSED)
      }
      await suffer(NONE, 1)
      expect(await ask(address, artist(6))).toMatchObject(ANSWERED)
    },
  )

  test('S5: a single bad second is no strain, and a bad one among good ones starts them anew', async () => {
    const { address, suffer } = await open()
    await suffer(HEAP_AT_93, 1)
    await suffer(NONE, 1)
    expect((await ask(address, artist(6))).status).toBe(200)
    await suffer(HEAP_AT_93, 2)
    await suffer(NONE, 2)
    await suffer(HEAP_AT_93, 1)
    await suffer(NONE, 2)
    expect((await ask(address, artist(7))).status).toBe(503)
    await suffer(NONE, 1)
    expect((await ask(address, artist(7))).status).toBe(200)
  })

  test('S5: a client that keeps itself waiting is under strain alone', async () => {
    const clock = createFakeClock()
    const load = createLoad(clock, 16, () => NONE)
    onTestFinished(load.close)
    const levels = () => [load.levelFor('greedy'), load.levelFor('honest'), load.level]
    const keepWaiting = async (ms: number) => {
      load.wait('greedy', ms)
      load.wait(undefined, 20)
      await clock.pass(SECOND)
      return levels()
    }
    await keepWaiting(1_900)
    expect(await keepWaiting(1_900)).toEqual(['calm', 'calm', 'calm'])
    expect(await keepWaiting(2_100)).toEqual(['calm', 'calm', 'calm'])
    expect(await keepWaiting(2_100)).toEqual(['strained', 'calm', 'calm'])
    expect(load.pressed).toEqual(['greedy'])
    expect(() => load.admit({ client: 'greedy' })).toThrow('under strain')
    const honest = { client: 'honest', deadline: Number.POSITIVE_INFINITY }
    load.admit(honest)
    load.release(honest)
    await keepWaiting(8_100)
    expect(await keepWaiting(8_100)).toEqual(['critical', 'calm', 'calm'])
    expect(await keepWaiting(0)).toEqual(['strained', 'calm', 'calm'])
    await keepWaiting(0)
    expect(await keepWaiting(0)).toEqual(['calm', 'calm', 'calm'])
    for (let second = 0; second < 2; second += 1) {
      load.wait(STRANGERS, 8_100)
      await clock.pass(SECOND)
    }
    expect(load.levelFor(STRANGERS)).toBe('calm')
    for (let second = 0; second < 2; second += 1) {
      load.wait(undefined, 2_100)
      await clock.pass(SECOND)
    }
    expect(levels()).toEqual(['strained', 'strained', 'strained'])
  })

  /** What is told of waits, each of so many milliseconds with so much work in it. */
  const told = (...waits: readonly (readonly [wall: number, own: number])[]) => {
    let [now, worked] = [0, 0]
    const { look, take } = createStalls(
      () => now,
      () => worked,
    )
    for (const [wall, own] of waits) {
      now += wall
      worked += own
      look()
    }
    return take()
  }

  test('S5: of the longest wait counts what the process itself worked in it, whatever it worked before and after', () => {
    expect(told([20, 5], [620, 600], [20, 20])).toBe(600)
    // A busy machine: the process works all the time that it is given, and each of its turns is short.
    expect(told([620, 90], [420, 60], [320, 80], [20, 20])).toBe(90)
    expect(told([20, 20], [21, 21], [20, 20])).toBe(1)
    expect(told([20, 300])).toBe(0)
  })

  test('what the process worked is asked of the system at most once in 5 ms, and told anew after them', () => {
    let [now, worked, asked] = [0, 0, 0]
    const glance = createGlances(
      () => {
        asked += 1
        return worked
      },
      () => now,
    )
    const glances = Array.from({ length: 100 }, () => {
      now += 1
      worked += 1
      return glance()
    })
    expect(asked).toBe(20)
    expect(glances.every((told, place) => place + 1 - told < 5)).toBe(true)
  })

  /** A gateway that measures itself, asked right after its loop stood still for 2 s. */
  const afterStandstill = async (work?: () => number) => {
    const service = await openService()
    const measure = createStrain(work)
    let samples = 0
    const strain = () => {
      samples += 1
      return measure()
    }
    const { gateway } = openGateway(service.url, {}, { clock: systemClock, strain })
    onTestFinished(() => gateway.close())
    const { address } = await serve(gateway)
    expect((await ask(address, HELD)).status).toBe(200)
    await vi.waitFor(() => expect(samples).toBeGreaterThan(0), 60_000)
    // As work does it: after what came in and before the timers, by which it is noticed ahead of whoever asked meanwhile.
    await new Promise(setImmediate)
    const before = worked()
    const stand = (ms: number) => {
      for (const from = performance.now(); performance.now() - from < ms; );
    }
    // Others may have the processor for most of it.
    for (stand(2_100); worked() - before < 600; ) stand(10)
    return { address, answer: await ask(address, HELD) }
  }

  test('S5: a loop that stood still for 2 s is noticed before anybody is answered', async () => {
    const { address, answer } = await afterStandstill()
    expect(answer).toMatchObject(REFUSED)
    const over = performance.now()
    await vi.waitFor(async () => expect((await ask(address, HELD)).status).toBe(200), 60_000)
    figure(
      'S5',
      `shed after 2.1 s of standstill, hits again after ${((performance.now() - over) / SECOND).toFixed(1)} s`,
    )
  }, 150_000)

  test('S5: where others had the processor all that time, everybody is answered', async () => {
    const { address, answer } = await afterStandstill(() => 0)
    expect(answer).toMatchObject(ANSWERED)
    expect(await ask(address, artist(6))).toMatchObject(ANSWERED)
  }, 150_000)
})

test('§2.7: beyond 512 operations that have sent for an answer, hits and shared flights are served and nothing more is asked for', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let hold = false
  const service = await openService(() => (hold ? released : Promise.resolve()))
  const { gateway } = openGateway(service.url, {
    UPSTREAM_CONCURRENCY: '512',
    UPSTREAM_TIMEOUT_MS: '600000',
    OPERATION_TIMEOUT_MS: '600000',
  })
  onTestFinished(() => gateway.close())
  const { address } = await serve(gateway)
  await ask(address, HELD)
  hold = true
  // In steps, since a burst is more than the queue of connections takes.
  const waiting: ReturnType<typeof ask>[] = []
  const come = async (count: number, cmId: (at: number) => number) => {
    const from = waiting.length
    waiting.push(...Array.from({ length: count }, (_, at) => ask(address, artist(cmId(from + at)))))
    await vi.waitFor(() => expect(gateway.load.operations).toBe(waiting.length), 30_000)
  }
  while (waiting.length < 512) await come(32, (at) => 100 + at)
  await come(8, (at) => 100 + at - 512)
  await vi.waitFor(() => expect(service.requests).toHaveLength(1 + 512), 30_000)
  expect(await ask(address, HELD)).toMatchObject(ANSWERED)
  expect(await ask(address, artist(7))).toMatchObject(REFUSED)
  release()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  expect(statuses).toEqual(Array(520).fill(200))
  await vi.waitFor(() => expect(gateway.load.operations).toBe(0), 30_000)
  expect(await ask(address, artist(7))).toMatchObject(ANSWERED)
  expect(service.requests).toHaveLength(1 + 512 + 1)
  figure(
    '§2.7',
    '512 operations sent for an answer: a hit and 8 shared answers served, a new miss refused',
  )
}, 120_000)
