import { expect, onTestFinished, test } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'
import { createAdminServer } from '../../src/server/admin.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { WireFault } from '../../src/upstream/transport/fault.ts'
import type { Caller, Outcome } from '../../src/upstream/transport/send.ts'
import { handClock } from '../credits/ask.ts'
import { run } from '../support/run.ts'

type Opened = Awaited<ReturnType<typeof run>>

/** The operator's port of a gateway, read as Prometheus reads it. */
const scraped = async ({ gateway }: Pick<Opened, 'gateway'>) => {
  const settings = { port: 0, host: '127.0.0.1', isDraining: () => false }
  const admin = createAdminServer(gateway, settings)
  const address = await admin.listen()
  onTestFinished(() => admin.close())
  return async () => {
    const answer = await fetch(`${address}/metrics`)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await answer.text()
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const series = new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    )
    const sum = (name: string) =>
      [...series].reduce(
        (total, [key, value]) => (key.split('{')[0] === name ? total + value : total),
        0,
      )
    return { text, series, get: (key: string) => series.get(key), sum }
  }
}

const PAGE = 'query Page { artist(cmId: 5) { rank } track(cmId: 7) { score } }'

test('what is spent is what the meter of the service shows, what is saved what the answers told', async () => {
  const opened = await run({ env: { CREDITS_PER_DAY: '100' } })
  const scrape = await scraped(opened)
  let saved = 0
  // The third is a finished answer, and so is every later one.
  for (let round = 0; round < 5; round += 1) saved += (await opened.query(PAGE)).credits.saved
  const { get, sum } = await scrape()
  expect(sum('refrain_credits_spent_total')).toBe(opened.meter.credits)
  expect(get('refrain_credits_spent_total{endpoint="artist"}')).toBe(1)
  expect(sum('refrain_credits_saved_total')).toBe(saved)
  expect(sum('refrain_endpoint_credits_saved_total')).toBe(saved)
  expect(get('refrain_credits_saved_total{mechanism="cache"}')).toBe(8)
  expect(get('refrain_client_credits_spent_total{client="anonymous"}')).toBe(2)
  expect(get('refrain_client_credits_saved_total{client="anonymous"}')).toBe(8)
  expect(get('refrain_budget_limit_credits{period="DAY"}')).toBe(100)
  expect(get('refrain_budget_remaining_credits{period="DAY"}')).toBe(98)
  expect(get('refrain_cache_answers{tier="memory"}')).toBe(2)
  expect(get('refrain_cache_bytes{tier="memory"}')).toBeGreaterThan(0)
  expect(get('refrain_cache_hits_total{tier="finished"}')).toBeGreaterThan(0)
  expect(get('refrain_upstream_requests_total{endpoint="token",status="2xx"}')).toBe(1)
  expect(get('refrain_upstream_requests_total{endpoint="artist",status="2xx"}')).toBe(1)
  expect(get('refrain_upstream_request_duration_seconds_count{endpoint="track"}')).toBe(1)
  expect(get('refrain_token_state{state="VALID"}')).toBe(1)
  expect(sum('refrain_token_state')).toBe(1)
  expect(get('refrain_ready')).toBe(1)
})

test('a pause, a refusal, drift and the age of the token are told as they are', async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const opened = await run({ clock, env: { CREDITS_PER_DAY: '10' } })
  const scrape = await scraped(opened)
  expect((await scrape()).series.has('refrain_token_age_seconds')).toBe(false)
  opened.sandbox.faults.inject('/api/artist/5', {
    body: { obj: { id: 5, name: 'Five', cm_artist_rank: 'first' } },
  })
  await opened.query('{ artist(cmId: 5) { name rank } }')
  expect((await opened.query('{ artist(cmId: 99999999) { rank } }')).data).toEqual({ artist: null })
  advance(60_000)
  opened.sandbox.faults.inject('*', { status: 429, headers: { 'x-ratelimit-reset': '30' } })
  await opened.query('{ artist(cmId: 6) { rank } }')
  const { get } = await scrape()
  expect(get('refrain_drift_total{endpoint="artist"}')).toBe(1)
  expect(get('refrain_upstream_requests_total{endpoint="artist",status="404"}')).toBe(1)
  expect(get('refrain_upstream_requests_total{endpoint="artist",status="429"}')).toBe(1)
  expect(get('refrain_upstream_pause_seconds')).toBeGreaterThan(29)
  expect(get('refrain_upstream_breaker_open{endpoint="all"}')).toBe(0)
  expect(get('refrain_token_age_seconds')).toBe(60)
  expect(get('refrain_budget_reset_timestamp_seconds{period="DAY"}')).toBe(
    Date.parse('2026-03-11T00:00:00Z') / 1000,
  )
  expect(get('refrain_budget_exhaustion_timestamp_seconds{period="DAY"}')).toBeGreaterThan(
    Date.parse('2026-03-10T12:00:00Z') / 1000,
  )
})

test('a service that cannot be reached opens the breaker of all endpoints', async () => {
  const { clock } = handClock('2026-03-10T12:00:00Z')
  const opened = await run({ clock })
  const scrape = await scraped(opened)
  await opened.query('{ artist(cmId: 5) { rank } }')
  await opened.sandbox.close()
  for (let id = 10; id < 20; id += 1) await opened.query(`{ artist(cmId: ${id}) { rank } }`)
  const { get } = await scrape()
  expect(get('refrain_upstream_requests_total{endpoint="artist",status="unsent"}')).toBeGreaterThan(
    0,
  )
  expect(get('refrain_upstream_breaker_open{endpoint="all"}')).toBe(1)
})

test('a credit that is given back makes no counter fall', async () => {
  const opened = await run()
  const scrape = await scraped(opened)
  const spent = async () => (await scrape()).sum('refrain_credits_spent_total')
  const { note } = opened.gateway.upstream.book
  const readings: number[] = []
  for (const credits of [1, 1, -1, 1, 2]) {
    note({ credits, endpoint: 'artist' })
    readings.push(await spent())
  }
  expect(readings).toEqual([1, 2, 2, 2, 4])
})

test('47: no text of a client is a label, and there are at most 1,000 series', async () => {
  const opened = await run({ env: { CREDITS_PER_DAY: '10', CREDITS_PER_MONTH: '20' } })
  const { gateway } = opened
  const scrape = await scraped(opened)
  await opened.query('query Mine { artist(cmId: 5) { rank } }', {}, { 'x-api-key': 'my-key' })
  const named = (await scrape()).text
  for (const word of ['Mine', 'my-key', 'seed']) expect(named).not.toContain(word)

  const refused = (code: 'TIMEOUT' | 'UPSTREAM_UNAVAILABLE', sent: boolean): Outcome => ({
    error: new WireFault(code, '', { sent, repeatable: false }),
  })
  const answered = Array.from(
    { length: 400 },
    (_, at): Outcome => ({
      answer: { status: 200 + at, headers: {}, text: '' },
    }),
  )
  const outcomes = [
    ...answered,
    refused('TIMEOUT', true),
    refused('UPSTREAM_UNAVAILABLE', false),
    refused('UPSTREAM_UNAVAILABLE', true),
  ]
  const caller: Caller = { ledger: createLedger(), deadline: 0 }
  for (const endpoint of ['token', ...Object.keys(endpoints)]) {
    for (const outcome of outcomes)
      gateway.meters
        .watch({ method: 'GET', path: '/', credits: 1, endpoint }, caller)
        .end(outcome, 1)
    gateway.upstream.drift.reading(endpoint).note('field')
    gateway.upstream.book.note({ credits: 1, endpoint })
  }
  for (let at = 0; at < 600; at += 1)
    gateway.upstream.book.note({ credits: 1, endpoint: 'artist', client: `client ${at}` })
  const { series, sum, get } = await scrape()
  expect(series.size).toBeLessThanOrEqual(1000)
  expect(sum('refrain_client_credits_spent_total')).toBe(601)
  expect(get('refrain_client_credits_spent_total{client="others"}')).toBe(581)
})
