import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisBoard } from '../../src/board/redis.ts'
import { figure } from '../support/figure.ts'
import { openLink, startRedis } from '../support/redis.ts'
import { artist, ask, askAll, buildReplicas, kill } from '../support/replicas.ts'

let built: ReturnType<typeof buildReplicas>
beforeAll(() => {
  built = buildReplicas()
}, 120_000)
afterAll(() => built.close())

let redis: Awaited<ReturnType<typeof startRedis>>
const open = async (
  count: number,
  options: Parameters<typeof built.open>[2] = {},
  env: Record<string, string> = {},
) => {
  redis = await startRedis()
  onTestFinished(() => redis.stop())
  const opened = await built.open(redis.url, count, options, env)
  const [first, second, third] = opened.replicas
  if (first === undefined || second === undefined) throw new Error('none')
  onTestFinished(() => opened.sandbox.close())
  return { ...opened, first, second, third: third ?? second, meter: opened.sandbox.meter }
}
afterEach(async () => built.end())

describe('three processes on one Redis', () => {
  test('T2, C1: 300 callers of each, an empty store: one exchange, every distinct key once', async () => {
    const { replicas, meter } = await open(3, { latencyMs: 20 })
    const { codes, spent } = await askAll(replicas, 300, { first: 2, distinct: 30 })
    expect(codes).toEqual([])
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([1, 0])
    const paths = meter.requests.map(({ path }) => path)
    expect(paths).toHaveLength(new Set(paths).size)
    expect([meter.credits, spent]).toEqual([30, 30])
    figure(
      'T2',
      `${meter.tokenCalls} exchange, ${meter.tokenRefusals} refused, of 3 processes with 900 callers`,
    )
    figure(
      'C1',
      `${meter.credits} credits for 30 distinct keys asked for 900 times, ${spent} in the ledger`,
    )
  }, 300_000)

  test('C1: the one that sends is killed: another takes over and pays once', async () => {
    const { sandbox, first, second, third, meter } = await open(3)
    expect((await ask(first, artist(5))).spent).toBe(1)
    sandbox.faults.inject('artist', { stall: 'head', times: 1 })
    const lost = ask(first, artist(50)).catch(() => 'lost')
    await vi.waitFor(() => expect(meter.requests).toHaveLength(2), 30_000)
    const waiting = [second, third, second, third].map((replica) => ask(replica, artist(50)))
    await kill(first)
    expect(await lost).toBe('lost')
    const replies = await Promise.all(waiting)
    expect(replies.flatMap(({ codes }) => codes)).toEqual([])
    expect(replies.map(({ data }) => data.artist.name)).toEqual(
      Array.from({ length: 4 }, () => expect.any(String)),
    )
    const spent = replies.reduce((sum, reply) => sum + reply.spent, 0)
    expect([spent, meter.credits]).toEqual([1, 3])
    figure(
      'C1',
      `${meter.credits - 1} credits for a key whose owner was killed, ${spent} of them by who took over`,
    )
  }, 300_000)

  test('each is killed in turn, and Redis too: no token, answer, credit or pause is lost', async () => {
    const { sandbox, replicas, meter, open: begin } = await open(3, {}, { CREDITS_PER_DAY: '1000' })
    const [, second, third] = replicas
    expect((await askAll(replicas, 20, { first: 2, distinct: 20 })).codes).toEqual([])
    const bought = meter.credits
    expect(bought).toBe(20)
    await kill(replicas[0])
    await redis.kill()
    await redis.start()
    await kill(second)
    const late = await begin()
    await kill(third)

    const held = await askAll([late], 20, { first: 2, distinct: 20 })
    expect([held.codes, held.spent, meter.credits]).toEqual([[], 0, bought])
    const { data } = await ask(late, '{ credits { budgets { remaining } } }')
    expect(data.credits.budgets[0].remaining).toBe(1000 - bought)
    expect(await askAll([late], 1, { first: 70, distinct: 1 })).toEqual({ codes: [], spent: 1 })
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([1, 0])

    const reset = String(Math.floor(Date.now() / 1000) + 600)
    sandbox.faults.inject('artist', {
      status: 429,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    })
    expect((await ask(late, artist(80))).codes).toEqual(['RATE_LIMITED'])
    const sent = meter.requests.length
    const link = await openLink(redis.url)
    const pause = createRedisBoard(link)
    await vi.waitFor(async () => expect(await pause.read('pause')).toBeDefined(), 30_000)
    await link.close()
    await kill(late)
    await redis.kill()
    await redis.start()
    const last = await begin()
    expect((await ask(last, artist(81))).codes).toEqual(['RATE_LIMITED'])
    expect(meter.requests).toHaveLength(sent)
    figure(
      'restart',
      `4 replicas and Redis twice killed: ${meter.tokenCalls} exchange, ${bought} answers held for ${held.spent} credits, budget and pause kept`,
    )
  }, 300_000)
})
