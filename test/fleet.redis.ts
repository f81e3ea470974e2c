import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { handClock } from './credits/ask.ts'
import { openCut } from './support/cut.ts'
import { openFleet } from './support/fleet.ts'
import { openLink, useRedis } from './support/redis.ts'

const redis = useRedis()

const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { name code2: countryCode } }`
const spentBy = (results: readonly { readonly credits: { readonly spent: number } }[]) =>
  results.reduce((sum, { credits }) => sum + credits.spent, 0)

describe('three replicas', () => {
  it('save what a naive gateway would have sent, whoever of them sent it', async () => {
    const { replicas, sandbox } = await openFleet(redis.url, 3, { latencyMs: 50 })
    const asks = replicas.flatMap(({ query }) =>
      Array.from({ length: 300 }, (_, at) => query(artist(2 + (at % 30)))),
    )
    const results = await Promise.all(asks)
    expect(results.flatMap(({ errors }) => errors)).toEqual([])
    expect([sandbox.meter.credits, spentBy(results)]).toEqual([30, 30])
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

  it('find what one of them bought before they may send for it, also on a Redis that knows no script', async () => {
    const { replicas, sandbox, open } = await openFleet(redis.url, 1)
    const cut = await openCut(redis.port)
    const far = await open({ REDIS_URL: cut.url })
    onTestFinished(() => far.gateway.close())
    const [near] = replicas
    // A failure ends its claim and keeps nothing.
    await redis.say('SCRIPT FLUSH')
    sandbox.faults.inject('artist', { status: 500 })
    await near?.query(artist(5))
    sandbox.faults.clear()
    const before = sandbox.meter.credits
    sandbox.faults.inject('artist', { delayMs: 1_000, times: 1 })
    const bought = far.query(artist(6))
    await vi.waitFor(() => expect(sandbox.meter.credits).toBe(before + 1), 20_000)
    cut.delay(100)
    const waiting = near?.query(artist(6))
    expect((await Promise.all([bought, waiting])).map((result) => result?.errors)).toEqual([[], []])
    expect(sandbox.meter.credits).toBe(before + 1)
  })

  it('say no more what one of them renewed, once it has come', async () => {
    const { sandbox, open } = await openFleet(redis.url, 0)
    const { clock, advance } = handClock(new Date().toISOString())
    const [first, second] = [await open({}, '', { clock }), await open({}, '', { clock })]
    onTestFinished(() => first.gateway.close())
    onTestFinished(() => second.gateway.close())
    const before = (await first.query(artist(5))).data
    for (const _time of ['second', 'third'])
      expect(await first.query(artist(5))).toMatchObject({ data: before, credits: { spent: 0 } })
    advance(10_000)
    sandbox.faults.inject('artist', { body: { obj: { id: 5, name: 'New' } } })
    const renewed = (await second.query(artist(5), {}, { 'cache-control': 'no-cache' })).data
    expect(renewed.artist.name).toBe('New')
    const young = { 'cache-control': 'max-age=5' }
    const came = await first.query('{ other: artist(cmId: 5) { name } }', {}, young)
    expect(came).toMatchObject({ data: { other: { name: 'New' } }, credits: { spent: 0 } })
    expect((await first.query(artist(5))).data).toEqual(renewed)
  })

  it('believe a 404 that one of them got', async () => {
    const { replicas, sandbox } = await openFleet(redis.url, 3)
    for (const { query } of replicas)
      expect((await query(artist(2_000_000_000))).data).toEqual({ artist: null })
    expect(sandbox.meter.requests).toHaveLength(1)
  })

  it('lose no token and no budget with a Redis that comes back empty', async () => {
    const { replicas, sandbox, link, open } = await openFleet(
      redis.url,
      2,
      {},
      { CREDITS_PER_DAY: '60' },
    )
    for (const [at, { query }] of replicas.entries()) await query(artist(2 + at))
    await link.run(`redis.call('FLUSHALL')`, [], [])
    await redis.kill()
    await redis.start()
    while (!replicas.every(({ gateway }) => gateway.health().redis === 'up'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    const held = `return redis.call('EXISTS', KEYS[1])`
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
