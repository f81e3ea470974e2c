import { expect, onTestFinished, test, vi } from 'vitest'
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
    const connections = (word: string) =>
      new Set(
        cut.unheard.filter(({ text }) => text.includes(word)).map(({ connection }) => connection),
      ).size
    // On the next connection, which greets and then hangs, nothing is asked but whether Redis answers.
    while (connections('eval') < 2) await timed()
    await timed()
    expect(connections('refrain:')).toBe(1)
    cut.hangAt(undefined)
    await isUp()
  }
  const added = median(hung) - median(well)
  figure('B5', `${added.toFixed(0)} ms more for the first operation that meets a Redis that hangs`)
}, 120_000)
