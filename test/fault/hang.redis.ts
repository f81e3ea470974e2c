import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { openCut } from '../support/cut.ts'
import { figure } from '../support/figure.ts'
import { openFleet } from '../support/fleet.ts'
import { useRedis } from '../support/redis.ts'

const redis = useRedis()

const median = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? Number.NaN

/** Looked for, claimed, and charged to two budgets, each of them. */
const cold = (cmId: number) =>
  `{ one: artist(cmId: ${cmId}) { name } two: artist(cmId: ${cmId + 1}) { name } track(cmId: ${cmId}) { name } }`

test('B5: an operation waits for a Redis that hangs once, whatever it has to ask it', async () => {
  const cut = await openCut(redis.port)
  const env = { REDIS_URL: cut.url, CREDITS_PER_DAY: '100000', CREDITS_PER_MONTH: '900000' }
  const { open } = await openFleet(redis.url, 0, {}, env)
  const { gateway, query } = await open({}, '', { redisLimitMs: 100 })
  onTestFinished(() => gateway.close())
  const isUp = () => vi.waitFor(() => expect(gateway.health().redis).toBe('up'), 30_000)
  let cmId = 100
  const timed = async () => {
    cmId += 10
    const since = performance.now()
    const { errors, credits } = await query(cold(cmId))
    const took = performance.now() - since
    expect(errors).toEqual([])
    expect(credits.spent).toBeGreaterThan(0)
    return took
  }

  const well: number[] = []
  for (let times = 0; times < 21; times += 1) well.push(await timed())
  await isUp()
  const hung: number[] = []
  for (let times = 0; times < 3; times += 1) {
    cut.hangAt('eval')
    hung.push(await timed())
    const connections = (words: RegExp) =>
      new Set(
        cut.unheard.filter(({ text }) => words.test(text)).map(({ connection }) => connection),
      ).size
    // On the next connection, which greets and then hangs, nothing is asked but whether Redis answers.
    while (connections(/eval/) < 2) await timed()
    await timed()
    expect(connections(/refrain:1:(?!probe)/)).toBe(1)
    cut.hangAt(undefined)
    await isUp()
  }
  const added = median(hung) - median(well)
  figure('B5', `${added.toFixed(0)} ms more for the first operation that meets a Redis that hangs`)
}, 120_000)

test('B5: a token that changes with each exchange ends while Redis hangs: nobody waits for another', async () => {
  const cut = await openCut(redis.port)
  const { open, sandbox } = await openFleet(redis.url, 0, {}, { OPERATION_TIMEOUT_MS: '60000' })
  let ahead = 0
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const { gateway, query } = await open({ REDIS_URL: cut.url }, '', { redisLimitMs: 100, clock })
  onTestFinished(() => gateway.close())
  const timed = async (cmId: number) => {
    const since = performance.now()
    const { data, errors } = await query(`{ artist(cmId: ${cmId}) { name } }`)
    return { data, errors, took: performance.now() - since }
  }
  expect((await timed(5)).errors).toEqual([])
  cut.hangAt('refrain:')
  ahead = 3_700_000
  const asked = [await Promise.all(Array.from({ length: 20 }, (_, at) => timed(100 + at)))]
  for (let cmId = 200; cmId < 220; cmId += 1) asked.push([await timed(cmId)])
  const refused = asked.flat()
  for (const { errors } of refused)
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_UNAVAILABLE', retryAfter: expect.any(Number) } },
    ])
  // What is held is given, whatever the token.
  expect(await timed(5)).toMatchObject({ data: { artist: {} }, errors: [] })
  const longest = Math.max(...refused.map(({ took }) => took))
  // Of the minute that each of them has.
  expect(longest).toBeLessThan(15_000)
  expect(sandbox.meter.tokenCalls).toBe(1)

  cut.hangAt(undefined)
  await vi.waitFor(async () => expect((await timed(300)).errors).toEqual([]), 60_000)
  expect([sandbox.meter.tokenCalls, sandbox.meter.tokenRefusals]).toEqual([2, 0])
  const all = refused.map(({ took }) => took)
  figure(
    'B5',
    `no token and a Redis that hangs: refused after ${median(all).toFixed(0)} ms in the median, ${longest.toFixed(0)} ms at most`,
  )
}, 120_000)
