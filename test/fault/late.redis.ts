import { get } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRedisBoard } from '../../src/board/redis.ts'
import { createLedger } from '../../src/credits/ledger.ts'
import { createTokens, type Rotation } from '../../src/sandbox/token.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { createTransport } from '../../src/upstream/transport/index.ts'
import { sending } from '../../src/upstream/transport/step.ts'
import { figure } from '../support/figure.ts'
import { openLink, useRedis } from '../support/redis.ts'
import { openScript } from '../support/script.ts'
import { createFakeClock, type FakeClock } from '../upstream/transport/clocks.ts'

const redis = useRedis()

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** A service that ends a refresh token with its first use; `answering` is done between an exchange and its answer. */
const openService = async (
  clock: FakeClock,
  rotation: Rotation,
  answering: (count: number) => Promise<unknown> = async () => undefined,
) => {
  const tokens = createTokens({ now: clock.now, lifetime: 3_600, rotation, refreshToken: 'seed' })
  const presented: { readonly token: string; readonly at: number }[] = []
  const refusal = { status: 401, body: { error: 'expired' } }
  const service = await openScript(
    ({ headers }) =>
      tokens.admits(String(headers.authorization))
        ? { body: { obj: { id: 5, name: 'Ada' } } }
        : refusal,
    async ({ body }, count) => {
      const { refreshtoken } = JSON.parse(body)
      presented.push({ token: refreshtoken, at: clock.now() })
      const grant = tokens.exchange(refreshtoken)
      await answering(count)
      return grant === undefined ? refusal : { body: grant }
    },
  )
  onTestFinished(() => service.close())
  return { url: service.url, presented }
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
  const ask = async ({ step }: (typeof transports)[number]) => {
    const caller = { ledger: createLedger(), deadline: clock.now() + MINUTE }
    const request = { method: 'GET', path: '/api/artist/5', credits: 1 } as const
    return (await sending(step)({ ...request, endpoint: 'artist' }, caller)).status
  }
  return {
    transports,
    ask,
    askAll: () => Promise.all(transports.map(ask)),
    states: () => transports.map(({ token }) => token.state),
  }
}

const knock = (url: string) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent: false }, (response) => response.resume().once('end', resolve)).once(
      'error',
      reject,
    )
  })
/** What is on a way to the service or to Redis is there, whatever the machine is busy with: as much has gone after it. */
const arrival = async (url: string) => {
  for (let times = 0; times < 3; times += 1) {
    await knock(url)
    await redis.say('PING')
  }
}

/** Lets time pass, a tenth of a second at once and none while something is on its way, as long as something does not hold. */
const passUntil = async (clock: FakeClock, url: string, holds: () => boolean) => {
  await vi.waitFor(
    async () => {
      await clock.pass(100)
      await arrival(url)
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
    await passUntil(clock, service.url, () => states().every((state) => state === 'VALID'))
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
})
