import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createGateway } from '../../src/gateway.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/server.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { ask } from '../credits/ask.ts'
import { figure } from '../support/figure.ts'
import { configOf } from '../support/gateway.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const PATIENT = { OPERATION_TIMEOUT_MS: '60000' }

/** A gateway on a sandbox; both live by a clock that moves when told, sockets by their own. */
const open = async ({
  env = {},
  configured = 'seed',
  seedFile,
  ...options
}: Partial<SandboxOptions> & {
  readonly env?: Record<string, string>
  readonly configured?: string
  readonly seedFile?: string | undefined
} = {}) => {
  const clock = createFakeClock()
  const sandbox = createSandbox({ clock, refreshToken: 'seed', ...options })
  const config = { ...configOf(env), upstreamRefreshToken: secret(configured) }
  const settings = { ...config, upstreamRefreshTokenFile: seedFile }
  const gateway = createGateway(settings, await sandbox.listen(), { clock, random: () => 1 })
  onTestFinished(async () => {
    const closed = gateway.close()
    await clock.pass(MINUTE)
    await closed
    await sandbox.close()
  })
  await gateway.open()
  const artist = (cmId: number) => ask({ gateway }, `{ artist(cmId: ${cmId}) { rank } }`)
  const codes = async (cmId: number) =>
    (await artist(cmId)).errors.map(({ extensions }) => extensions.code)
  /** Until the sandbox has so many token calls. */
  const called = (count: number) =>
    vi.waitFor(() => expect(sandbox.meter.tokenCalls).toBe(count), 10_000)
  return { clock, sandbox, gateway, token: gateway.transport.token, artist, codes, called }
}

describe('faults of the token, as clients see them', () => {
  test('T3: an exchange is given up at 10 s, not before, and repeated once', async () => {
    const { clock, sandbox, token, artist, called } = await open({
      rotation: 'grace',
      env: PATIENT,
    })
    sandbox.faults.inject('token', { delayMs: 14 * SECOND, times: 1 })
    sandbox.faults.inject('token', { delayMs: 9_900, times: 1 })
    const asked = artist(5)
    await called(1)
    await clock.pass(9_999)
    expect(token.state).toBe('MINTING')
    await clock.pass(1)
    await vi.waitFor(() => expect(token.state).toBe('BACKOFF'), 15_000)
    expect(token.problem).toContain('did not answer in time')
    await clock.pass(SECOND)
    await called(2)
    await clock.pass(9_899)
    expect(token.state).toBe('MINTING')
    await clock.pass(1)
    expect((await asked).errors).toEqual([])
    expect(sandbox.meter.tokenCalls).toBe(2)
    figure('T3: 14 s given up at 10 s, 9.9 s let through: 2 exchanges, 1 generation')
  })

  test('T8: a refused refresh token for an hour is at most 7 tries, and a new file ends it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-seed-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const seedFile = join(folder, 'token')
    await writeFile(seedFile, 'seed\n')
    const { clock, sandbox, token, artist, codes } = await open({ seedFile, rotation: 'none' })
    expect(await codes(5)).toEqual([])
    sandbox.revokeAccessTokens()
    sandbox.replaceRefreshToken('from the operator')
    const before = sandbox.meter.tokenCalls
    let served = 0
    for (let minute = 0; minute < 60; minute += 1) {
      expect(await codes(1_000 + minute)).toEqual(['UPSTREAM_UNAUTHENTICATED'])
      if ((await artist(5)).errors.length === 0) served += 1
      await clock.pass(MINUTE)
      await vi.waitFor(() => expect(token.state).not.toMatch(/MINTING|REFRESHING/), 15_000)
    }
    const tries = sandbox.meter.tokenCalls - before
    expect(served).toBe(60)
    expect(tries).toBeLessThanOrEqual(7)
    expect(token.problem).toContain('set UPSTREAM_REFRESH_TOKEN')

    await writeFile(seedFile, 'from the operator\n')
    // Each look reads a file, which the clock knows nothing of: how long it takes is measured below it.
    await vi.waitFor(async () => {
      await clock.pass(SECOND)
      expect(token.state).toBe('VALID')
    }, 10_000)
    expect(await codes(2_000)).toEqual([])
    figure(`T8: ${tries} tries in 1 h, ${served} of 60 cached reads ok, a new file ends it`)
  })

  test.each([' seed\n', 'seed\r\n'])('T16: a seed %j is trimmed', async (seed) => {
    const reading = readConfig(
      { UPSTREAM_URL: 'https://a.example', UPSTREAM_REFRESH_TOKEN: seed },
      () => '',
    )
    expect(reading.ok && reading.config.upstreamRefreshToken?.reveal()).toBe('seed')
    const { codes } = await open({ configured: seed })
    expect(await codes(5)).toEqual([])
  })

  test('T16: an empty seed is a fault at the start that names what is missing', () => {
    const env = { UPSTREAM_URL: 'https://a.example' }
    const faults = [
      readConfig({ ...env, UPSTREAM_REFRESH_TOKEN: ' \n' }, () => ''),
      readConfig({ ...env, UPSTREAM_REFRESH_TOKEN_FILE: '/run/token' }, () => '\n'),
    ].map((reading) => (reading.ok ? [] : reading.faults))
    expect(faults).toEqual([
      [expect.stringContaining('UPSTREAM_REFRESH_TOKEN: expected the token of UPSTREAM_URL')],
      [expect.stringContaining('UPSTREAM_REFRESH_TOKEN_FILE: expected a file with a token')],
    ])
    figure('T16: trimmed; 2 clear faults at the start')
  })

  test('T16: a seed that the operator replaces is taken over, its halves and its absence are not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-seed-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const seedFile = join(folder, 'token')
    await writeFile(seedFile, 'seed\n')
    const { clock, sandbox, codes, called, token } = await open({ seedFile })
    expect(await codes(5)).toEqual([])
    sandbox.replaceRefreshToken('a new one')
    for (const text of ['', 'a ne', undefined, 'a new']) {
      await (text === undefined ? rm(seedFile) : writeFile(seedFile, text))
      await clock.pass(1_999)
      const waiting = clock.sleeping
      await clock.pass(1)
      // The look that was due has read the file, and waits for the next.
      await vi.waitFor(() => expect(clock.sleeping).toBe(waiting), 10_000)
    }
    await vi.waitFor(() => expect(token.state).toBe('VALID'), 15_000)
    expect(sandbox.meter.tokenCalls).toBe(1)
    await writeFile(seedFile, 'a new one\n')
    await vi.waitFor(async () => {
      await clock.pass(2 * SECOND)
      expect(sandbox.meter.tokenCalls).toBe(2)
    }, 10_000)
    await called(2)
    await vi.waitFor(() => expect(token.state).toBe('VALID'), 15_000)
    expect(token.problem).toBeUndefined()
    expect(await codes(6)).toEqual([])
    figure('T16: taken over while running, 1 exchange')
  })

  test('T16: a seed with a line break in it, put there while it runs, is told once each time and left', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-seed-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const seedFile = join(folder, 'token')
    await writeFile(seedFile, 'seed\n')
    const { clock, sandbox, codes, token, gateway } = await open({ seedFile })
    const warn = vi.spyOn(gateway.log, 'warn')
    expect(await codes(5)).toEqual([])
    await writeFile(seedFile, 'a new\none\n')
    await vi.waitFor(async () => {
      await clock.pass(2 * SECOND)
      expect(warn).toHaveBeenCalled()
    }, 10_000)
    for (let look = 0; look < 5; look += 1) await clock.pass(2 * SECOND)
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^UPSTREAM_REFRESH_TOKEN_FILE: expected a token in one line, got/)],
    ])
    expect([token.state, sandbox.meter.tokenCalls]).toEqual(['VALID', 1])
    sandbox.replaceRefreshToken('a new one')
    await writeFile(seedFile, 'a new one\n')
    await vi.waitFor(async () => {
      await clock.pass(2 * SECOND)
      expect([token.state, sandbox.meter.tokenCalls]).toEqual(['VALID', 2])
    }, 10_000)
    await writeFile(seedFile, 'a new\none\n')
    await vi.waitFor(async () => {
      await clock.pass(2 * SECOND)
      expect(warn).toHaveBeenCalledTimes(2)
    }, 10_000)
  })

  test('T17: a token endpoint that is limited for 120 s is asked again after them', async () => {
    const { clock, sandbox, token, artist, codes } = await open()
    expect(await codes(5)).toEqual([])
    await clock.pass(54 * MINUTE)
    const headers = { 'x-ratelimit-reset': '120' }
    sandbox.faults.inject('token', { status: 429, headers, times: 1 })
    await clock.pass(MINUTE)
    await vi.waitFor(() => expect(token.problem).toContain('429'), 15_000)
    const limited = clock.now()
    let errors = 0
    for (let second = 0; second < 119; second += 1) {
      errors += (await artist(5)).errors.length
      await clock.pass(SECOND)
    }
    expect(sandbox.meter.tokenCalls).toBe(2)
    await vi.waitFor(async () => {
      await clock.pass(SECOND)
      expect(sandbox.meter.tokenCalls).toBe(3)
    }, 10_000)
    const waited = (clock.now() - limited) / SECOND
    await vi.waitFor(() => expect(token.state).toBe('VALID'), 15_000)
    expect(await codes(6)).toEqual([])
    expect(errors).toBe(0)
    expect(waited).toBeGreaterThanOrEqual(120)
    figure(`T17: 0 errors, asked again after ${waited} s`)
  })
})
