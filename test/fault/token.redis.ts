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
import { createRedisBoard } from '../../src/board/redis.ts'
import { systemClock } from '../../src/clock.ts'
import { createLedger } from '../../src/credits/ledger.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { createTokens, type Rotation } from '../../src/sandbox/token.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { createTransport } from '../../src/upstream/transport/index.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { buildGateway } from '../support/gateway-process.ts'
import { openLink, startRedis } from '../support/redis.ts'
import { artist, ask, kill } from '../support/replicas.ts'
import { openScript } from '../support/script.ts'
import { createFakeClock, type FakeClock } from '../upstream/transport/clocks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

let gateways: ReturnType<typeof buildGateway>
beforeAll(() => {
  gateways = buildGateway()
}, 120_000)
afterAll(() => gateways.close())

let redis: Awaited<ReturnType<typeof startRedis>>
beforeEach(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  await gateways.end()
  await redis.stop()
})

/** A service that ends a refresh token with its first use; `answering` is done between an exchange and its answer. */
const openService = async (
  clock: FakeClock,
  rotation: Rotation,
  answering: (count: number) => Promise<unknown> = async () => undefined,
) => {
  const tokens = createTokens({ now: clock.now, lifetime: 3_600, rotation, refreshToken: 'seed' })
  const presented: { readonly token: string; readonly at: number }[] = []
  const refusal = { status: 401, body: { error: 'expired' } }
  let turnAway = 0
  const service = await openScript(
    ({ headers }) => {
      turnAway -= 1
      return turnAway < 0 && tokens.admits(String(headers.authorization))
        ? { body: { obj: { id: 5, name: 'Ada' } } }
        : refusal
    },
    async ({ body }, count) => {
      const { refreshtoken } = JSON.parse(body)
      presented.push({ token: refreshtoken, at: clock.now() })
      const grant = tokens.exchange(refreshtoken)
      await answering(count)
      return grant === undefined ? refusal : { body: grant }
    },
  )
  onTestFinished(() => service.close())
  return {
    url: service.url,
    presented,
    /** The next so many requests find their token expired. */
    expire(requests: number) {
      turnAway = requests
    },
  }
}

/** Replicas on one Redis, whose time is in the test's hand. */
const openReplicas = async (url: string, count: number, clock: FakeClock) => {
  const billed = { requests: true, token: false, free: [401] }
  const settings = { baseUrl: url, stateDir: 'off', billed, concurrency: 4, timeoutMs: 8_000 }
  const opened = await Promise.all(
    Array.from({ length: count }, async () => {
      const link = await openLink(redis.url)
      const parts = { monotonic: clock.now, random: () => 1, board: createRedisBoard(link) }
      const transport = createTransport({ ...settings, refreshToken: secret('seed') }, clock, parts)
      return { link, transport }
    }),
  )
  onTestFinished(async () => {
    for (const { link, transport } of opened) {
      await transport.close()
      await link.close()
    }
  })
  const transports = opened.map(({ transport }) => transport)
  const ask = async ({ send }: (typeof transports)[number]) => {
    const caller = { ledger: createLedger(), deadline: clock.now() + MINUTE }
    const request = { method: 'GET', path: '/api/artist/5', credits: 1 } as const
    return (await send({ ...request, endpoint: 'artist' }, caller)).status
  }
  return {
    transports,
    ask,
    askAll: () => Promise.all(transports.map(ask)),
    states: () => transports.map(({ token }) => token.state),
  }
}

/** Lets time pass, a tenth of a second at once, as long as something does not hold. */
const passUntil = async (clock: FakeClock, holds: () => boolean) => {
  await vi.waitFor(
    async () => {
      await clock.pass(100)
      expect(holds()).toBe(true)
    },
    { timeout: 60_000, interval: 1 },
  )
}
const boardOf = async () => {
  const link = await openLink(redis.url)
  onTestFinished(() => link.close())
  return createRedisBoard(link)
}

describe('faults of the token, several replicas on one Redis', () => {
  test('T3: an exchange of 14 s is given up at 10 s and repeated once, one of 9.9 s is waited for', async () => {
    const clock = createFakeClock(Date.now())
    const delays = [14 * SECOND, 9_900]
    const service = await openService(clock, 'grace', (count) =>
      clock.sleep(delays[count - 1] ?? 0),
    )
    const { askAll, states } = await openReplicas(service.url, 3, clock)
    const asked = askAll()
    await passUntil(clock, () => states().every((state) => state === 'VALID'))
    expect(await asked).toEqual([200, 200, 200])
    const [first, second] = service.presented
    expect(service.presented.map(({ token }) => token)).toEqual(['seed', 'seed'])
    const givenUp = (second?.at ?? 0) - (first?.at ?? 0)
    expect(givenUp).toBeGreaterThanOrEqual(10 * SECOND)
    expect((await (await boardOf()).read('token'))?.gen).toBe(1)
    figure(
      'T3',
      `given up after ${givenUp} ms, ${service.presented.length} tries of 1 generation, 3 of 3 ok`,
    )
  }, 120_000)

  test('T4: a process that is frozen in its exchange is waited for, and its late save counts', async () => {
    const clock = createFakeClock(Date.now())
    let freeze: () => unknown = () => undefined
    const service = await openService(clock, 'strict', async () => freeze())
    const { askAll, states } = await openReplicas(service.url, 2, clock)
    const first = askAll()
    await passUntil(clock, () => states().every((state) => state === 'VALID'))
    expect(await first).toEqual([200, 200])

    const victim = await gateways.start({
      UPSTREAM_URL: service.url,
      UPSTREAM_REFRESH_TOKEN: 'seed',
      STATE_DIR: 'off',
      REDIS_URL: redis.url,
    })
    freeze = () => victim.signal('SIGSTOP')
    service.expire(1)
    const late = ask(victim, artist(5))
    await vi.waitFor(() => expect(service.presented).toHaveLength(2), 30_000)
    freeze = () => undefined
    await clock.pass(56 * MINUTE)
    expect(states()).toEqual(['REFRESHING', 'REFRESHING'])
    for (let second = 0; second < 30; second += 1) {
      expect(await askAll()).toEqual([200, 200])
      await clock.pass(SECOND)
    }
    expect(service.presented).toHaveLength(2)
    victim.signal('SIGCONT')
    expect((await late).data).toEqual({ artist: { name: 'Ada' } })
    await passUntil(clock, () => states().every((state) => state === 'VALID'))
    expect(await askAll()).toEqual([200, 200])
    expect(service.presented).toHaveLength(2)
    expect((await (await boardOf()).read('token'))?.gen).toBe(2)
    figure('T4', 'frozen for 30 s: 1 exchange in all, 60 of 60 ok meanwhile, late save accepted')
  }, 120_000)

  test('T7: a Redis that cannot be written at the save stops nothing, and nobody exchanges twice', async () => {
    const clock = createFakeClock(Date.now())
    const service = await openService(clock, 'strict', async (count) => {
      if (count === 1) await redis.say('REPLICAOF 127.0.0.1 1')
    })
    const { transports, ask: send, askAll, states } = await openReplicas(service.url, 2, clock)
    const [first, second] = transports
    if (first === undefined || second === undefined) throw new Error('none')
    const asked = send(first)
    await passUntil(clock, () => states()[0] === 'VALID')
    expect(await asked).toBe(200)
    let ok = 0
    for (let tries = 0; tries < 30; tries += 1) {
      if ((await send(first)) === 200) ok += 1
      await clock.pass(SECOND)
    }
    expect([ok, first.token.unsaved, first.token.problem]).toEqual([
      30,
      true,
      'The newest refresh token could not be saved yet.',
    ])
    const other = send(second).catch((failure: Error) => failure.message)
    for (let passed = 0; passed < 70; passed += 1) await clock.pass(SECOND)
    expect(await other).not.toBe(200)
    expect(service.presented).toHaveLength(1)

    await redis.say('REPLICAOF NO ONE')
    await passUntil(clock, () => !first.token.unsaved)
    const both = askAll()
    await passUntil(clock, () => states().every((state) => state === 'VALID'))
    expect(await both).toEqual([200, 200])
    expect(service.presented).toHaveLength(1)
    figure(
      'T7',
      `${ok} of 30 ok from memory, saved once Redis could be written, 0 second exchanges`,
    )
  }, 120_000)

  test.each(['strict', 'grace'] as const)(
    'T5, T6: kill -9 between answer and save, and the next start, where the service is %s',
    async (rotation) => {
      const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', rotation })
      onTestFinished(() => sandbox.close())
      const url = await sandbox.listen()
      const env = { STATE_DIR: 'off', REDIS_URL: redis.url }
      const open = async () => {
        const opened = openGateway(url, env, { redisLimitMs: 5_000 })
        await opened.gateway.open()
        return opened
      }
      const before = await open()
      expect((await before.query(artist(5))).errors).toEqual([])
      await before.gateway.close()
      sandbox.revokeAccessTokens()
      sandbox.faults.inject('token', { stall: 'head', times: 1 })
      const victim = await gateways.start({
        ...env,
        UPSTREAM_URL: url,
        UPSTREAM_REFRESH_TOKEN: 'seed',
      })
      const lost = ask(victim, artist(6)).catch(() => 'lost')
      await vi.waitFor(() => expect(sandbox.meter.tokenCalls).toBe(2), 30_000)
      await kill(victim)
      expect(await lost).toBe('lost')

      const { gateway, query } = await open()
      onTestFinished(() => gateway.close())
      const cached = await query(artist(5))
      expect([cached.errors, cached.credits.spent]).toEqual([[], 0])
      const { errors } = await query(artist(7))
      const again = sandbox.meter.tokenCalls - 2
      if (rotation === 'grace') {
        expect([errors, again]).toEqual([[], 1])
        figure('T6', `recovered alone, ${again} extra exchange`)
        return
      }
      expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_UNAUTHENTICATED'])
      expect(gateway.transport.token.problem).toMatch(
        /was cut off before its result was saved: the newest token is lost.*set UPSTREAM_REFRESH_TOKEN/,
      )
      // The old one, then the configured one, which is another; nothing more until a minute is over.
      expect(again).toBe(2)
      await query(artist(8))
      expect(sandbox.meter.tokenCalls - 2).toBe(2)
      expect((await query(artist(5))).errors).toEqual([])
      figure('T5', 'the old token tried once, then refused with the cause; cached reads ok')
    },
    120_000,
  )
})
