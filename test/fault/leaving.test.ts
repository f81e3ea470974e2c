import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFileBoard } from '../../src/board/file.ts'
import { systemClock } from '../../src/clock.ts'
import { createShutdown, DRAIN_MS } from '../../src/server/shutdown.ts'
import { createRecordBook } from '../../src/upstream/token/record.ts'
import { figure } from '../support/figure.ts'
import { buildGateway } from '../support/gateway-process.ts'
import { run } from '../support/run.ts'
import { openScript } from '../support/script.ts'
import { openServer } from '../support/server.ts'

let gateways: ReturnType<typeof buildGateway>
beforeAll(() => {
  gateways = buildGateway()
}, 120_000)
afterAll(() => gateways.close())

/** A gateway in the middle of its first exchange, which ends when the test says so. */
const exchanging = async (more: Record<string, string> = {}) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const service = await openScript(
    () => ({ body: { obj: { id: 5, name: 'Ada' } } }),
    async () => {
      await released
      return { body: { token: 't1', expires_in: 3600, refresh_token: 'newest', scope: 'api' } }
    },
  )
  onTestFinished(async () => {
    release()
    await service.close()
  })
  const stateDir = await mkdtemp(join(tmpdir(), 'refrain-leaving-'))
  const env = {
    UPSTREAM_URL: service.url,
    UPSTREAM_REFRESH_TOKEN: 'seed',
    STATE_DIR: stateDir,
    ...more,
  }
  const gateway = await gateways.start(
    env,
    more.BOMB === undefined ? undefined : 'test/fault/bomb.mjs',
  )
  await vi.waitFor(() => expect(service.tokens).toHaveLength(1), 15_000)
  const saved = async () =>
    (await createRecordBook(createFileBoard(stateDir)).find()).record?.refreshToken.reveal()
  return { ...gateway, release, saved, service }
}

const isUp = (url: string) =>
  fetch(`${url}/livez`).then(
    () => true,
    () => false,
  )
const secondsSince = (moment: number) => `${((performance.now() - moment) / 1_000).toFixed(1)} s`

describe('a process that leaves', () => {
  test('S1: leaving under 200 requests a second fails none of them', async () => {
    // Not as a process: on a busy machine that one sheds load, which is another row.
    const { gateway, meter } = await run()
    const { server, address } = await openServer(gateway)
    const exits: number[] = []
    const { stop } = createShutdown({
      server,
      gateway,
      clock: systemClock,
      exit: (code) => exits.push(code),
    })
    const failed: unknown[] = []
    let asked = 0
    const ask = async () => {
      asked += 1
      const query = `{ artist(cmId: ${2 + (asked % 50)}) { name } }`
      const answer = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const text = await answer.text()
      if (answer.status !== 200 || /"errors"/.test(text)) failed.push([answer.status, text])
    }
    // A balancer's view of it: whoever is not ready twice is asked nothing more.
    let isReady = true
    const asking = (async () => {
      const under: Promise<void>[] = []
      while (isReady) {
        under.push(ask().catch((failure) => void failed.push(failure)))
        await wait(5)
      }
      await Promise.all(under)
    })()
    await vi.waitFor(() => expect(asked).toBeGreaterThan(100), 30_000)
    const since = performance.now()
    const stopping = stop(DRAIN_MS)
    const before = asked
    for (let strikes = 0; strikes < 2; ) {
      await wait(700)
      if ((await fetch(`${address}/readyz`)).status !== 200) strikes += 1
    }
    isReady = false
    await Promise.all([asking, stopping])
    expect(failed).toEqual([])
    expect(exits).toEqual([0])
    figure(
      'S1',
      `0 of ${asked} requests failed, ${asked - before} of them after the signal; exit 0 after ${secondsSince(since)}; ${meter.credits} credits`,
    )
  }, 60_000)

  test.each([['SIGTERM'], ['SIGHUP'], ['SIGHUP', 'SIGHUP'], ['SIGINT', 'SIGHUP']] as const)(
    'S2: %s during an exchange: the new token is saved before the end',
    async (...signals) => {
      const { url, signal, release, exited, saved, service } = await exchanging()
      const since = performance.now()
      for (const name of signals) signal(name)
      await vi.waitFor(async () => expect(await isUp(url)).toBe(false), 30_000)
      release()
      expect(await exited).toBe(0)
      expect(await saved()).toBe('newest')
      expect(service.tokens).toHaveLength(1)
      figure('S2', `${signals.join()}: saved, exit 0 after ${secondsSince(since)}`)
    },
    60_000,
  )

  test('S3: two SIGTERMs during an exchange: its save comes to its end all the same', async () => {
    const { url, signal, release, exited, saved } = await exchanging()
    const since = performance.now()
    signal('SIGTERM')
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), 30_000)
    signal('SIGTERM')
    expect(await isUp(url)).toBe(true)
    release()
    expect(await exited).toBe(1)
    expect(await saved()).toBe('newest')
    figure('S3', `saved, exit 1 after ${secondsSince(since)}`)
  }, 60_000)

  test('S3: an exchange without an answer holds the end up for 11 s at most', async () => {
    const { url, signal, exited, saved } = await exchanging()
    const since = performance.now()
    signal('SIGTERM')
    // Two signals at once would be one.
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), 30_000)
    signal('SIGTERM')
    expect(await exited).toBe(1)
    expect(await saved()).toBe('seed')
    figure('S3', `no answer to the exchange: exit 1 after ${secondsSince(since)}`)
  }, 60_000)

  test.each(['timer', 'event', 'promise'])(
    'S7: what nobody catches (%s) ends the process with its token saved',
    async (BOMB) => {
      const { signal, release, exited, saved, told } = await exchanging({ BOMB })
      signal('SIGUSR2')
      await vi.waitFor(() => expect(told()).toMatch(/boom/), 30_000)
      release()
      expect(await exited).toBe(1)
      expect(await saved()).toBe('newest')
      expect(told()).not.toContain('planted-secret')
      figure('S7', `not caught (${BOMB}): exit 1, token saved, log redacted`)
    },
    60_000,
  )
})

describe('a fault within an operation', () => {
  test('S7: what a resolver or a loader throws is masked, and the others stand', async () => {
    const { gateway, query } = await run()
    const burst = () => {
      throw new Error('boom at /srv/app with Bearer planted-secret')
    }
    const spy = vi.spyOn(gateway.upstream, 'call').mockImplementation(async () => burst())
    const { data, errors } = await query('{ artist(cmId: 5) { rank } charts { __typename } }')
    spy.mockRestore()
    expect(data).toEqual({ artist: null, charts: { __typename: 'Charts' } })
    expect(errors).toEqual([
      {
        message: 'Unexpected error.',
        path: ['artist'],
        locations: expect.any(Array),
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ])
    figure('S7', 'thrown in a resolver: masked, its siblings stand')
  })
})
