import { afterEach, describe, expect, test, vi } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'
import { openScript, type Scripted } from '../support/script.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'
import { ARTIST, ask, granted, NAMED, opening } from './ask.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

describe('D. errors, rate limits, robustness', () => {
  const failing = (answer: Scripted) => ask(ARTIST, () => answer)

  test('44: a 400 is reported and never repeated', async () => {
    const { codes, sent, errors } = await failing({
      status: 400,
      body: { error: "'type' must be one of [top, trending]" },
    })
    expect([codes, sent.length]).toEqual([['UPSTREAM_REJECTED'], 1])
    expect(errors[0]?.message).toContain("'type' must be one of [top, trending]")
  })

  test('46: a 403 is a missing right: no repeat, no new mint', async () => {
    const { codes, sent, tokens } = await failing({ status: 403, body: { error: 'Forbidden' } })
    expect([codes, sent.length, tokens.length]).toEqual([['UPSTREAM_FORBIDDEN'], 1, 1])
  })

  const SECONDS = Math.ceil(Date.now() / 1000)
  /** A busy machine may come to a test long after it read the clock. */
  const DATE = new Date(SECONDS * 1000).toUTCString()
  const INS = (seconds: number) =>
    [
      ['epoch seconds', String(SECONDS + seconds)],
      ['epoch milliseconds', String((SECONDS + seconds) * 1000)],
      ['seconds from now', String(seconds)],
    ] as const
  const limited = (reset?: string): Scripted => ({
    status: 429,
    headers: reset === undefined ? {} : { 'x-ratelimit-reset': reset, date: DATE },
    body: {},
  })

  test.each([...INS(5)])(
    '47, 48, 50: after a 429 nothing is sent before its reset, told in %s',
    async (_unit, reset) => {
      const clock = createFakeClock(SECONDS * 1000)
      const upstream = await openScript((_seen, count) => (count === 1 ? limited(reset) : NAMED()))
      const { gateway, query } = openGateway(upstream.url, {}, { clock })
      open.push({
        async close() {
          await gateway.close()
          await upstream.close()
        },
      })
      const { errors } = await query(ARTIST)
      expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 })
      const others = [6, 7].map((cmId) => query(`{ artist(cmId: ${cmId}) { name } }`))
      await vi.waitFor(() => expect(gateway.transport.gate.waiting).toBe(2), 15_000)
      await clock.pass(4900)
      expect(upstream.requests).toHaveLength(1)
      // A tenth of the pause may be added to it.
      await clock.pass(600)
      for (const { data } of await Promise.all(others)) expect(data.artist.name).toBe('Ada')
      expect(upstream.requests).toHaveLength(3)
    },
  )

  test.each([...INS(100)])(
    '47, 48: a reset past the deadline is told to the client at once, told in %s',
    async (_unit, reset) => {
      const { codes, errors, sent } = await failing(limited(reset))
      expect([codes, sent.length]).toEqual([['RATE_LIMITED'], 1])
      expect(errors[0]?.extensions.retryAfter).toBeGreaterThanOrEqual(60)
      expect(errors[0]?.extensions.retryAfter).toBeLessThanOrEqual(101)
    },
  )

  test.each([undefined, '', 'soon, 5', '-5', '99999999999999999999', 'NaN'])(
    '49: a reset of %j is no busy loop and no hour',
    async (reset) => {
      const { errors, sent } = await failing(limited(reset))
      expect(sent).toHaveLength(1)
      expect(errors[0]?.extensions.retryAfter).toBeGreaterThanOrEqual(1)
      expect(errors[0]?.extensions.retryAfter).toBeLessThanOrEqual(900)
    },
  )

  test('50: a limit past the deadline is met at the door by whoever comes next', async () => {
    const { query, upstream } = await opening(
      () => limited('3600'),
      (_seen, count) => granted(count),
    )
    await query(ARTIST)
    for (const cmId of [6, 7, 8]) {
      const { errors } = await query(`{ artist(cmId: ${cmId}) { name } }`)
      expect(errors[0]?.extensions.code).toBe('RATE_LIMITED')
    }
    expect(upstream.requests).toHaveLength(1)
  })

  test.each([
    ['JSON', { body: { error: { deep: [1] } } }],
    ['HTML', { text: '<h1>Bad gateway</h1>' }],
    ['nothing', { text: '' }],
  ])('51: an error with %s for a body is survived', async (_what, body) => {
    const { codes, errors } = await failing({ status: 500, ...body })
    expect(codes).toEqual(['UPSTREAM_UNAVAILABLE'])
    expect(errors[0]?.message).not.toMatch(/<h1>|object Object/)
  })

  test('52, 58: kinds of failure have their own codes, and leave siblings standing', async () => {
    const { data, codes } = await ask(
      '{ a: artist(cmId: 400) { name } b: artist(cmId: 403) { name } c: artist(cmId: 500) { name } d: artist(cmId: 5) { name } }',
      ({ path }) => {
        const id = Number(path.split('/').at(-1))
        return id === 5 ? { body: { obj: { id: 5, name: 'Ada' } } } : { status: id, body: {} }
      },
    )
    expect(codes.sort()).toEqual([
      'UPSTREAM_FORBIDDEN',
      'UPSTREAM_REJECTED',
      'UPSTREAM_UNAVAILABLE',
    ])
    expect(data).toEqual({ a: null, b: null, c: null, d: { name: 'Ada' } })
  })

  test('53: a 503 is repeated once', async () => {
    const { data, sent, credits } = await ask(ARTIST, (_seen, count) =>
      count === 1 ? { status: 503, body: {} } : NAMED(),
    )
    expect([data.artist.name, sent.length, credits.spent]).toEqual(['Ada', 2, 2])
  })

  test.each([500, 502, 503])(
    '53: a service that keeps saying %i is asked twice at most',
    async (status) => {
      const { codes, sent } = await failing({ status, body: {} })
      expect(codes).toEqual(['UPSTREAM_UNAVAILABLE'])
      expect(sent.length).toBeLessThanOrEqual(2)
    },
  )

  test('54: a broken socket and a cut body fail their own field', async () => {
    const run = await openRun()
    open.push(run)
    run.sandbox.faults.inject('/api/artist/5', { reset: true })
    run.sandbox.faults.inject('/api/artist/6', { cutAt: 40 })
    const { data, errors } = await run.query(
      '{ a: artist(cmId: 5) { name } b: artist(cmId: 6) { name } c: artist(cmId: 7) { name } }',
    )
    expect(data.c.name).toEqual(expect.any(String))
    // Each as it comes: the one that is asked again may be the last to fail.
    expect(errors.map(({ path, extensions }) => [...(path ?? []), extensions.code]).sort()).toEqual(
      [
        ['a', 'UPSTREAM_UNAVAILABLE'],
        ['b', 'UPSTREAM_UNAVAILABLE'],
      ],
    )
  })

  test('54: half a text of JSON that ends well is a fault of its field, and not asked for again', async () => {
    const { data, codes, sent } = await ask(
      '{ a: artist(cmId: 5) { name } b: track(cmId: 6) { name } }',
      ({ path }) => (path === '/api/artist/5' ? { text: '{"obj":{"id":5,"name":"Ad' } : NAMED()),
    )
    expect(data).toEqual({ a: null, b: { name: 'Ada' } })
    expect([codes, sent.length]).toEqual([['UPSTREAM_BAD_RESPONSE'], 2])
  })

  test('55: a socket that never answers, stalls or drips ends in a timeout', async () => {
    const run = await openRun({ env: { UPSTREAM_TIMEOUT_MS: '300' } })
    open.push(run)
    run.sandbox.faults.inject('/api/artist/5', { stall: 'head' })
    run.sandbox.faults.inject('/api/artist/6', { stall: 'body' })
    run.sandbox.faults.inject('/api/artist/7', { drip: { bytes: 1, everyMs: 50 } })
    const { errors } = await run.query(
      '{ a: artist(cmId: 5) { name } b: artist(cmId: 6) { name } c: artist(cmId: 7) { name } }',
    )
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([
      'TIMEOUT',
      'TIMEOUT',
      'TIMEOUT',
    ])
  })

  test('56: a body of more than 16 MB is cut off, and the process goes on', async () => {
    const { data, codes } = await ask(
      '{ a: artist(cmId: 5) { name } b: artist(cmId: 6) { name } }',
      ({ path }) =>
        path === '/api/artist/5'
          ? { text: `{"obj":{"id":5,"name":"${'x'.repeat(17 * 1024 * 1024)}"}}` }
          : NAMED(),
    )
    expect(codes).toEqual(['UPSTREAM_BAD_RESPONSE'])
    expect(data).toEqual({ a: null, b: { name: 'Ada' } })
  })

  test('57: gzip is asked for, and read', async () => {
    const { gzipSync } = await import('node:zlib')
    const { createServer } = await import('node:http')
    const server = createServer((request, response) => {
      request.resume()
      const body =
        request.url === '/api/token'
          ? { token: 't', expires_in: 3600, refresh_token: 'r' }
          : { obj: { id: 5, name: request.headers['accept-encoding'] } }
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(body)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const { gateway, query } = openGateway(
      `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    )
    expect((await query(ARTIST)).data.artist.name).toBe('gzip')
    await gateway.close()
    server.closeAllConnections()
    server.close()
  })
})
