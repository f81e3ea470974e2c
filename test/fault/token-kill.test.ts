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
import { figure } from '../support/figure.ts'
import { createMinters } from '../support/minter.ts'
import { openScript } from '../support/script.ts'

let minters: ReturnType<typeof createMinters>
beforeAll(() => {
  minters = createMinters()
}, 120_000)
afterAll(() => minters.close())

const folderOf = () => mkdtemp(join(tmpdir(), 'refrain-kill-'))

/** The next start: a process of its own as far as the folder knows. */
const startAgain = async (baseUrl: string, stateDir: string) => {
  const billed = { requests: true, token: false, free: [401] }
  const settings = { baseUrl, stateDir, billed, concurrency: 4, timeoutMs: 8_000 }
  const transport = createTransport({ ...settings, refreshToken: secret('seed') }, systemClock)
  const request = {
    method: 'GET',
    path: '/api/artist/5',
    credits: 1,
    endpoint: 'artist',
  } as const
  const caller = { ledger: createLedger(), deadline: Date.now() + 10_000 }
  const got = await sending(transport.step)(request, caller).then(
    ({ status }) => status,
    (error: unknown) => error,
  )
  const { problem } = transport.token
  await transport.close()
  return { got, problem }
}

/** A service that takes what its tokens admit, and notes which refresh tokens it was shown. */
const openService = async (rotation: 'strict' | 'grace') => {
  const tokens = createTokens({ now: Date.now, lifetime: 3_600, rotation, refreshToken: 'seed' })
  const presented: string[] = []
  const service = await openScript(
    ({ headers }) =>
      tokens.admits(headers.authorization as string | undefined)
        ? { body: { obj: { id: 5 } } }
        : { status: 401, body: { error: 'expired' } },
    ({ body }) => {
      const { refreshtoken } = JSON.parse(body)
      presented.push(refreshtoken)
      const grant = tokens.exchange(refreshtoken)
      return grant === undefined ? { status: 401, body: { error: 'no' } } : { body: grant }
    },
  )
  return { ...service, presented, expire: tokens.revokeAccessTokens }
}

/** Which of the service's tokens it is; the configured one came before all of them. */
const orderOf = (token: string) => Number(/^sandbox-refresh-(\d+)/.exec(token)?.[1] ?? 0)

const savedIn = async (stateDir: string) => {
  const sheet = await createFileBoard(stateDir).read('token')
  return sheet === undefined ? undefined : JSON.parse(sheet.text)
}

/** A first exchange, or one that follows so many others, each of a process of its own. */
const opening = async (rotation: 'strict' | 'grace', renewals: number) => {
  const service = await openService(rotation)
  onTestFinished(() => service.close())
  const stateDir = join(await folderOf(), 'state')
  for (let made = 0; made < renewals; made += 1) {
    await startAgain(service.url, stateDir)
    service.expire()
  }
  const before = service.presented.length
  const used = renewals === 0 ? 'seed' : `sandbox-refresh-${renewals}-${'0'.repeat(40)}`
  return { ...service, stateDir, before, used }
}

describe.each([
  ['a first exchange', 0],
  ['a renewal', 1],
  ['the fourth renewal', 4],
])('kill -9 in %s, at each change of the folder', (name, renewals) => {
  const countSteps = async () => {
    const { url, stateDir, close } = await opening('strict', renewals)
    const whole = minters.start(url, stateDir)
    expect(await whole.over).toMatchObject({ status: 200 })
    // The lease is given back after the answer is there.
    await vi.waitFor(
      async () => expect((await createFileBoard(stateDir).read('token-lease'))?.text).toBe(''),
      15_000,
    )
    await whole.kill()
    await close()
    return whole.steps
  }

  test.each(['strict', 'grace'] as const)(
    'loses no saved token and presents no older one, where the service is %s',
    async (rotation) => {
      const steps = await countSteps()
      const figures = { unsent: 0, lost: 0, saved: 0 }
      for (let stopAt = 1; stopAt <= steps.length; stopAt += 1) {
        const at = `before change ${stopAt}, ${steps[stopAt - 1]}`
        const { url, stateDir, presented, before, used } = await opening(rotation, renewals)
        const victim = minters.start(url, stateDir, stopAt)
        await victim.over
        await victim.kill()
        const sent = presented.slice(before)
        const saved = await savedIn(stateDir)
        const isSaved = saved !== undefined && saved.refreshToken !== used && saved.gen > renewals
        const { got, problem } = await startAgain(url, stateDir)
        const after = presented.slice(before + sent.length)
        // None is followed by one that the service gave before it.
        expect(presented, at).toEqual(
          presented.toSorted((one, other) => orderOf(one) - orderOf(other)),
        )
        if (sent.length === 0) {
          figures.unsent += 1
          expect([got, after], at).toEqual([200, [used]])
        } else if (isSaved) {
          figures.saved += 1
          expect([sent, got, after], at).toEqual([[used], 200, []])
        } else if (rotation === 'grace') {
          figures.lost += 1
          expect([sent, got, after], at).toEqual([[used], 200, [used]])
        } else {
          figures.lost += 1
          expect(sent, at).toEqual([used])
          expect(got, at).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
          expect(after, at).toEqual([used])
          expect(problem, at).toMatch(
            /was cut off before its result was saved.*set UPSTREAM_REFRESH/,
          )
        }
      }
      expect(Math.min(...Object.values(figures))).toBeGreaterThan(0)
      figure(
        `kill -9, ${name}, ${rotation}: ${steps.length} points, ${figures.unsent} before it is sent, ${figures.lost} between answer and save, ${figures.saved} after the save`,
      )
    },
    120_000,
  )
})

const CUT_OFF = { code: 'UPSTREAM_UNAUTHENTICATED' }

describe('kill -9 with an exchange on the wire', () => {
  test.each([
    ['that the service has not made', { status: 200, stall: 'head' }, 'strict', 200],
    ['that the service has made', { stall: 'head' }, 'strict', CUT_OFF],
    ['that the service has made', { stall: 'head' }, 'grace', 200],
    ['whose answer has begun', { stall: 'body' }, 'strict', CUT_OFF],
    ['whose answer has begun', { stall: 'body' }, 'grace', 200],
  ] as const)('%s (%j, %s) ends in %j', async (_, fault, rotation, outcome) => {
    const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', rotation })
    onTestFinished(() => sandbox.close())
    const url = await sandbox.listen()
    const stateDir = await folderOf()
    sandbox.faults.inject('token', { ...fault, times: 1 })
    const victim = minters.start(url, stateDir)
    await vi.waitFor(() => expect(sandbox.meter.tokenCalls).toBe(1), 10_000)
    await victim.kill()
    const { got, problem } = await startAgain(url, stateDir)
    if (outcome === 200) expect(got).toBe(200)
    else {
      expect(got).toMatchObject(outcome)
      expect(problem).toMatch(/was cut off before its result was saved.*set UPSTREAM_REFRESH_TOKEN/)
    }
    expect(sandbox.meter.tokenCalls).toBe(2)
  })
})
