import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { Fault } from '../../src/sandbox/fault.ts'
import { openGateway } from '../support/gateway.ts'
import { run } from '../support/run.ts'
import { ask } from './ask.ts'

const QUERY = `{ artist(cmId: 5) { rank } other: artist(cmId: 6) { premium { platDTopVideos } }
  track(cmId: 7) { durationMs } }`

/** A clock on which nothing takes longer than it may until `end`: then whatever is under way took too long. */
const createPatience = () => {
  const waits = new Set<() => void>()
  const isAttempt = (ms: number) => ms > 1000 && ms <= 8000
  return {
    clock: {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) =>
        isAttempt(ms)
          ? new Promise<void>((resolve) => {
              waits.add(resolve)
              signal?.addEventListener('abort', () => resolve())
            })
          : systemClock.sleep(ms, signal),
    },
    end: () => {
      for (const resolve of waits) resolve()
    },
  }
}

describe("6: the ledger's total equals the meter of the service", () => {
  /** What the sandbox bills for four credits' worth of requests, of which the first artist request goes wrong. */
  const cases: readonly (readonly [string, Fault, number])[] = [
    ['a 401, which is not billed', { status: 401 }, 4],
    [
      'a 429, which is billed and not repeated',
      { status: 429, headers: { 'retry-after': '1' } },
      4,
    ],
    ['a 502, repeated once for money', { status: 502, html: true }, 5],
    ['a socket broken off before the head', { reset: true }, 5],
    ['a socket broken off in the body', { cutAt: 40 }, 5],
    ['a body that is not JSON', { text: '<html>' }, 4],
    ['a 403', { status: 403 }, 4],
    ['a 404', { status: 404 }, 4],
    ['a 400', { status: 400 }, 4],
    ['a 402', { status: 402 }, 4],
  ]
  test.each(cases)('under %s', async (_, fault, billed) => {
    const opened = await run()
    opened.sandbox.faults.inject('artist', { ...fault, times: 1 })
    const { credits, data } = await ask(opened, QUERY)
    expect(data.track.durationMs).toEqual(expect.any(Number))
    expect(opened.meter.credits).toBe(billed)
    expect(credits.spent).toBe(billed)
    expect(opened.gateway.upstream.book.spent).toBe(billed)
  })

  test('under a timeout, which is billed and not repeated, also where it comes before the service has read a byte', async () => {
    const patience = createPatience()
    const opened = await run({ clock: patience.clock })
    await ask(opened, '{ artist(cmId: 9) { rank } }')
    opened.sandbox.faults.inject('artist', { stall: 'head' })
    // In the turn in which the headers are written, the service cannot have read them.
    subscribe('undici:client:sendHeaders', patience.end)
    const { credits, errors } = await ask(opened, '{ artist(cmId: 5) { rank } }')
    unsubscribe('undici:client:sendHeaders', patience.end)
    expect(errors).toMatchObject([{ extensions: { code: 'TIMEOUT' } }])
    expect(credits.spent).toBe(1)
    while (opened.meter.requests.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(opened.meter.credits).toBe(2)
    expect(opened.gateway.upstream.book.spent).toBe(2)
  })

  test('under clients that leave: what is on the wire is finished and kept, and not asked for again', async () => {
    const opened = await run({ sandbox: { latencyMs: 60 } })
    await ask(opened, '{ artist(cmId: 9) { rank } }')
    const left = new AbortController()
    const asked = ask(opened, QUERY, { signal: left.signal })
    while (opened.meter.requests.length < 4) await new Promise((resolve) => setImmediate(resolve))
    left.abort()
    await expect(asked).rejects.toThrow()
    const again = await ask(opened, QUERY)
    expect(again.errors).toEqual([])
    expect(again.credits.spent).toBe(0)
    expect(opened.meter.credits).toBe(5)
    expect(opened.gateway.upstream.book.spent).toBe(5)
  })

  test('under crashes: what the next process finds is what the meter shows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
    const env = { STATE_DIR: folder, CREDITS_PER_DAY: '1000' }
    const opened = await run({ env, sandbox: { rotation: 'none' } })
    await opened.gateway.open()
    for (let cmId = 5; cmId < 40; cmId++) await ask(opened, `{ artist(cmId: ${cmId}) { rank } }`)
    expect(opened.meter.credits).toBe(35)
    // Nothing of the first was closed: this is what the next process finds.
    const next = openGateway(opened.url, env)
    onTestFinished(() => next.gateway.close())
    await next.gateway.open()
    const { data } = await ask(next, '{ credits { budgets { limit remaining } } }')
    expect(data.credits.budgets).toEqual([{ limit: 1000, remaining: 965 }])
  })
})
