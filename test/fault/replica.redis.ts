import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisBoard } from '../../src/board/redis.ts'
import { cacheCommand } from '../../src/cli/cache.ts'
import { openCut } from '../support/cut.ts'
import { figure } from '../support/figure.ts'
import { openLink } from '../support/redis.ts'
import {
  artist,
  ask,
  askAll,
  byHash,
  DOCUMENT,
  healthOf,
  kill,
  type Replica,
  useReplicas,
} from '../support/replicas.ts'

const { redis, open } = useReplicas()

/** Answers, one in each way, and what else lies beside the token. */
const SPOIL = `
local ways = {
  function(key) redis.call('SET', key, 'x') end,
  function(key) redis.call('HSET', key, 'at', 'soon', 'text', '{', 'status', 'x') end,
  function(key) redis.call('HSET', key, 'at', '9e99', 'text', '<', 'status', '200') end,
  function(key) redis.call('DEL', key) redis.call('HSET', key, 'x', 'y') end,
  function(key) redis.call('RENAME', key, (string.gsub(key, 'refrain:1', 'refrain:0'))) end,
}
for at, key in ipairs(redis.call('KEYS', 'refrain:1:answer:*')) do
  local hash = string.match(key, '[^:]+$')
  ways[at](key)
  redis.call('DEL', 'refrain:1:lease:' .. hash)
  redis.call('RPUSH', 'refrain:1:lease:' .. hash, 'x')
end
for _, name in ipairs({'board:pause', 'board:budget-day', 'documents'}) do
  redis.call('DEL', 'refrain:1:' .. name)
  redis.call('RPUSH', 'refrain:1:' .. name, 'x')
end`

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

  test('C1: the one that sends is waited for as long as it lives; it is killed: another takes over and pays once', async () => {
    const { sandbox, first, second, third, meter } = await open(3)
    expect((await ask(first, artist(5))).spent).toBe(1)
    sandbox.faults.inject('artist', { stall: 'head', times: 1 })
    const lost = ask(first, artist(50)).catch(() => 'lost')
    await vi.waitFor(() => expect(meter.requests).toHaveLength(2), 30_000)
    const waiting = [second, third, second, third].map((replica) => ask(replica, artist(50)))
    // Whoever lives keeps it, and says so.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const left = `EVAL "return redis.call('PTTL', redis.call('KEYS', ARGV[1])[1])" 0 refrain:1:lease:*`
    await vi.waitFor(async () => {
      expect(Number((await redis.say(left)).slice(1))).toBeGreaterThan(7_000)
    }, 30_000)
    expect(meter.requests).toHaveLength(2)
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

  test('each is killed in turn, and Redis too: no token, answer, credit, document or pause is lost', async () => {
    const opened = await open(3, {}, { CREDITS_PER_DAY: '1000' })
    const { sandbox, replicas, first, second, third, meter, open: begin } = opened
    expect((await askAll(replicas, 20, { first: 2, distinct: 20 })).codes).toEqual([])
    expect(await byHash(first, DOCUMENT)).toBe(5)
    await vi.waitFor(async () => expect(await byHash(second)).toBe(5), 30_000)
    const bought = meter.credits
    expect(bought).toBe(20)
    await kill(first)
    await redis.kill()
    await redis.start()
    await kill(second)
    const late = await begin()
    await kill(third)

    const held = await askAll([late], 20, { first: 2, distinct: 20 })
    expect([held.codes, held.spent, meter.credits]).toEqual([[], 0, bought])
    expect(await byHash(late)).toBe(5)
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

  test('R4: one is told to wait: the others stop too, and send nothing until it is over', async () => {
    const { sandbox, replicas, first, second, third, meter } = await open(3)
    for (const [at, replica] of replicas.entries()) await ask(replica, artist(2 + at))
    const reset = String(Math.floor(Date.now() / 1000) + 600)
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
    sandbox.faults.inject('artist', { status: 429, headers })
    const told = vi.waitFor(() => expect(meter.requests.at(-1)?.status).toBe(429), 30_000)
    const refused = ask(first, artist(50))
    await told
    const seen = performance.now()
    const pauses = async (replica: Replica) => (await healthOf(replica)).pausedUntil !== null
    for (const replica of [second, third])
      await vi.waitFor(async () => expect(await pauses(replica)).toBe(true), 30_000)
    figure('R4', `2 others pause within ${Math.round(performance.now() - seen)} ms of the answer`)
    expect((await refused).codes).toEqual(['RATE_LIMITED'])
    const sent = meter.requests.length
    const late = await Promise.all(replicas.map((replica, at) => ask(replica, artist(60 + at))))
    expect(late.map(({ codes }) => codes)).toEqual(replicas.map(() => ['RATE_LIMITED']))
    expect(meter.requests).toHaveLength(sent)
  }, 300_000)

  test('B9: what somebody spoilt, or an older version left, is nothing: asked for anew once by all', async () => {
    const env = { CREDITS_PER_DAY: '100' }
    const { replicas, first, second, third, meter } = await open(3, {}, env)
    expect(await askAll([first], 5, { first: 2, distinct: 5 })).toEqual({ codes: [], spent: 5 })
    const link = await openLink(redis.url)
    await link.run(SPOIL, [], [])
    await link.close()
    const all = { first: 2, distinct: 5 }
    expect(await askAll([second], 5, all)).toEqual({ codes: [], spent: 5 })
    expect(await askAll([third], 5, all)).toEqual({ codes: [], spent: 0 })
    expect(await askAll([first], 5, all)).toEqual({ codes: [], spent: 0 })
    expect([meter.credits, meter.tokenCalls, meter.tokenRefusals]).toEqual([10, 1, 0])
    // What was counted before comes back with the next charge of whoever it was.
    expect((await ask(first, artist(50))).spent).toBe(1)
    for (const replica of replicas) {
      const { data } = await ask(replica, '{ credits { budgets { remaining } } }')
      expect(data.credits.budgets[0].remaining).toBe(89)
      expect((await healthOf(replica)).redis).toBe('up')
    }
    figure('B9', '5 of 5 answers, leases, pause and budget spoilt: 5 credits more, by one of three')
  }, 300_000)

  test('one that cannot listen is none of those that the operator is told of', async () => {
    const { first, open: begin } = await open(1)
    const { port } = new URL(first.url)
    await expect(begin({ PORT: port })).rejects.toThrow('somebody else listens there already')
    const page = await fetch(`${first.operator}/credits`, {
      headers: { accept: 'application/json' },
    })
    expect((await page.json()).replicas).toHaveLength(1)
  }, 300_000)

  test('a purge reaches what each holds in memory and on disk, also one that was away, and nothing else', async () => {
    const cut = await openCut(redis.port)
    const folder = await mkdtemp(join(tmpdir(), 'refrain-purge-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { first, second, meter, open: begin } = await open(2)
    const third = await begin({ REDIS_URL: cut.url, STATE_DIR: folder })
    const all = [first, second, third]
    const track = '{ track(cmId: 7) { score } }'
    for (const replica of all)
      for (const query of [artist(5), track]) expect((await ask(replica, query)).codes).toEqual([])
    expect(meter.credits).toBe(2)
    const held = async (replica: Replica, tier: string) => {
      const text = await (await fetch(`${replica.operator}/metrics`)).text()
      return Number(new RegExp(`refrain_cache_answers{tier="${tier}"} (\\d+)`).exec(text)?.[1])
    }
    for (const replica of all) expect(await held(replica, 'memory')).toBe(2)
    // What another bought lies in memory; the disk has what it bought itself.
    expect((await ask(third, artist(6))).spent).toBe(1)
    await vi.waitFor(async () => expect(await held(third, 'disk')).toBe(1), 30_000)

    cut.leadTo(1)
    await vi.waitFor(async () => expect((await healthOf(third)).redis).toBe('down'), 30_000)
    expect(await cacheCommand(['purge', '--endpoint', 'artist'], 'off', redis.url)).toContain(
      '2 answers',
    )
    for (const replica of [first, second])
      await vi.waitFor(async () => expect(await held(replica, 'memory')).toBe(1), 30_000)
    expect(await held(third, 'memory')).toBe(3)
    cut.leadTo(redis.port)
    await vi.waitFor(async () => expect(await held(third, 'memory')).toBe(1), 30_000)
    await vi.waitFor(async () => expect(await held(third, 'disk')).toBe(0), 30_000)

    for (const replica of all)
      for (const query of [artist(5), artist(6), track])
        expect((await ask(replica, query)).codes).toEqual([])
    expect(meter.credits).toBe(3 + 2)
  }, 300_000)
})
