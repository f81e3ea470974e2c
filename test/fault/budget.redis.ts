import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { DAY, handClock } from '../credits/ask.ts'
import { openCut } from '../support/cut.ts'
import { figure } from '../support/figure.ts'
import { openFleet } from '../support/fleet.ts'
import { startRedis } from '../support/redis.ts'
import { artist, ask, buildReplicas, kill, type Replica } from '../support/replicas.ts'

let built: ReturnType<typeof buildReplicas>
beforeAll(() => {
  built = buildReplicas()
}, 120_000)
afterAll(() => built.close())

let redis: Awaited<ReturnType<typeof startRedis>>
beforeEach(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  await built.end()
  await redis.stop()
})

const remaining = async (replica: Replica): Promise<number> =>
  (await ask(replica, '{ credits { budgets { remaining } } }')).data.credits.budgets[0].remaining

describe('a budget of several processes', () => {
  test('B1: four with 50 requests each in flight spend a cap of 1,000 and no credit more', async () => {
    const env = { CREDITS_PER_DAY: '1000', UPSTREAM_CONCURRENCY: '50', REPLICAS_MAX: '4' }
    const { sandbox, replicas } = await built.open(redis.url, 4, {}, env)
    onTestFinished(() => sandbox.close())
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
    const { sandbox, replicas } = await built.open(redis.url, 2, {}, env)
    onTestFinished(() => sandbox.close())
    const [victim, other] = replicas
    if (victim === undefined || other === undefined) throw new Error('none')
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
})

describe('a budget of several replicas', () => {
  test('B5: a Redis that hangs is waited for once, and what is held not at all', async () => {
    const { replicas, sandbox } = await openFleet(redis.url, 1, {}, { CREDITS_PER_DAY: '60' }, 100)
    const [replica] = replicas
    if (replica === undefined) throw new Error('none')
    await replica.query(artist(5))
    redis.freeze()
    const timed = async (cmId: number) => {
      const since = performance.now()
      const { errors } = await replica.query(artist(cmId))
      return { errors, ms: Math.round(performance.now() - since) }
    }
    const held = await timed(5)
    const first = await timed(6)
    expect(replica.gateway.health().redis).toBe('down')
    const next = await timed(7)
    redis.thaw()
    expect([held, first, next].flatMap(({ errors }) => errors)).toEqual([])
    expect(sandbox.meter.credits).toBe(3)
    figure('B5', `${held.ms} ms held, ${first.ms} ms the first cold, ${next.ms} ms the next`)
  })

  test('B6: a charge whose answer is lost counts once, as does its request', async () => {
    const cut = await openCut(redis.port)
    onTestFinished(() => cut.close())
    const { replicas, open, sandbox, link } = await openFleet(
      redis.url,
      1,
      {},
      { CREDITS_PER_DAY: '100', REPLICAS_MAX: '2' },
    )
    const behind = await open({ REDIS_URL: cut.url })
    onTestFinished(() => behind.gateway.close())
    await behind.query(artist(5))
    cut.loseAnswerTo(link.name('board', 'budget-day'))
    const { errors, credits } = await behind.query(artist(6))
    expect([errors, credits.spent, cut.lost]).toEqual([[], 1, 1])
    expect(sandbox.meter.credits).toBe(2)
    await vi.waitFor(() => expect(behind.gateway.health().redis).toBe('up'), 30_000)
    await behind.query(artist(7))
    const left = () => replicas[0]?.gateway.budgets[0]?.remaining
    await vi.waitFor(() => expect(left()).toBe(97), 30_000)
    figure('B6', `${100 - (left() ?? 0)} credits counted, ${sandbox.meter.credits} spent`)
  })

  test('B8: at nothing left, misses say so, and what is held or stale is given', async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const env = { CREDITS_PER_MONTH: '3' }
    const { open, sandbox } = await openFleet(redis.url, 0, {}, env)
    const replicas = await Promise.all([0, 1, 2].map(() => open({}, '', { clock })))
    onTestFinished(async () => {
      for (const { gateway } of replicas) await gateway.close()
    })
    for (const [at, { query }] of replicas.entries())
      expect((await query(artist(2 + at))).credits.spent).toBe(1)
    const codes = async (cmId: number) => {
      const answers = await Promise.all(replicas.map(({ query }) => query(artist(cmId))))
      return answers.map(({ errors, data }) => errors[0]?.extensions.code ?? data.artist.name)
    }
    const refused = Array.from({ length: 3 }, () => 'CREDIT_BUDGET_EXHAUSTED')
    expect(await codes(9)).toEqual(refused)
    const name = Array.from({ length: 3 }, () => expect.not.stringContaining('CREDIT'))
    for (const cmId of [2, 3, 4]) expect(await codes(cmId)).toEqual(name)
    advance(2 * DAY)
    for (const cmId of [2, 3, 4]) expect(await codes(cmId)).toEqual(name)
    expect(await codes(10)).toEqual(refused)
    expect(sandbox.meter.credits).toBe(3)
    figure(
      'B8',
      `${sandbox.meter.credits} of 3 credits spent; 6 of 6 misses refused, 18 of 18 reads given`,
    )
  })
})
