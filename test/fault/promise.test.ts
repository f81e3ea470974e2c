import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../src/sandbox/server.ts'
import { ask, HOUR } from '../credits/ask.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'
import { end, MISFORTUNES } from './misfortune.ts'
import { warmed } from './warmed.ts'

const MINUTE = 60_000
/** Past the freshness of all parts, and past the time in which an answer is renewed behind a client's back. */
const AGE = 13 * HOUR

describe('no client fails where an old answer is held', () => {
  test.each(Object.entries(MISFORTUNES))('%s', async (name, row) => {
    const { begin, reason, unseen = 0, recovers = 20 * MINUTE } = row
    const at = await warmed(row)
    at.advance(AGE)
    await begin(at)
    const old = await at.ask()
    expect(old.errors).toEqual([])
    expect(old.data).toEqual(at.whole.data)
    for (const part of old.credits.stale ?? []) expect(part.reason).toBe(reason)
    expect(old.credits.stale?.map(({ path }) => path[0]).sort()).toEqual(
      ['artist', 'playlists', 'search'].sort(),
    )
    for (const { age } of old.credits.stale ?? []) expect(age).toBeGreaterThanOrEqual(AGE / 1000)

    const asked = at.sandbox.meter.requests.length
    const again = await at.ask()
    expect([again.errors, again.data]).toEqual([[], at.whole.data])
    expect(at.sandbox.meter.requests).toHaveLength(asked)

    await end(at, row)
    at.advance(recovers)
    const anew = await at.ask()
    expect(anew.errors).toEqual([])
    if (recovers > 0) expect(anew.credits.stale).toBeUndefined()
    expect(at.spent()).toBe(at.sandbox.meter.credits + unseen)
    figure(
      `promise, ${name}: stale by ${reason}, ${old.credits.spent} credits while it lasted, ${at.spent()} told of ${at.sandbox.meter.credits} metered`,
    )
  })

  test.each([
    'no answer',
    'names that are never found',
    'a token endpoint that does not answer',
  ] as const)('%s, three requests deep, each of which waits for the one before', async (name) => {
    const row = MISFORTUNES[name]
    if (row === undefined) throw new Error('none')
    const at = await warmed(row)
    const deep =
      '{ track(cmId: 7) { durationMs artists { rank tracks(first: 2) { nodes { track { name } } } } } }'
    const whole = await at.ask(deep)
    expect(whole.errors).toEqual([])
    expect(whole.credits.spent).toBeGreaterThanOrEqual(3)
    at.advance(AGE)
    await row.begin(at)
    for (const old of [await at.ask(deep), await at.ask(deep)])
      expect([old.errors, old.data]).toEqual([[], whole.data])
    await end(at, row)
  })

  test.each([402, 429, 500])(
    '%i, with an answer that only the disk has room for',
    async (status) => {
      const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const at = await warmed({ env: { CACHE_MAX_MB: '1', STATE_DIR: folder } })
      const stations = '{ radioStations(first: 3) { nodes { name } } }'
      const whole = await at.ask(stations)
      // What is written is found once it is committed.
      await vi.waitFor(async () => expect((await at.ask(stations)).credits.spent).toBe(0), 15_000)
      at.advance(2 * 24 * HOUR)
      at.sandbox.faults.inject('radioStations', { status })
      for (const credits of [1, 0, 0]) {
        const { data, errors, credits: told } = await at.ask(stations)
        expect([data, errors, told.spent]).toEqual([whole.data, [], credits])
      }
      at.sandbox.faults.clear()
      at.advance(20 * MINUTE)
      const anew = await at.ask(stations)
      expect([anew.errors, anew.credits.stale, anew.credits.spent]).toEqual([[], undefined, 1])
      expect(at.spent()).toBe(at.sandbox.meter.credits)
    },
  )

  test.each([
    ['a service that is down', 'artist', { status: 500 }, 'UPSTREAM_UNAVAILABLE'],
    ['a limit', 'artist', { status: 429 }, 'RATE_LIMITED'],
    ['a refused token', 'token', { status: 401 }, 'UPSTREAM_UNAUTHENTICATED'],
  ])('a start beside %s, with answers of the process before', async (_, match, fault, reason) => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const clock = createFakeClock(Date.parse('2026-03-10T06:00:00Z'))
    const sandbox = createSandbox({ clock, refreshToken: 'seed', flawedRows: false })
    const url = await sandbox.listen()
    const query = '{ artist(cmId: 5) { name rank } }'
    const start = () => openGateway(url, { STATE_DIR: folder }, { clock, random: () => 0 })
    const before = start()
    const whole = await ask(before, query)
    await before.gateway.close()
    clock.jump(2 * 24 * HOUR)
    sandbox.faults.inject(match, fault)
    const after = start()
    onTestFinished(async () => {
      await after.gateway.close()
      await sandbox.close()
    })
    const { data, errors, credits } = await ask(after, query)
    expect([data, errors]).toEqual([whole.data, []])
    expect(credits.stale).toEqual([{ path: ['artist'], age: 2 * 86_400, reason }])
  })

  test('but 404 is an answer, which takes the place of the old one', async () => {
    const at = await warmed()
    at.advance(AGE)
    at.sandbox.faults.inject('artist', { status: 404 })
    const { data, errors } = await at.ask('{ artist(cmId: 5) { name } }')
    expect([data, errors]).toEqual([{ artist: null }, []])
    expect(at.spent()).toBe(at.sandbox.meter.credits)
  })

  test('and 403 is a right withdrawn', async () => {
    const at = await warmed()
    at.advance(AGE)
    at.sandbox.faults.inject('artist', { status: 403 })
    const { data, errors } = await at.ask('{ artist(cmId: 5) { name } }')
    expect(data).toEqual({ artist: null })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_FORBIDDEN'])
    expect(at.spent()).toBe(at.sandbox.meter.credits)
  })
})
