import { describe, expect, test, vi } from 'vitest'
import { figure } from '../support/figure.ts'
import {
  artist,
  ask,
  askAll,
  byHash,
  DOCUMENT,
  healthOf,
  type Replica,
  useReplicas,
} from '../support/replicas.ts'

const { redis, open } = useReplicas()

const isDown = async (replica: Replica) => (await healthOf(replica)).redis === 'down'
/** Whoever has no token by then gets none while Redis is away. */
const go = async (replicas: readonly Replica[]) => {
  for (const replica of replicas)
    await vi.waitFor(async () => expect((await healthOf(replica)).token).toBe('VALID'), 30_000)
  await redis.kill()
  for (const replica of replicas)
    await vi.waitFor(async () => expect(await isDown(replica)).toBe(true), 30_000)
}
const come = async (replicas: readonly Replica[]) => {
  await redis.start()
  for (const replica of replicas)
    await vi.waitFor(async () => expect(await isDown(replica)).toBe(false), 30_000)
}
describe('three processes whose Redis is away', () => {
  test('are ready, answer from what each holds, send by their part of the slots, and pause each for itself', async () => {
    const env = { REPLICAS_MAX: '4', UPSTREAM_CONCURRENCY: '8' }
    const { sandbox, replicas, first, second, third, meter } = await open(3, {}, env)
    for (const replica of replicas) expect((await ask(replica, artist(5))).codes).toEqual([])
    expect(meter.credits).toBe(1)
    await go(replicas)

    const ready = await Promise.all(replicas.map(({ operator }) => fetch(`${operator}/readyz`)))
    expect(ready.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await askAll(replicas, 5, { first: 5, distinct: 1 })).toEqual({ codes: [], spent: 0 })
    expect(await askAll(replicas, 5, { first: 6, distinct: 1 })).toEqual({ codes: [], spent: 3 })
    expect([await byHash(first, DOCUMENT), await byHash(first)]).toEqual([5, 5])
    expect(await byHash(second)).toBe('PERSISTED_QUERY_NOT_FOUND')

    const before = meter.requests.length
    const end = sandbox.faults.inject('artist', { delayMs: 5_000 })
    const asked = Array.from({ length: 20 }, (_, at) => ask(first, artist(100 + at)))
    await vi.waitFor(async () => {
      expect((await healthOf(first)).requests).toEqual({ running: 2, waiting: 18 })
    }, 30_000)
    expect(meter.requests).toHaveLength(before + 2)
    end()
    expect((await Promise.all(asked)).flatMap(({ codes }) => codes)).toEqual([])

    const reset = String(Math.floor(Date.now() / 1000) + 600)
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
    sandbox.faults.inject('artist', { status: 429, headers, times: 1 })
    expect((await ask(first, artist(200))).codes).toEqual(['RATE_LIMITED'])
    expect(await askAll([second, third], 1, { first: 201, distinct: 1 })).toEqual({
      codes: [],
      spent: 2,
    })
    // Once Redis is back, all keep the pause that one of them was told of.
    await come(replicas)
    await vi.waitFor(async () => {
      for (const replica of replicas) expect((await healthOf(replica)).pausedUntil).not.toBeNull()
    }, 30_000)
    figure('Redis away', 'ready; 15 of 15 held for 0 credits; 2 of 8 slots with REPLICAS_MAX=4')
  }, 300_000)

  test('exchange no token that changes with each exchange, and one of them does once it is back', async () => {
    const { sandbox, replicas, meter } = await open(3)
    for (const replica of replicas) expect((await ask(replica, artist(5))).codes).toEqual([])
    await go(replicas)
    expect((await askAll(replicas, 2, { first: 50, distinct: 2 })).codes).toEqual([])
    sandbox.revokeAccessTokens()
    const { codes } = await askAll(replicas, 10, { first: 100, distinct: 10 })
    expect([codes.length, new Set(codes)]).toEqual([30, new Set(['UPSTREAM_UNAVAILABLE'])])
    expect((await askAll(replicas, 10, { first: 5, distinct: 1 })).codes).toEqual([])
    expect(meter.tokenCalls).toBe(1)
    await come(replicas)
    await vi.waitFor(async () => {
      expect((await askAll(replicas, 1, { first: 200, distinct: 1 })).codes).toEqual([])
    }, 60_000)
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([2, 0])
    figure('Redis away', 'a strict service: 0 exchanges meanwhile, 1 afterwards by three processes')
  }, 300_000)

  test('exchange a token that stays as it is each for itself', async () => {
    const { sandbox, replicas, meter } = await open(3, { rotation: 'none' })
    for (const replica of replicas) expect((await ask(replica, artist(5))).codes).toEqual([])
    await go(replicas)
    sandbox.revokeAccessTokens()
    expect((await askAll(replicas, 10, { first: 100, distinct: 10 })).codes).toEqual([])
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([4, 0])
  }, 300_000)

  test('find it empty again: the newest token goes back there, no older one is exchanged, and each tells what it spent', async () => {
    const remaining = async (replica: Replica): Promise<number> =>
      (await healthOf(replica)).budgets[0].remaining
    const env = { CREDITS_PER_DAY: '60', REPLICAS_MAX: '4' }
    const { sandbox, replicas, meter, open: begin } = await open(3, {}, env)
    expect((await askAll(replicas, 4, { first: 50, distinct: 4 })).codes).toEqual([])
    sandbox.revokeAccessTokens()
    for (const [at, replica] of replicas.entries())
      expect((await ask(replica, artist(100 + at))).codes).toEqual([])
    const generation = () => redis.say('HGET refrain:1:board:token gen')
    expect([meter.tokenCalls, await generation()]).toEqual([
      2,
      expect.stringContaining('\r\n2\r\n'),
    ])
    const spent = meter.credits
    await redis.say('FLUSHALL')
    await go(replicas)
    await come(replicas)

    await vi.waitFor(async () => expect(await generation()).toContain('\r\n2\r\n'), 30_000)
    const late = await begin()
    await vi.waitFor(async () => expect(await remaining(late)).toBe(60 - spent), 30_000)
    expect((await ask(late, artist(200))).codes).toEqual([])
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([2, 0])
    const all = [...replicas, late]
    expect((await askAll(all, 8, { first: 300, distinct: 8 })).codes).toEqual([])
    // What went back is what the service takes.
    sandbox.revokeAccessTokens()
    const { codes } = await askAll([late], 60, { first: 400, distinct: 60 })
    expect(new Set(codes)).toEqual(new Set(['CREDIT_BUDGET_EXHAUSTED']))
    expect([meter.credits, meter.tokenCalls, meter.tokenRefusals]).toEqual([60, 3, 0])
    figure(
      'Redis empty',
      `generation 2 is back, 0 older tokens exchanged, ${spent} credits told again, 60 of 60 spent by four`,
    )
  }, 300_000)
})
