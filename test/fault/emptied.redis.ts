import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisBoard } from '../../src/board/redis.ts'
import { createRecordBook } from '../../src/upstream/token/record.ts'
import { secret } from '../../src/upstream/token/secret.ts'
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

/** No older token was presented, and the newest is on the board. */
const isKept = async (exchanges: () => readonly number[]) =>
  expect([exchanges(), await generation()]).toEqual([[2, 0], expect.stringContaining('\r\n2\r\n')])

/** One that starts anew once so much befell the record asks those who know it. */
const startAnewAfter = async (...commands: readonly string[]) => {
  const { open, ask, exchanges } = await openApart()
  for (const command of commands) await redis.say(command)
  const late = await open()
  onTestFinished(() => late.gateway.close())
  await ask(late, 20)
  await isKept(exchanges)
}

describe('a living Redis that is emptied', () => {
  test('one that renews next asks the others for what it has lost, and presents no older token', async () => {
    const { second, ask, exchanges } = await openApart()
    await redis.say('FLUSHALL')
    await ask(second, 20)
    await isKept(exchanges)
  })

  test('one that starts anew asks the others, and does not begin with the configured token', async () => {
    await startAnewAfter('FLUSHALL')
  })

  test('one whose exchange is under way keeps its turn', async () => {
    const { sandbox, first, second, ask, exchanges } = await openBoth()
    sandbox.faults.inject('token', { delayMs: 5_000, times: 1 })
    const renewing = ask(first, 21)
    await vi.waitFor(() => expect(sandbox.meter.tokenCalls).toBe(2), 20_000)
    await redis.say('FLUSHALL')
    await ask(second, 22)
    await renewing
    await isKept(exchanges)
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
    const patience = { timeout: 90_000, interval: 50 }
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
  }, 240_000)
})

const TOKEN = 'refrain:1:board:token'
const KEY = (byte: number) => Buffer.alloc(32, byte).toString('base64')

describe('a token record that somebody spoils in a living Redis', () => {
  test.each([
    ['its text', [`HSET ${TOKEN} text NaN`]],
    ['its text and its generation', [`HSET ${TOKEN} text NaN gen NaN`]],
    ['all of it, by a list', [`DEL ${TOKEN}`, `RPUSH ${TOKEN} x`]],
    ['all of it, by a text', [`DEL ${TOKEN}`, `SET ${TOKEN} x`]],
  ])(
    '%s: one that starts anew asks those who know it, and presents no older token',
    async (_, commands) => {
      await startAnewAfter(...commands)
    },
  )

  test('is mended by whoever has the newest, and by nobody else', async () => {
    const { first, second } = await openApart()
    const text = () => redis.say(`HGET ${TOKEN} text`)
    await redis.say(`HSET ${TOKEN} text NaN`)
    await second.gateway.transport.token.restore()
    expect(await text()).toContain('NaN')
    await first.gateway.transport.token.restore()
    expect(await text()).toContain('refreshToken')
  })

  test('one that found nobody who knew it is served as soon as another writes down what it knows', async () => {
    const { open, link, sandbox } = await openFleet(redis.url, 0)
    const board = createRedisBoard(link)
    const first = await open()
    expect((await first.query(artist(2))).errors).toEqual([])
    await first.gateway.close()
    const sheet = (await board.read('token')) ?? none()
    expect(await board.write('token', { ...sheet, text: 'NaN' }, sheet.gen)).toBe(true)
    const late = await open()
    onTestFinished(() => late.gateway.close())
    const { errors } = await late.query(artist(20))
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAUTHENTICATED' } }])
    expect(late.gateway.transport.token.problem).toMatch(
      /the record of newer ones in Redis cannot be read: put its text or its STATE_KEY back/,
    )
    const { tokenCalls } = sandbox.meter
    expect(await board.write('token', sheet, sheet.gen)).toBe(true)
    // It presents anything again after a minute only.
    await vi.waitFor(async () => expect((await late.query(artist(20))).errors).toEqual([]), 30_000)
    expect(sandbox.meter.tokenCalls).toBe(tokenCalls)
  }, 120_000)

  test('but may be sealed with another key stays as it is, and is named where it lies', async () => {
    const { open, link, first } = await openApart({ STATE_KEY: KEY(1) })
    const board = createRedisBoard(link)
    const { record = none() } = await createRecordBook(board, secret(KEY(1))).find()
    expect(await createRecordBook(board, secret(KEY(2))).keep(record, record.gen)).toBe(true)
    const sheet = await board.read('token')
    await first.gateway.transport.token.restore()
    const late = await open({ STATE_KEY: KEY(1) })
    onTestFinished(() => late.gateway.close())
    const { errors } = await late.query(artist(20))
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAUTHENTICATED' } }])
    expect(late.gateway.transport.token.problem).toMatch(
      /^Redis holds newer tokens than UPSTREAM_REFRESH_TOKEN, sealed with another STATE_KEY/,
    )
    expect(await board.read('token')).toEqual(sheet)
  })
})
