import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openGateway } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'
import { openScript, type Scripted, type Seen } from '../support/script.ts'
import { ask, obj } from './ask.ts'

const ARTIST = '{ artist(cmId: 5) { name } }'
const NAMED = obj({ id: 5, name: 'Ada' })

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

/** A gateway in front of an upstream that answers API calls and token calls as told. */
const openAuth = async (
  answer: (seen: Seen, count: number) => Scripted,
  token: (seen: Seen, count: number) => Scripted,
) => {
  const upstream = await openScript(answer, token)
  const opened = openGateway(upstream.url)
  open.push({
    async close() {
      await opened.gateway.close()
      await upstream.close()
    },
  })
  return { ...opened, upstream }
}
const granted = (count: number, more: object = {}): Scripted => ({
  body: { token: `t${count}`, expires_in: 3600, refresh_token: `r${count}`, scope: 'api', ...more },
})

describe('B. authentication', () => {
  test('13, 14, 15, 31: a token is minted with POST, exactly the field refreshtoken, and no Authorization', async () => {
    const { tokens, sent } = await ask(ARTIST, NAMED)
    expect(tokens).toHaveLength(1)
    const [call] = tokens
    expect([call?.method, call?.path, JSON.parse(call?.body ?? '')]).toEqual([
      'POST',
      '/api/token',
      { refreshtoken: 'seed' },
    ])
    expect(call?.headers['content-type']).toMatch(/^application\/json/)
    expect(call?.headers.authorization).toBeUndefined()
    expect(sent[0]?.headers.authorization).not.toContain('seed')
  })

  test('16, 17: the token of the answer is sent as one Bearer, one space, no quotes', async () => {
    const { sent } = await ask(ARTIST, NAMED)
    expect(sent[0]?.headers.authorization).toBe('Bearer t1')
  })

  test('18: one access token serves many requests', async () => {
    const { tokens, sent } = await ask(
      '{ a: artist(cmId: 5) { name } b: artist(cmId: 6) { name } c: track(cmId: 7) { name } }',
    )
    expect([tokens.length, sent.length]).toEqual([1, 3])
  })

  test('19, 20, 21: a lifetime of two seconds is honoured, without a mint for each request', async () => {
    const run = await openRun({ sandbox: { tokenLifetime: 2 } })
    open.push(run)
    for (let id = 5; id < 15; id++)
      expect((await run.query(`{ artist(cmId: ${id}) { name } }`)).errors).toEqual([])
    expect(run.meter.tokenCalls).toBeLessThanOrEqual(2)
    expect(run.meter.requests.map(({ status }) => status)).not.toContain(401)
  })

  test('22, 23: the returned refresh token is used for the next exchange, the old one never again', async () => {
    const { query, upstream } = await openAuth(
      ({ headers }) =>
        headers.authorization === 'Bearer t1' ? { status: 401, body: {} } : NAMED(),
      (_seen, count) => granted(count),
    )
    expect((await query(ARTIST)).errors).toEqual([])
    expect(upstream.tokens.map(({ body }) => JSON.parse(body).refreshtoken)).toEqual(['seed', 'r1'])
  })

  test('24: twenty requests without a token share one mint', async () => {
    const run = await openRun({ sandbox: { latencyMs: 10 } })
    open.push(run)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => run.query(`{ artist(cmId: ${at + 5}) { name } }`)),
    )
    expect(run.meter.tokenCalls).toBe(1)
  })

  test('25, 26, 45: a burst of 401 leads to one mint and one repeat each, with the new token', async () => {
    const { query, upstream } = await openAuth(
      ({ headers }) =>
        headers.authorization === 'Bearer t1' ? { status: 401, body: {} } : NAMED(),
      (_seen, count) => granted(count),
    )
    const results = await Promise.all(
      [5, 6, 7, 8].map((cmId) => query(`{ artist(cmId: ${cmId}) { rank } }`)),
    )
    expect(results.flatMap(({ errors }) => errors)).toEqual([])
    expect(upstream.tokens).toHaveLength(2)
    expect(upstream.requests.map(({ headers }) => headers.authorization).sort()).toEqual([
      ...Array(4).fill('Bearer t1'),
      ...Array(4).fill('Bearer t2'),
    ])
  })

  test('25: a second 401 on a fresh token is reported, and not repeated', async () => {
    const { query, upstream } = await openAuth(
      () => ({ status: 401, body: {} }),
      (_seen, count) => granted(count),
    )
    const { errors } = await query(ARTIST)
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_FORBIDDEN'])
    expect(upstream.requests).toHaveLength(2)
  })

  test('27: a refused refresh token is reported as such to everybody who waits, without a loop', async () => {
    const { query, upstream } = await openAuth(NAMED, () => ({
      status: 401,
      body: { error: 'no' },
    }))
    const results = await Promise.all(
      [5, 6, 7].map((cmId) => query(`{ artist(cmId: ${cmId}) { name } }`)),
    )
    expect(
      new Set(results.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))),
    ).toEqual(new Set(['UPSTREAM_UNAUTHENTICATED']))
    expect(upstream.tokens.length).toBeLessThanOrEqual(2)
    expect(upstream.requests).toHaveLength(0)
  })

  test('28: a 400 of the token endpoint is not retried', async () => {
    const { query, upstream } = await openAuth(NAMED, () => ({
      status: 400,
      body: { error: 'bad' },
    }))
    expect((await query(ARTIST)).errors[0]?.extensions.code).toBe('UPSTREAM_UNAUTHENTICATED')
    await query(ARTIST)
    expect(upstream.tokens).toHaveLength(1)
  })

  test('29: a refresh token is trimmed before it is sent', async () => {
    const { readConfig } = await import('../../src/config.ts')
    const reading = readConfig(
      { UPSTREAM_URL: 'https://service.example', UPSTREAM_REFRESH_TOKEN: ' abc \n' },
      () => '',
    )
    expect(reading.ok && reading.config.upstreamRefreshToken?.reveal()).toBe('abc')
    expect(reading.ok && reading.warnings.join()).toContain('UPSTREAM_REFRESH_TOKEN')
  })

  test('30, 32: no token is in an answer or an error', async () => {
    const { query } = await openAuth(
      () => ({ status: 500, body: { error: 'Bearer t1 failed for refresh seed' } }),
      (_seen, count) => granted(count),
    )
    const result = JSON.stringify(await query(ARTIST))
    for (const secret of ['t1', 'r1', '"seed"', 'Bearer']) expect(result).not.toContain(secret)
  })

  test('33: token calls count against the rate like others', async () => {
    const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', ratePerSecond: 2 })
    const { gateway, query } = openGateway(await sandbox.listen())
    open.push({
      async close() {
        await gateway.close()
        await sandbox.close()
      },
    })
    const results = await Promise.all(
      [5, 6, 7, 8].map((cmId) => query(`{ artist(cmId: ${cmId}) { rank } }`)),
    )
    expect(results.flatMap(({ errors }) => errors)).toEqual([])
    expect(sandbox.meter.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('34: scope is not looked into', async () => {
    const { query } = await openAuth(NAMED, (_seen, count) =>
      granted(count, { scope: ['x', { y: 1 }] }),
    )
    expect((await query(ARTIST)).data.artist.name).toBe('Ada')
  })
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

  test('47, 48: a 429 pauses until its reset, told in epoch seconds, milliseconds or seconds from now', async () => {
    const now = Date.now()
    for (const reset of [String(Math.ceil(now / 1000) + 3600), String(now + 3_600_000), '3600']) {
      const { codes, errors, sent } = await failing({
        status: 429,
        headers: { 'x-ratelimit-reset': reset },
        body: {},
      })
      expect([codes, sent.length]).toEqual([['RATE_LIMITED'], 1])
      expect(errors[0]?.extensions.retryAfter).toBeGreaterThan(800)
      expect(errors[0]?.extensions.retryAfter).toBeLessThanOrEqual(3600)
    }
  })

  test('49: without a readable reset the pause is bounded', async () => {
    const { errors } = await failing({
      status: 429,
      headers: { 'x-ratelimit-reset': 'soon, 5' },
      body: {},
    })
    expect(errors[0]?.extensions.retryAfter).toBeLessThanOrEqual(60)
  })

  test('50: while the limit is in force nothing else is sent', async () => {
    const { query, upstream } = await openAuth(
      () => ({ status: 429, headers: { 'x-ratelimit-reset': '3600' }, body: {} }),
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

  test('54: a broken socket and a cut body fail their own field', async () => {
    const run = await openRun()
    open.push(run)
    run.sandbox.faults.inject('/api/artist/5', { reset: true })
    run.sandbox.faults.inject('/api/artist/6', { cutAt: 40 })
    const { data, errors } = await run.query(
      '{ a: artist(cmId: 5) { name } b: artist(cmId: 6) { name } c: artist(cmId: 7) { name } }',
    )
    expect(data.c.name).toEqual(expect.any(String))
    expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['a'], 'UPSTREAM_UNAVAILABLE'],
      [['b'], 'UPSTREAM_UNAVAILABLE'],
    ])
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
    const { codes } = await failing({
      text: `{"obj":{"id":5,"name":"${'x'.repeat(17 * 1024 * 1024)}"}}`,
    })
    expect(codes).toEqual(['UPSTREAM_BAD_RESPONSE'])
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
