import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openCut } from '../support/cut.ts'
import { figure } from '../support/figure.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import {
  advance,
  artist,
  ask,
  healthOf,
  kill,
  type Replica,
  useReplicas,
} from '../support/replicas.ts'

const { redis, open } = useReplicas()

const remaining = async (replica: Replica): Promise<number> =>
  (await ask(replica, '{ credits { budgets { remaining } } }')).data.credits.budgets[0].remaining

describe('a budget of several processes', () => {
  test('B1: four with 50 requests each in flight spend a cap of 1,000 and no credit more', async () => {
    const env = { CREDITS_PER_DAY: '1000', UPSTREAM_CONCURRENCY: '50', REPLICAS_MAX: '4' }
    const { sandbox, replicas } = await open(4, {}, env)
    let cmId = 100
    const spendAll = async (replica: Replica, fields: readonly string[]) => {
      for (;;) {
        cmId += 1
        const { codes } = await ask(
          replica,
          `{ artist(cmId: ${cmId}) { ${fields[cmId % fields.length]} } }`,
        )
        if (codes.includes('CREDIT_BUDGET_EXHAUSTED')) return
      }
    }
    const fields = ['rank', 'rank', 'premium { platDTopVideos }']
    await Promise.all(
      replicas.flatMap((replica) => Array.from({ length: 50 }, () => spendAll(replica, fields))),
    )
    const { credits } = sandbox.meter
    expect(credits).toBeLessThanOrEqual(1_000)
    expect(credits).toBeGreaterThanOrEqual(999)
    for (const replica of replicas) await spendAll(replica, ['rank'])
    expect(sandbox.meter.credits).toBe(1_000)
    figure('B1', `${credits} credits of 1,000 spent by 4 processes, gap ${1_000 - credits}`)
  }, 600_000)

  test('B2: one that is killed with 50 requests in flight has counted too much, by those at most', async () => {
    const env = { CREDITS_PER_DAY: '1000', UPSTREAM_CONCURRENCY: '50' }
    const { sandbox, first: victim, second: other } = await open(3, {}, env)
    await ask(victim, artist(5))
    sandbox.faults.inject('artist', { stall: 'head' })
    const lost = Array.from({ length: 50 }, (_, at) =>
      ask(victim, artist(100 + at)).then(
        () => 'answered',
        () => 'lost',
      ),
    )
    await vi.waitFor(() => expect(sandbox.meter.requests.length).toBeGreaterThan(25), 60_000)
    await kill(victim)
    expect(new Set(await Promise.all(lost))).toEqual(new Set(['lost']))
    sandbox.faults.clear()
    expect((await ask(other, artist(6))).spent).toBe(1)
    const gap = 1_000 - (await remaining(other)) - sandbox.meter.credits
    expect(gap).toBeGreaterThanOrEqual(0)
    expect(gap).toBeLessThanOrEqual(100)
    figure('B2', `${gap} credits counted and not spent, ${sandbox.meter.credits} spent`)
  }, 300_000)

  test('B3: Redis fails over five times and loses what was counted last: no credit beyond the cap but those in flight', async () => {
    const [one, other] = [redis, await startRedis()]
    onTestFinished(other.stop)
    const [front, line] = [await openCut(one.port), await openCut(one.port)]
    const env = { CREDITS_PER_DAY: '2000', REPLICAS_MAX: '3', REDIS_URL: front.url }
    const { replicas, meter } = await open(3, { latencyMs: 20 }, env)
    const AT_ONCE = 3
    let cmId = 100
    let isSpent = false
    // Nothing is spent while a copy is made, however long that takes, so that all is not spent too soon.
    let rests = true
    const spendAll = async (replica: Replica) => {
      for (let codes: readonly string[] = []; !codes.includes('CREDIT_BUDGET_EXHAUSTED'); ) {
        while (rests) await wait(5)
        codes = (await ask(replica, artist(cmId++))).codes
      }
    }
    const spending = Promise.all(
      replicas.flatMap((replica) => Array.from({ length: AT_ONCE }, () => spendAll(replica))),
    ).finally(() => {
      isSpent = true
    })
    const follow = async (replica: TestRedis) => {
      await replica.say(`REPLICAOF 127.0.0.1 ${line.port}`)
      await vi.waitFor(async () => {
        expect(await replica.say('INFO replication')).toContain('master_link_status:up')
      }, 30_000)
    }
    let [master, next] = [one, other]
    const lost: number[] = []
    for (let failover = 0; failover < 5; failover += 1) {
      rests = true
      line.leadTo(master.port)
      await follow(next)
      line.hold()
      rests = false
      const before = meter.credits
      await vi.waitFor(() => expect(meter.credits).toBeGreaterThan(before + 20), 30_000)
      line.leadTo(next.port)
      await next.say('REPLICAOF NO ONE')
      front.leadTo(next.port)
      lost.push(meter.credits - before)
      ;[master, next] = [next, master]
    }
    expect(isSpent).toBe(false)
    await spending
    figure(
      'B3',
      `${meter.credits} of 2000 credits spent over 5 failovers that lost ${lost} charges`,
    )
    expect(meter.credits).toBeLessThanOrEqual(2_000 + replicas.length * AT_ONCE)
    expect(meter.credits).toBeGreaterThanOrEqual(1_900)
  }, 300_000)

  test('B4: Redis is away: all together spend no credit beyond the cap, and what is held is given', async () => {
    const env = { CREDITS_PER_DAY: '60', REPLICAS_MAX: '3' }
    const { replicas, meter } = await open(3, {}, env)
    const spend = (each: number, first: number) =>
      Promise.all(
        replicas.flatMap((replica, place) =>
          Array.from({ length: each }, (_, at) => ask(replica, artist(first + place * 100 + at))),
        ),
      )
    const all = await spend(10, 1_000)
    expect(all.flatMap(({ codes }) => codes)).toEqual([])
    for (const replica of replicas)
      await vi.waitFor(async () => expect(await remaining(replica)).toBe(30), 30_000)
    await redis.kill()
    const alone = await spend(20, 2_000)
    expect(meter.credits).toBe(60)
    expect(new Set(alone.flatMap(({ codes }) => codes))).toEqual(
      new Set(['CREDIT_BUDGET_EXHAUSTED']),
    )
    const held = await spend(10, 1_000)
    expect(held.flatMap(({ codes }) => codes)).toEqual([])
    for (const replica of replicas)
      expect(await healthOf(replica)).toMatchObject({ redis: 'down', token: 'VALID' })
    figure('B4', `${meter.credits} of 60 credits spent by 3 processes, half without Redis`)
  }, 300_000)

  test('B4: Redis is away: whoever is refused for the part of a replica alone is told so, and to try again soon', async () => {
    const env = { CREDITS_PER_DAY: '60', REPLICAS_MAX: '3' }
    const { first } = await open(1, {}, env)
    await ask(first, artist(5))
    await redis.kill()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ask(first, artist(100 + at))),
    )
    const [error, ...others] = replies.flatMap(({ errors }) => errors)
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^this would cost 1, and 0 credits are left of .* one replica/,
      ),
      extensions: { code: 'CREDIT_BUDGET_EXHAUSTED', credits: 1, retryAfter: 5 },
    })
    expect(others).toHaveLength(0)
  }, 300_000)

  test.each([
    ['is read-only', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
    ['is full', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['lets nobody run a script', 'ACL SETUSER default -eval', 'ACL SETUSER default +eval'],
    ['lets nobody write a hash', 'ACL SETUSER default -hset', 'ACL SETUSER default +hset'],
  ])(
    'B4: Redis %s: what each spends alone is told as soon as it is not, whoever is asked next',
    async (_, refuse, allow) => {
      onTestFinished(async () => void (await redis.say(allow)))
      const env = { CREDITS_PER_DAY: '60', REPLICAS_MAX: '3' }
      const { replicas, first, meter } = await open(3, {}, env)
      const spend = async (some: readonly Replica[], each: number, from: number) => {
        const asked = some.flatMap((replica, place) =>
          Array.from({ length: each }, (_, at) => ask(replica, artist(from + place * 100 + at))),
        )
        return new Set((await Promise.all(asked)).flatMap(({ codes }) => codes))
      }
      expect(await spend(replicas, 10, 1_000)).toEqual(new Set())
      for (const replica of replicas)
        await vi.waitFor(async () => expect(await remaining(replica)).toBe(30), 30_000)
      await redis.say(refuse)
      const exhausted = new Set(['CREDIT_BUDGET_EXHAUSTED'])
      expect([await spend(replicas, 20, 2_000), meter.credits]).toEqual([exhausted, 60])
      for (const replica of replicas)
        expect(await healthOf(replica)).toMatchObject({ redis: 'down', token: 'VALID' })

      await redis.say(allow)
      await vi.waitFor(async () => {
        expect(await redis.say('HGET refrain:1:board:budget-day total')).toContain('\r\n60\r\n')
      }, 30_000)
      expect([await spend([first], 30, 3_000), meter.credits]).toEqual([exhausted, 60])
      for (const replica of replicas)
        await vi.waitFor(async () => expect((await healthOf(replica)).redis).toBe('up'), 30_000)
    },
    300_000,
  )

  test('B5: a Redis that hangs, or takes 2 s for everything, makes nobody wait and nothing queue', async () => {
    const cut = await openCut(redis.port)
    const env = { CREDITS_PER_DAY: '600', REPLICAS_MAX: '3', REDIS_URL: cut.url }
    const { replicas, first, meter } = await open(3, {}, env)
    const timed = async (cmId: number) => {
      const since = performance.now()
      const { codes } = await ask(first, artist(cmId))
      expect(codes).toEqual([])
      return Math.round(performance.now() - since)
    }
    // Who has no token yet has none before Redis answers.
    for (const replica of replicas) expect((await ask(replica, artist(5))).codes).toEqual([])
    for (const [way, begin, end] of [
      ['hangs', redis.freeze, redis.thaw],
      ['answers in 2 s', () => cut.delay(2_000), () => cut.delay(0)],
    ] as const) {
      begin()
      const [held, cold] = [await timed(5), await timed(6 + meter.credits)]
      const flood = await Promise.all(
        replicas.flatMap((replica, place) =>
          Array.from({ length: 20 }, (_, at) =>
            ask(replica, artist(100 * (meter.credits + place) + at)),
          ),
        ),
      )
      expect(flood.flatMap(({ codes }) => codes)).toEqual([])
      for (const replica of replicas)
        expect((await healthOf(replica)).requests).toEqual({ running: 0, waiting: 0 })
      end()
      figure(
        'B5',
        `Redis ${way}: ${held} ms held, ${cold} ms the first cold, ${flood.length} more answered`,
      )
      for (const replica of replicas)
        await vi.waitFor(async () => expect((await healthOf(replica)).redis).toBe('up'), 30_000)
    }
  }, 300_000)

  test('B6: a charge whose answer is lost counts once, as does its request', async () => {
    const cut = await openCut(redis.port)
    const env = { CREDITS_PER_DAY: '100', REPLICAS_MAX: '3' }
    const { replicas, meter, open: begin } = await open(2, {}, env)
    const behind = await begin({ REDIS_URL: cut.url })
    await ask(behind, artist(5))
    cut.loseAnswerTo('refrain:1:board:budget-day')
    const { codes, spent } = await ask(behind, artist(6))
    expect([codes, spent, cut.lost, meter.credits]).toEqual([[], 1, 1, 2])
    await vi.waitFor(async () => expect((await healthOf(behind)).redis).toBe('up'), 30_000)
    await ask(behind, artist(7))
    for (const replica of replicas)
      await vi.waitFor(async () => expect(await remaining(replica)).toBe(97), 30_000)
    figure('B6', `3 credits counted by all three processes, ${meter.credits} spent`)
  }, 300_000)

  test('B7: a day ends with 50 requests in flight: each credit is in one day only', async () => {
    const env = {
      CREDITS_PER_DAY: '100',
      UPSTREAM_CONCURRENCY: '50',
      START_AT: '2026-03-10T23:50:00Z',
      AHEAD_MS: String(15 * 60_000),
    }
    const { sandbox, replicas, first, second, meter } = await open(
      3,
      {},
      env,
      'test/fault/ahead.mjs',
    )
    await ask(first, artist(5))
    sandbox.faults.inject('artist', { delayMs: 3_000 })
    const asked = Array.from({ length: 50 }, (_, at) => ask(first, artist(100 + at)))
    await vi.waitFor(() => expect(meter.requests).toHaveLength(51), 30_000)
    expect(await remaining(second)).toBe(49)
    for (const replica of replicas) await advance(replica)
    sandbox.faults.clear()
    expect((await ask(second, artist(6))).spent).toBe(1)
    expect((await Promise.all(asked)).flatMap(({ codes }) => codes)).toEqual([])
    expect((await ask(first, artist(7))).spent).toBe(1)
    for (const replica of replicas)
      await vi.waitFor(async () => expect(await remaining(replica)).toBe(98), 30_000)
    expect(meter.credits).toBe(53)
    figure('B7', '51 credits in the day that ended with 50 in flight, 2 in the next')
  }, 300_000)

  test('B8: at nothing left, misses say so, and what is held or stale is given', async () => {
    const env = {
      CREDITS_PER_MONTH: '3',
      START_AT: '2026-03-10T12:00:00Z',
      AHEAD_MS: String(2 * 86_400_000),
    }
    const { replicas, meter } = await open(3, {}, env, 'test/fault/ahead.mjs')
    for (const [at, replica] of replicas.entries())
      expect((await ask(replica, artist(2 + at))).spent).toBe(1)
    const told = async (cmId: number) => {
      const replies = await Promise.all(replicas.map((replica) => ask(replica, artist(cmId))))
      return replies.map(({ codes: [code], data }) => code ?? typeof data.artist.name)
    }
    const refused = replicas.map(() => 'CREDIT_BUDGET_EXHAUSTED')
    const given = replicas.map(() => 'string')
    expect(await told(9)).toEqual(refused)
    for (const cmId of [2, 3, 4]) expect(await told(cmId)).toEqual(given)
    for (const replica of replicas) await advance(replica)
    for (const cmId of [2, 3, 4]) expect(await told(cmId)).toEqual(given)
    expect(await told(10)).toEqual(refused)
    expect(meter.credits).toBe(3)
    figure('B8', '3 of 3 credits spent; 6 of 6 misses refused, 18 of 18 reads given')
  }, 300_000)
})
