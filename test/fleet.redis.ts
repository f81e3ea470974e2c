import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { script } from '../src/redis/link.ts'
import { figure } from './support/figure.ts'
import { openFleet } from './support/fleet.ts'
import { openLink, startRedis } from './support/redis.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { name code2: countryCode } }`
const spentBy = (results: readonly { readonly credits: { readonly spent: number } }[]) =>
  results.reduce((sum, { credits }) => sum + credits.spent, 0)

describe('three replicas', () => {
  it('exchange one token and send each distinct request once for 300 callers on each (T2, C1)', async () => {
    const { replicas, sandbox } = await openFleet(redis.url, 3, { latencyMs: 50 })
    const asks = replicas.flatMap(({ query }) =>
      Array.from({ length: 300 }, (_, at) => query(artist(2 + (at % 30)))),
    )
    const results = await Promise.all(asks)
    expect(results.flatMap(({ errors }) => errors)).toEqual([])
    const { tokenCalls, tokenRefusals, requests, credits } = sandbox.meter
    figure('T2', `${tokenCalls} exchange for 900 callers of 3 replicas, ${tokenRefusals} refused`)
    figure('C1', `${requests.length} requests for 30 distinct keys, ${credits} credits`)
    expect([tokenCalls, tokenRefusals]).toEqual([1, 0])
    expect(requests.map(({ path }) => path).sort()).toEqual(
      [...new Set(requests.map(({ path }) => path))].sort(),
    )
    expect(credits).toBe(30)
    expect(spentBy(results)).toBe(credits)
    expect(results.reduce((sum, result) => sum + result.credits.saved, 0)).toBe(900 - 30)
  })

  it('hold what one of them bought, also where nothing may be spent', async () => {
    const { replicas, sandbox, open } = await openFleet(redis.url, 1)
    await replicas[0]?.query(artist(5))
    const late = await open()
    onTestFinished(() => late.gateway.close())
    const held = await late.query(artist(5), {}, { 'cache-control': 'only-if-cached' })
    expect(held).toMatchObject({ errors: [], credits: { spent: 0, savedBy: { cache: 1 } } })
    const fresh = await late.query(artist(5), {}, { 'cache-control': 'no-cache' })
    expect(fresh.credits.spent).toBe(1)
    expect(sandbox.meter.credits).toBe(2)
  })

  it('believe a 404 that one of them got', async () => {
    const { replicas, sandbox } = await openFleet(redis.url, 3)
    for (const { query } of replicas)
      expect((await query(artist(2_000_000_000))).data).toEqual({ artist: null })
    expect(sandbox.meter.requests).toHaveLength(1)
  })

  it.each([
    ['another type', `redis.call('SET', key, 'x')`],
    ['garbage', `redis.call('HSET', key, 'at', 'soon', 'text', '{', 'status', 'x')`],
    ['a moment far ahead', `redis.call('HSET', key, 'at', '9e99', 'text', '<', 'status', '200')`],
    ['nothing of its own', `redis.call('DEL', key) redis.call('HSET', key, 'x', 'y')`],
  ])('ask anew for what somebody spoilt: %s (B9)', async (_, spoil) => {
    const { replicas, sandbox, link, open } = await openFleet(redis.url, 1)
    await replicas[0]?.query(artist(5))
    const lua = `for _, key in ipairs(redis.call('KEYS', '*:answer:*')) do ${spoil} end`
    await link.run(script(lua), [], [])
    const late = await open()
    onTestFinished(() => late.gateway.close())
    const { errors, credits } = await late.query(artist(5))
    expect([errors, credits.spent]).toEqual([[], 1])
    expect(sandbox.meter.credits).toBe(2)
  })

  it('keep within one budget (B1), and spend no more than it while Redis is away (B4)', async () => {
    const { replicas, sandbox } = await openFleet(redis.url, 3, {}, { CREDITS_PER_DAY: '60' })
    await Promise.all(
      replicas.flatMap(({ query }, replica) =>
        Array.from({ length: 10 }, (_, at) => query(artist(100 * (replica + 1) + at))),
      ),
    )
    expect(sandbox.meter.credits).toBe(30)
    await redis.kill()
    onTestFinished(() => redis.start())
    const results = await Promise.all(
      replicas.flatMap(({ query }, replica) =>
        Array.from({ length: 20 }, (_, at) => query(artist(1_000 * (replica + 1) + at))),
      ),
    )
    const codes = new Set(results.flatMap(({ errors }) => errors.map((e) => e.extensions.code)))
    figure('B4', `${sandbox.meter.credits} of 60 credits spent by 3 replicas, half without Redis`)
    expect(sandbox.meter.credits).toBe(60)
    expect([...codes]).toEqual(['CREDIT_BUDGET_EXHAUSTED'])
    const held = await Promise.all(replicas.map(({ query }, at) => query(artist(100 * (at + 1)))))
    expect(held.flatMap(({ errors }) => errors)).toEqual([])
  })

  it('pause together where one sees a 429 (R4)', async () => {
    const { replicas, sandbox } = await openFleet(redis.url, 3)
    for (const [at, { query }] of replicas.entries()) await query(artist(2 + at))
    const reset = String(Math.floor(Date.now() / 1_000) + 60)
    sandbox.faults.inject('artist', {
      status: 429,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    })
    await replicas[0]?.query(artist(50))
    const seen = Date.now()
    while (!replicas.every(({ gateway }) => gateway.transport.gate.pausedUntil > Date.now()))
      await new Promise((resolve) => setTimeout(resolve, 1))
    figure('R4', `the others pause ${Date.now() - seen} ms after the answer`)
    const before = sandbox.meter.requests.length
    const results = await Promise.all(replicas.map(({ query }, at) => query(artist(60 + at))))
    expect(results.map(({ errors }) => errors[0]?.extensions.code)).toEqual(
      Array.from({ length: 3 }, () => 'RATE_LIMITED'),
    )
    expect(sandbox.meter.requests).toHaveLength(before)
  })

  it('lose no token and no budget with a Redis that comes back empty', async () => {
    const { replicas, sandbox, link, open } = await openFleet(
      redis.url,
      2,
      {},
      { CREDITS_PER_DAY: '60' },
    )
    for (const [at, { query }] of replicas.entries()) await query(artist(2 + at))
    await link.run(script(`redis.call('FLUSHALL')`), [], [])
    await redis.kill()
    await redis.start()
    while (!replicas.every(({ gateway }) => gateway.health().redis === 'up'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    const held = script(`return redis.call('EXISTS', KEYS[1])`)
    const other = await openLink(redis.url)
    while ((await other.run(held, [other.name('board', 'token')], [])) === 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await other.close()
    const late = await open()
    onTestFinished(() => late.gateway.close())
    expect((await late.query(artist(9))).errors).toEqual([])
    expect([sandbox.meter.tokenCalls, sandbox.meter.tokenRefusals]).toEqual([1, 0])
    expect(late.gateway.budgets[0]?.remaining).toBe(57)
  })
})
