import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAdminServer } from '../../src/server/admin.ts'
import { openFleet } from '../support/fleet.ts'
import { hurriedClock } from '../support/hurry.ts'
import { useRedis } from '../support/redis.ts'

const redis = useRedis()

type Fleet = Awaited<ReturnType<typeof openFleet>>
type Opened = Awaited<ReturnType<Fleet['open']>>

/** A fleet whose replicas tell each other of their books every half second. */
const open = async (count: number, env: Record<string, string> = {}) => {
  const fleet = await openFleet(redis.url, 0, {}, env)
  const hurried = hurriedClock('2026-03-10T02:00:00Z')
  hurried.run(20)
  const parts = { clock: hurried.clock }
  const replicas = await Promise.all(Array.from({ length: count }, () => fleet.open({}, '', parts)))
  onTestFinished(async () => {
    for (const { gateway } of replicas) await gateway.close()
  })
  return { ...fleet, replicas }
}

const told = async ({ gateway }: Opened, path = '/credits') => {
  const settings = { port: 0, host: '127.0.0.1', isDraining: () => false }
  const admin = createAdminServer(gateway, settings)
  const answer = await fetch(`${await admin.listen()}${path}`)
  const text = await answer.text()
  await admin.close()
  return path === '/credits' ? JSON.parse(text) : text
}
const SOON = { timeout: 30_000 }

const query = (name: string, cmId: number) => `query ${name} { artist(cmId: ${cmId}) { rank } }`

describe('the operator of a fleet', () => {
  it('is told by any replica what all of them spent and saved, by whom and for what', async () => {
    const { replicas, sandbox } = await open(2, { CREDITS_PER_DAY: '100' })
    const [first, second] = replicas as [Opened, Opened]
    for (const cmId of [5, 6, 7]) await first.query(query('Page', cmId))
    await second.query(query('Page', 8))
    await second.query(query('Other', 8))
    expect(sandbox.meter.credits).toBe(4)
    for (const replica of replicas)
      await vi.waitFor(async () => {
        expect(await told(replica)).toMatchObject({
          isWhole: true,
          spent: 4,
          saved: 1,
          perHour: 4,
          byOperation: [
            { name: 'Page', spent: 4, saved: 0 },
            { name: 'Other', spent: 0, saved: 1 },
          ],
          byClient: [{ name: 'anonymous', spent: 4, saved: 1 }],
          budgets: [{ period: 'DAY', remaining: 96 }],
        })
      }, SOON)
    const { replicas: keepers, process: own, byEndpoint } = await told(second)
    expect(keepers).toMatchObject([
      { name: own, spent: 1, saved: 1 },
      { spent: 3, saved: 0 },
    ])
    expect(byEndpoint).toContainEqual({ name: 'artist', spent: 4, saved: 1 })
    const { data } = await second.query('{ credits { spent saved burnRate { perHour } } }')
    expect(data.credits).toEqual({ spent: 4, saved: 1, burnRate: { perHour: 4 } })
  })

  it('is told of a replica that has ended what it spent', async () => {
    const { replicas } = await open(2)
    const [first, second] = replicas as [Opened, Opened]
    await second.query(query('Last', 5))
    await second.gateway.close()
    await vi.waitFor(async () => expect((await told(first)).spent).toBe(1), SOON)
  })

  it('is told nothing of one that has ended and spent and saved nothing', async () => {
    const { replicas, link } = await open(2)
    const [first, second] = replicas as [Opened, Opened]
    const listed = async () => (await told(first)).replicas
    await vi.waitFor(async () => expect(await listed()).toHaveLength(2), SOON)
    await second.gateway.close()
    await vi.waitFor(async () => expect(await listed()).toHaveLength(1), SOON)
    expect(await redis.say(`ZCARD ${link.name('books')}`)).toBe(':1\r\n')
  })

  it('sees a budget end at the pace of all by any replica, and what each spent apart', async () => {
    const { replicas } = await open(2, { CREDITS_PER_DAY: '30' })
    const [first, second] = replicas as [Opened, Opened]
    for (const cmId of [5, 6, 7, 8]) await first.query(query('Page', cmId))
    await vi.waitFor(async () => {
      const metrics = await told(second, '/metrics')
      // 26 are left, which at 4 an hour end in the morning.
      const [, ends] =
        /^refrain_budget_exhaustion_timestamp_seconds\{period="DAY"\} (\d+)/m.exec(metrics) ?? []
      expect(new Date(Number(ends) * 1000).toISOString()).toMatch(/^2026-03-10T08:/)
      expect(metrics).not.toMatch(/^refrain_credits_spent_total\{.*\} [1-9]/m)
    }, SOON)
  })

  it('is told of the last 64 that told something, however many begin and end', async () => {
    const { replicas, link } = await open(1)
    const [only] = replicas as [Opened]
    const now = Math.floor(Date.now() / 1000)
    for (let at = 0; at < 100; at += 1)
      await redis.say(`ZADD ${link.name('books')} ${now - 200 + at} other-${at}`)
    await only.query(query('Page', 5))
    await vi.waitFor(
      async () => expect(await redis.say(`ZCARD ${link.name('books')}`)).toBe(':64\r\n'),
      SOON,
    )
  })

  it('reads nothing of what is no book, and is told its own figures while Redis is away', async () => {
    const { replicas, link } = await open(1)
    const [only] = replicas as [Opened]
    await redis.say(`ZADD ${link.name('books')} ${Math.floor(Date.now() / 1000)} a b c d`)
    await redis.say(`SET ${link.name('book', 'a')} no-json`)
    await redis.say(`SET ${link.name('book', 'b')} {"name":"b","at":1,"spent":"9"}`)
    await redis.say(`HSET ${link.name('book', 'c')} spent 9`)
    await only.query(query('Page', 5))
    expect(await told(only)).toMatchObject({ isWhole: true, spent: 1, replicas: [{ spent: 1 }] })
    await redis.kill()
    await vi.waitFor(async () => expect((await told(only)).isWhole).toBe(false), SOON)
    expect((await told(only)).spent).toBe(1)
    await redis.start()
  })
})
