import { describe, expect, it, onTestFinished } from 'vitest'
import { createFleetTallies } from '../../src/credits/fleet-tally.ts'
import type { Receipt } from '../../src/credits/purse.ts'
import type { Tally } from '../../src/credits/tally.ts'
import type { Link } from '../../src/redis/link.ts'
import { figure } from '../support/figure.ts'
import { openLink, useRedis } from '../support/redis.ts'

const DAY = 86_400_000

const redis = useRedis()

interface Replica {
  readonly tally: Tally
  readonly link: Link
  now: number
}

/** Replicas that share a budget. */
const join = async (count: number, limit: number): Promise<Replica[]> => {
  const warnings: string[] = []
  const links = await Promise.all(Array.from({ length: count }, () => openLink(redis.url)))
  onTestFinished(async () => {
    for (const link of links) await link.close()
  })
  return Promise.all(
    links.map(async (link) => {
      const replica = { now: 3 * DAY + 1 }
      const begin = () => Math.floor(replica.now / DAY) * DAY
      const settings = { name: 'budget', limit, begin, next: () => begin() + DAY }
      const warn = (text: string) => void warnings.push(text)
      const tally = createFleetTallies(link, { replicas: count, warn })(settings)
      await tally.open()
      return Object.assign(replica, { tally, link })
    }),
  )
}

/** With a budget that begins with nothing taken. */
const replicas = async (count: number, limit: number): Promise<Replica[]> => {
  await redis.say('FLUSHALL')
  return join(count, limit)
}

const firstOf = <T>(all: readonly T[]): T => {
  const [first] = all
  if (first === undefined) throw new Error('none')
  return first
}

/** Takes credits as long as some are given, so many at once; gives back every tenth. */
const spend = async ({ tally }: Replica, atOnce: number, gives: number): Promise<number> => {
  let spent = 0
  const line = async (at: number) => {
    for (let turn = at; ; turn++) {
      const credits = 1 + (turn % 2)
      const receipt = await tally.take(credits)
      if (receipt === undefined) return
      if (turn % gives === 0) receipt.refund()
      else spent += credits
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, at) => line(at + 1)))
  return spent
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('a budget of four replicas', () => {
  it('is spent to the last credit and not beyond, with 50 in flight on each (B1)', async () => {
    const all = await replicas(4, 1_000)
    const spent = await Promise.all(all.map((replica) => spend(replica, 50, Number.NaN)))
    const sum = spent.reduce((a, b) => a + b)
    figure('B1', `${sum} of 1000 credits spent by 4 replicas with 50 in flight`)
    expect(sum).toBeLessThanOrEqual(1_000)
    expect(sum).toBeGreaterThanOrEqual(999)
  })

  it('is spent to the last credit where a tenth is given back', async () => {
    const all = await replicas(4, 1_000)
    const spent = await Promise.all(all.map((replica) => spend(replica, 50, 10)))
    expect(spent.reduce((a, b) => a + b)).toBeLessThanOrEqual(1_000)
    const rest = await spend(firstOf(all), 1, Number.NaN)
    const sum = spent.reduce((a, b) => a + b) + rest
    expect(sum).toBeLessThanOrEqual(1_000)
    expect(sum).toBeGreaterThanOrEqual(999)
  })

  it('heals what Redis lost in a failover, five times (B3)', async () => {
    const all = await replicas(4, 2_000)
    const key = firstOf(all).link.name('board', 'budget')
    const copy = `redis.call('COPY', KEYS[1], KEYS[2], 'REPLACE')`
    const save = () => firstOf(all).link.run(copy, [key, `${key}:saved`], [])
    const lose = () => firstOf(all).link.run(copy, [`${key}:saved`, key], [])
    const spending = Promise.all(all.map((replica) => spend(replica, 5, Number.NaN)))
    for (let failover = 0; failover < 5; failover++) {
      await save()
      await new Promise((resolve) => setTimeout(resolve, 5))
      await lose()
    }
    const sum = (await spending).reduce((a, b) => a + b)
    figure('B3', `${sum} of 2000 credits spent over 5 failovers, 40 in flight`)
    expect(sum).toBeLessThanOrEqual(2_000 + 4 * 5 * 2)
    expect(sum).toBeGreaterThanOrEqual(1_999)
  })

  it.each(['lives', 'has ended'])(
    'is not spent again where Redis is emptied, also what one has taken that %s',
    async (fate) => {
      const [one, other] = await replicas(2, 100)
      if (one === undefined || other === undefined) throw new Error('none')
      await one.tally.take(40)
      await other.tally.take(30)
      await other.tally.take(10)
      await redis.say('FLUSHALL')
      let left = 0
      while ((await other.tally.take(1)) !== undefined) left += 1
      expect([left, other.tally.taken]).toEqual([20, 100])
      if (fate === 'lives') await one.tally.open()
      expect(await other.tally.take(1)).toBeUndefined()
      const { tally } = firstOf(await join(1, 100))
      expect([tally.taken, await tally.take(1)]).toEqual([100, undefined])
    },
  )

  it('counts each credit in one window only (B7)', async () => {
    const all = await replicas(4, 1_000)
    const receipts: Receipt[] = []
    for (const { tally } of all)
      for (let credit = 0; credit < 10; credit++) {
        const receipt = await tally.take(1)
        if (receipt !== undefined) receipts.push(receipt)
      }
    // One replica's clock is ahead: the day begins with its charge.
    firstOf(all).now += DAY
    await firstOf(all).tally.take(3)
    for (const receipt of receipts) receipt.refund()
    await all[1]?.tally.take(1)
    for (const replica of all) await replica.tally.open()
    expect(all.map(({ tally }) => tally.taken)).toEqual([4, 4, 4, 4])
  })

  it('takes a record that somebody spoilt for none, and counts on from what each replica knows (B9)', async () => {
    const all = await replicas(4, 100)
    for (const { tally } of all) await tally.take(5)
    const { link } = firstOf(all)
    const key = link.name('board', 'budget')
    await link.run(`redis.call('HSET', KEYS[1], 'total', 'garbage')`, [key], [])
    await firstOf(all).tally.take(1)
    expect(firstOf(all).tally.taken).toBe(21)
    await link.run(`redis.call('SET', KEYS[1], 'garbage')`, [key], [])
    for (const { tally } of all) await tally.take(1)
    await firstOf(all).tally.open()
    expect(firstOf(all).tally.taken).toBe(25)
  })
})

describe('a budget while Redis is away', () => {
  it('is not overrun by all together, and is told when Redis is back (B4)', async () => {
    const all = await replicas(3, 1_000)
    await firstOf(all).tally.take(100)
    await until(() => all.every(({ tally }) => tally.taken === 100))
    await redis.kill()
    const spent = await Promise.all(all.map((replica) => spend(replica, 20, Number.NaN)))
    figure('B4', `${spent.join(' + ')} credits spent alone, of 900 left by 3 replicas`)
    expect(spent.map((sum) => Math.round(sum / 2))).toEqual([150, 150, 150])
    await redis.start()
    await until(() => all.every(({ tally }) => tally.taken === 1_000))
    expect(await firstOf(all).tally.take(1)).toBeUndefined()
  })

  it('goes on in a day that begins meanwhile, each with its part', async () => {
    const all = await replicas(3, 90)
    await redis.kill()
    for (const replica of all) replica.now += DAY
    const spent = await Promise.all(all.map((replica) => spend(replica, 1, Number.NaN)))
    await redis.start()
    for (const part of spent) expect(part).toBeLessThanOrEqual(30)
    expect(spent.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(87)
  })
})
