import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/sandbox/fault.ts'
import { openGateway } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'
import { ask } from './ask.ts'

const open: { close(): Promise<void> }[] = []
const run = async (...options: Parameters<typeof openRun>) => {
  const opened = await openRun(...options)
  open.push(opened)
  return opened
}
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

const QUERY = `{ artist(cmId: 5) { rank } other: artist(cmId: 6) { premium { platDTopVideos } }
  track(cmId: 7) { durationMs } }`

describe("6: the ledger's total equals the meter of the service", () => {
  /** What the sandbox bills for four credits' worth of requests, of which the first artist request goes wrong. */
  const cases: readonly (readonly [string, Fault, number])[] = [
    ['a timeout, which is billed and not repeated', { delayMs: 400 }, 4],
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
    const opened = await run({ env: { UPSTREAM_TIMEOUT_MS: '200' } })
    opened.sandbox.faults.inject('artist', { ...fault, times: 1 })
    const { credits, data } = await ask(opened, QUERY)
    expect(data.track.durationMs).toEqual(expect.any(Number))
    expect(opened.meter.credits).toBe(billed)
    expect(credits.spent).toBe(billed)
    expect(opened.gateway.upstream.book.spent).toBe(billed)
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

  test('under crashes: never below the meter, and above it by what was written ahead only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
    const env = { STATE_DIR: folder, CREDITS_PER_DAY: '1000' }
    const opened = await run({ env, sandbox: { rotation: 'none' } })
    await opened.gateway.open()
    for (let cmId = 5; cmId < 40; cmId++) await ask(opened, `{ artist(cmId: ${cmId}) { rank } }`)
    expect(opened.meter.credits).toBe(35)
    // Nothing of the first was closed: this is what the next process finds.
    const next = openGateway(opened.url, env)
    open.unshift(next.gateway)
    await next.gateway.open()
    const { data } = await ask(next, '{ credits { budgets { limit remaining } } }')
    const spent = 1000 - data.credits.budgets[0].remaining
    expect(spent).toBeGreaterThanOrEqual(35)
    expect(spent).toBeLessThanOrEqual(35 + 20)
  })
})
