import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { readConfig, tracesUrl } from '../../src/config.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openTracing } from '../../src/telemetry/export.ts'
import { openCollector } from '../support/collector.ts'
import { openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'

const SERVER = 2
const CLIENT = 3
const FAILED = 2
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const PAGE = 'query Page { artist(cmId: 5) { rank } track(cmId: 7) { score } }'

/** A gateway that traces to a collector of its own; `end` closes it, after which all spans have come. */
const traced = async (url: string, env: Record<string, string> = {}) => {
  const collector = await openCollector()
  onTestFinished(async () => {
    await collector.close()
  })
  const tracing = openTracing(`${collector.url}/v1/traces`, systemClock)
  const { gateway, query } = openGateway(url, env, { tracing })
  return { query, collector, gateway, end: () => gateway.close() }
}

const sandboxed = async () => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed' })
  onTestFinished(() => sandbox.close())
  return { sandbox, url: await sandbox.listen() }
}

test('an operation is a span, and in it each of its requests with its credits and what was held', async () => {
  const { sandbox, url } = await sandboxed()
  const { query, collector, end } = await traced(url)
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` }
  for (let round = 0; round < 4; round += 1) await query(PAGE, {}, headers)
  await end()
  expect(collector.requests[0]?.path).toBe('/v1/traces')
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'refrain' })

  const operations = collector.spans.filter(({ kind }) => kind === SERVER)
  // The last are finished answers: each is an operation all the same.
  expect(operations.map(({ attributes }) => attributes)).toMatchObject([
    {
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Page',
      'refrain.client': 'anonymous',
      'refrain.credits.spent': 2,
      'refrain.credits.saved': 0,
      'refrain.cache.sources': ['miss'],
    },
    ...Array.from({ length: 3 }, () => ({
      'graphql.operation.name': 'Page',
      'refrain.credits.spent': 0,
      'refrain.credits.saved': 2,
      'refrain.credits.saved.cache': 2,
      'refrain.cache.sources': ['cache'],
    })),
  ])
  for (const { traceId, parentSpanId } of operations)
    expect([traceId, parentSpanId]).toEqual([TRACE, PARENT])

  const [first] = operations
  const attempts = collector.spans.filter(({ parentSpanId }) => parentSpanId === first?.spanId)
  expect(attempts.map(({ name, kind }) => [name, kind]).sort()).toEqual([
    ['artist', CLIENT],
    ['track', CLIENT],
  ])
  for (const { traceId, attributes } of attempts) {
    expect(traceId).toBe(TRACE)
    expect(attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'refrain.credits': 1,
      'refrain.cache.state': 'miss',
      'refrain.purpose': 'interactive',
    })
  }
  const spent = collector.spans.reduce(
    (sum, { attributes }) => sum + Number(attributes['refrain.credits'] ?? 0),
    0,
  )
  expect(spent).toBe(sandbox.meter.credits)
})

test('the request that goes out names its span as its parent', async () => {
  const upstream = await openScript(() => ({
    body: { obj: { id: 5, name: 'Five', cm_artist_rank: 3 } },
  }))
  onTestFinished(() => upstream.close())
  const { query, collector, end } = await traced(upstream.url)
  await query('{ artist(cmId: 5) { rank } }', {}, { traceparent: `00-${TRACE}-${PARENT}-01` })
  await end()
  const attempt = collector.spans.find(({ name }) => name === 'artist')
  expect(upstream.requests[0]?.headers.traceparent).toBe(`00-${TRACE}-${attempt?.spanId}-01`)
})

test('a refusal and a repeat are attempts of their own, with what each cost, and an operation that lacks something says so', async () => {
  const { sandbox, url } = await sandboxed()
  const { query, collector, end } = await traced(url)
  await query('{ track(cmId: 7) { score } }')
  sandbox.faults.inject('/api/artist/5', { status: 401, times: 1 })
  sandbox.faults.inject('/api/artist/6', { status: 429, headers: { 'x-ratelimit-reset': '30' } })
  expect((await query('{ artist(cmId: 5) { rank } }')).errors).toEqual([])
  expect((await query('{ artist(cmId: 6) { rank } }')).errors).toHaveLength(1)
  await end()
  const artists = collector.spans.filter(({ name }) => name === 'artist')
  expect(
    artists.map(({ status, attributes }) => [
      attributes['http.response.status_code'],
      attributes['refrain.credits'],
      status.code === FAILED,
    ]),
  ).toEqual([
    [401, 0, true],
    [200, 1, false],
    [429, 1, true],
  ])
  const operations = collector.spans.filter(({ kind }) => kind === SERVER)
  expect(operations.map(({ status }) => status.code === FAILED)).toEqual([false, false, true])
})

test('no token, no key, no variable and no word of a search is in what a collector is told', async () => {
  const { url } = await sandboxed()
  const { query, collector, end } = await traced(url)
  await query(
    'query ($words: String!) { search(query: $words) { artists { nodes { name } } } }',
    { words: 'unsayable' },
    { 'x-api-key': 'my-own-key', authorization: 'Bearer my-own-bearer' },
  )
  await end()
  const told = collector.texts.join('\n')
  expect(told).toContain('"search"')
  for (const word of ['unsayable', 'my-own-key', 'my-own-bearer', 'seed', 'Bearer'])
    expect(told).not.toContain(word)
})

test('a collector that is gone keeps no process from ending', async () => {
  const { url } = await sandboxed()
  const gone = await openCollector()
  await gone.close()
  const tracing = openTracing(`${gone.url}/v1/traces`, {
    ...systemClock,
    sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
  })
  const { gateway, query } = openGateway(url, {}, { tracing })
  expect((await query('{ artist(cmId: 5) { rank } }')).errors).toEqual([])
  await gateway.close()
})

test('the standard variables say whether and where to', () => {
  const urlOf = (env: Record<string, string>) => {
    const reading = readConfig({ SANDBOX: '1', ...env }, () => '')
    return reading.ok ? tracesUrl(reading.config) : reading.faults
  }
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  expect(urlOf({})).toBeUndefined()
  expect(urlOf(base)).toBe('http://collector:4318/v1/traces')
  expect(urlOf({ ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/take' })).toBe(
    'https://other/take',
  )
  expect(urlOf({ ...base, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  expect(urlOf({ ...base, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toEqual([
    expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https URL'),
  ])
})
