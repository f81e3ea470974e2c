import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFileBoard } from '../../src/board/file.ts'
import { systemClock } from '../../src/clock.ts'
import { createLedger } from '../../src/credits/ledger.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { createTokens } from '../../src/sandbox/token.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { createTransport } from '../../src/upstream/transport/index.ts'
import { sending } from '../../src/upstream/transport/step.ts'
import { ask } from '../credits/ask.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { createMinters } from '../support/minter.ts'
import { openScript } from '../support/script.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const MINUTE = 60_000

let minters: ReturnType<typeof createMinters>
beforeAll(() => {
  minters = createMinters()
}, 120_000)
afterAll(() => minters.close())

const folderOf = () => mkdtemp(join(tmpdir(), 'refrain-process-'))

const openSandbox = async (options: Partial<Parameters<typeof createSandbox>[0]>) => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', ...options })
  onTestFinished(() => sandbox.close())
  return { sandbox, url: await sandbox.listen() }
}

describe('faults of the token, several processes on one folder', () => {
  test('T2: three processes with 300 callers each make one exchange', async () => {
    const { sandbox, url } = await openSandbox({ rotation: 'strict' })
    sandbox.faults.inject('token', { delayMs: 300 })
    const stateDir = await folderOf()
    const started = [1, 2, 3].map(() => minters.start(url, stateDir, 0, 300))
    const told = await Promise.all(started.map(({ over }) => over))
    expect(told).toEqual([1, 2, 3].map(() => ({ status: 200, served: 300 })))
    expect(sandbox.meter.tokenCalls).toBe(1)
    await Promise.all(started.map(({ kill }) => kill()))
    sandbox.revokeAccessTokens()
    const next = minters.start(url, stateDir)
    expect(await next.over).toMatchObject({ status: 200 })
    expect(sandbox.meter.tokenCalls).toBe(2)
    figure('T2: 1 exchange, 900 callers ok, the family alive')
  }, 60_000)

  test('T4: a process that is frozen in its exchange is waited for, and its late save counts', async () => {
    const clock = createFakeClock(Date.now())
    const lifetime = 3_600
    const tokens = createTokens({
      now: clock.now,
      lifetime,
      rotation: 'strict',
      refreshToken: 'seed',
    })
    const presented: string[] = []
    let turnAway = 0
    let freeze = () => false
    const service = await openScript(
      ({ headers }) => {
        turnAway -= 1
        if (turnAway >= 0) return { status: 401, body: { error: 'expired' } }
        return tokens.admits(String(headers.authorization))
          ? { body: { obj: { id: 5 } } }
          : { status: 401, body: { error: 'expired' } }
      },
      ({ body }) => {
        const { refreshtoken } = JSON.parse(body)
        presented.push(refreshtoken)
        freeze()
        const grant = tokens.exchange(refreshtoken)
        return grant === undefined ? { status: 401, body: { error: 'no' } } : { body: grant }
      },
    )
    const stateDir = await folderOf()
    const billed = { requests: true, token: false, free: [401] }
    const settings = { baseUrl: service.url, stateDir, billed, concurrency: 4, timeoutMs: 8_000 }
    const others = [1, 2].map(() =>
      createTransport({ ...settings, refreshToken: secret('seed') }, clock, {
        monotonic: clock.now,
        random: () => 1,
      }),
    )
    onTestFinished(async () => {
      await Promise.all(others.map((other) => other.close()))
      await service.close()
    })
    const statuses = () =>
      Promise.all(
        others.map(async ({ step }) => {
          const caller = { ledger: createLedger(), deadline: clock.now() + MINUTE }
          const request = { method: 'GET', path: '/api/artist/5', credits: 1 } as const
          return (await sending(step)({ ...request, endpoint: 'artist' }, caller)).status
        }),
      )
    const first = statuses()
    // One of the two may come when the other has the lease, and look again a little later.
    await vi.waitFor(async () => {
      await clock.pass(100)
      expect(others.map(({ token }) => token.state)).toEqual(['VALID', 'VALID'])
    }, 10_000)
    expect(await first).toEqual([200, 200])
    expect(presented).toEqual(['seed'])

    turnAway = 1
    const victim = minters.start(service.url, stateDir)
    freeze = victim.freeze
    await vi.waitFor(() => expect(presented).toHaveLength(2), 10_000)
    freeze = () => false
    await clock.pass(56 * MINUTE)
    expect(others.map(({ token }) => token.state)).toEqual(['REFRESHING', 'REFRESHING'])
    for (let second = 0; second < 30; second += 1) {
      expect(await statuses()).toEqual([200, 200])
      await clock.pass(1_000)
    }
    expect(presented).toHaveLength(2)
    victim.thaw()
    expect(await victim.over).toMatchObject({ status: 200 })
    await vi.waitFor(async () => {
      await clock.pass(100)
      expect(others.map(({ token }) => token.state)).toEqual(['VALID', 'VALID'])
    }, 10_000)
    expect(await statuses()).toEqual([200, 200])
    expect(presented).toHaveLength(2)
    expect(new Set(presented).size).toBe(2)
    const { gen } = (await createFileBoard(stateDir).read('token')) ?? {}
    expect(gen).toBe(2)
    figure('T4: frozen for 30 s: 1 exchange in all, 60 of 60 ok meanwhile, late save accepted')
  }, 60_000)

  test.each(['strict', 'grace'] as const)(
    'T5, T6: kill -9 between answer and save, and the next start, where the service is %s',
    async (rotation) => {
      const { sandbox, url } = await openSandbox({ rotation })
      const env = { STATE_DIR: await folderOf() }
      const before = openGateway(url, env)
      expect((await ask(before, '{ artist(cmId: 5) { rank } }')).errors).toEqual([])
      await before.gateway.close()
      sandbox.revokeAccessTokens()
      sandbox.faults.inject('token', { stall: 'head', times: 1 })
      const victim = minters.start(url, env.STATE_DIR)
      await vi.waitFor(() => expect(sandbox.meter.tokenCalls).toBe(2), 10_000)
      await victim.kill()

      const { gateway } = openGateway(url, env)
      onTestFinished(() => gateway.close())
      const cached = await ask({ gateway }, '{ artist(cmId: 5) { rank } }')
      expect([cached.errors, cached.credits.spent]).toEqual([[], 0])
      const { errors } = await ask({ gateway }, '{ artist(cmId: 6) { rank } }')
      const again = sandbox.meter.tokenCalls - 2
      if (rotation === 'grace') {
        expect([errors, again]).toEqual([[], 1])
        figure(`T6: recovered alone, ${again} extra exchange`)
        return
      }
      expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_UNAUTHENTICATED'])
      expect(gateway.transport.token.problem).toMatch(
        /was cut off before its result was saved: the newest token is lost.*set UPSTREAM_REFRESH_TOKEN/,
      )
      // Nothing more until a minute is over.
      expect(again).toBe(1)
      await ask({ gateway }, '{ artist(cmId: 7) { rank } }')
      expect(sandbox.meter.tokenCalls - 2).toBe(1)
      figure('T5: the old token tried once, then refused with the cause; cached reads ok')
    },
    60_000,
  )
})
