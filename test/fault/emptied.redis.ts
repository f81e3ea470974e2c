import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openFleet } from '../support/fleet.ts'
import { useRedis } from '../support/redis.ts'

const redis = useRedis()

const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { name } }`
const generation = () => redis.say('HGET refrain:1:board:token gen')
type Opened = Awaited<ReturnType<typeof openFleet>>
type Replica = Opened['replicas'][number]
const none = (): never => {
  throw new Error('there is none')
}

/** Two that hold what came of one exchange. */
const openBoth = async (env: Record<string, string> = {}) => {
  const fleet = await openFleet(redis.url, 2, {}, env)
  const [first = none(), second = none()] = fleet.replicas
  const ask = async ({ query }: Replica, cmId: number) =>
    expect((await query(artist(cmId))).errors).toEqual([])
  await ask(first, 2)
  await ask(second, 3)
  fleet.sandbox.revokeAccessTokens()
  const { meter } = fleet.sandbox
  const exchanges = () => [meter.tokenCalls, meter.tokenRefusals]
  return { ...fleet, first, second, ask, exchanges }
}

/** The first has made another exchange, which the second has not heard of. */
const openApart = async (env: Record<string, string> = {}) => {
  const fleet = await openBoth(env)
  await fleet.ask(fleet.first, 10)
  expect(await generation()).toContain('\r\n2\r\n')
  return fleet
}

describe('a living Redis that is emptied', () => {
  test('one that renews next asks the others for what it has lost, and presents no older token', async () => {
    const { second, ask, exchanges } = await openApart()
    await redis.say('FLUSHALL')
    await ask(second, 20)
    expect([exchanges(), await generation()]).toEqual([
      [2, 0],
      expect.stringContaining('\r\n2\r\n'),
    ])
  })

  test('one that starts anew asks the others, and does not begin with the configured token', async () => {
    const { open, ask, exchanges } = await openApart()
    await redis.say('FLUSHALL')
    const late = await open()
    onTestFinished(() => late.gateway.close())
    await ask(late, 20)
    expect([exchanges(), await generation()]).toEqual([
      [2, 0],
      expect.stringContaining('\r\n2\r\n'),
    ])
  })

  test('one whose exchange is under way keeps its turn', async () => {
    const { sandbox, first, second, ask, exchanges } = await openBoth()
    sandbox.faults.inject('token', { delayMs: 5_000, times: 1 })
    const renewing = ask(first, 21)
    await vi.waitFor(() => expect(sandbox.meter.tokenCalls).toBe(2), 20_000)
    await redis.say('FLUSHALL')
    await ask(second, 22)
    await renewing
    expect([exchanges(), await generation()]).toEqual([
      [2, 0],
      expect.stringContaining('\r\n2\r\n'),
    ])
  })

  test('what is on its way is waited for again with the next sign of life, and bought once', async () => {
    const { sandbox, first, second, ask } = await openApart()
    const before = sandbox.meter.credits
    sandbox.faults.inject('artist', { delayMs: 5_000, times: 1 })
    const bought = ask(first, 20)
    await vi.waitFor(() => expect(sandbox.meter.credits).toBe(before + 1), 20_000)
    await redis.say('FLUSHALL')
    await vi.waitFor(
      async () => expect(await redis.say('KEYS refrain:1:*:*')).toMatch(/lease|answer/),
      20_000,
    )
    await Promise.all([bought, ask(second, 20)])
    expect(sandbox.meter.credits).toBe(before + 1)
  })

  test('nobody asks for anything: what each knows is there again by the time they tell their books', async () => {
    const { link, open, ask, exchanges } = await openApart({ CREDITS_PER_DAY: '60' })
    await redis.say('FLUSHALL')
    const patience = { timeout: 40_000, interval: 50 }
    const books = async () =>
      await link.run(`return redis.call('ZCARD', KEYS[1])`, [link.name('books')], [])
    await vi.waitFor(async () => {
      expect([await generation(), await books()]).toEqual([expect.stringContaining('\r\n2\r\n'), 2])
    }, patience)
    // The record alone, which nobody would miss for an hour.
    await redis.say('DEL refrain:1:board:token')
    await vi.waitFor(async () => expect(await generation()).toContain('\r\n2\r\n'), patience)
    const late = await open()
    onTestFinished(() => late.gateway.close())
    expect(late.gateway.budgets[0]?.remaining).toBe(57)
    await ask(late, 20)
    expect(exchanges()).toEqual([2, 0])
  }, 120_000)
})
