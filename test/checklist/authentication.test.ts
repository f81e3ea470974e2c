import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { openGateway } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'
import { openScript } from '../support/script.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'
import { ARTIST, ask, granted, NAMED, opening } from './ask.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
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
    let now = Date.now()
    const run = await openRun({
      clock: { now: () => now, sleep: systemClock.sleep },
      sandbox: { tokenLifetime: 2 },
    })
    open.push(run)
    const since = performance.now()
    for (let id = 5; id < 15; id++) {
      expect((await run.query(`{ artist(cmId: ${id}) { name } }`)).errors).toEqual([])
      now += 400
    }
    // Ages are told by a clock too that nobody sets: a slow machine needs more tokens.
    const more = Math.floor((performance.now() - since) / 1_500)
    expect(run.meter.tokenCalls).toBeGreaterThanOrEqual(2)
    expect(run.meter.tokenCalls).toBeLessThanOrEqual(2 + more)
    expect(run.meter.requests.map(({ status }) => status)).not.toContain(401)
  })

  test('19, 20: a new token is there before the old one expires, so that no request meets a 401', async () => {
    let ahead = 0
    const clock = { now: () => Date.now() + ahead, sleep: systemClock.sleep }
    const run = await openRun({ clock, sandbox: { tokenLifetime: 600 } })
    open.push(run)
    await run.query(ARTIST)
    ahead = 400_000
    await run.query('{ artist(cmId: 6) { name } }')
    expect(run.meter.tokenCalls).toBe(1)
    ahead = 598_000
    await run.query('{ artist(cmId: 7) { name } }')
    expect(run.meter.tokenCalls).toBe(2)
    expect(run.meter.requests.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('21: a lifetime of one second is no mint for each request', async () => {
    const { query, upstream } = await opening(NAMED, (_seen, count) =>
      granted(count, { expires_in: 1 }),
    )
    const since = performance.now()
    for (let cmId = 5; cmId < 35; cmId++) await query(`{ artist(cmId: ${cmId}) { name } }`)
    expect(upstream.requests).toHaveLength(30)
    expect(upstream.tokens.length).toBeLessThanOrEqual(2 + (performance.now() - since) / 750)
  })

  test('22, 23: the returned refresh token is used for the next exchange, the old one never again', async () => {
    const { query, upstream } = await opening(
      ({ headers }) =>
        headers.authorization === 'Bearer t1' ? { status: 401, body: {} } : NAMED(),
      (_seen, count) => granted(count),
    )
    expect((await query(ARTIST)).errors).toEqual([])
    expect(upstream.tokens.map(({ body }) => JSON.parse(body).refreshtoken)).toEqual(['seed', 'r1'])
  })

  test('23: twenty at once with a token that was revoked send no refresh token twice', async () => {
    const { query, upstream } = await opening(
      ({ headers }) =>
        headers.authorization === 'Bearer t3' ? NAMED() : { status: 401, body: {} },
      (_seen, count) => granted(count),
    )
    const ids = Array.from({ length: 20 }, (_, at) => at + 5)
    await Promise.all(ids.map((cmId) => query(`{ artist(cmId: ${cmId}) { name } }`)))
    await Promise.all(ids.map((cmId) => query(`{ artist(cmId: ${cmId + 50}) { name } }`)))
    const sent = upstream.tokens.map(({ body }) => JSON.parse(body).refreshtoken)
    expect(sent.slice(0, 2)).toEqual(['seed', 'r1'])
    expect(new Set(sent).size).toBe(sent.length)
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
    const { query, upstream } = await opening(
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
    const { query, upstream } = await opening(
      () => ({ status: 401, body: {} }),
      (_seen, count) => granted(count),
    )
    const { errors } = await query(ARTIST)
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_FORBIDDEN'])
    expect(upstream.requests).toHaveLength(2)
  })

  test('27: a refused refresh token is reported as such to everybody who waits, without a loop', async () => {
    const { query, upstream } = await opening(NAMED, () => ({
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
    const { query, upstream } = await opening(NAMED, () => ({
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

  test.each([400, 401, 403, 500])(
    '30, 32: no token is in an answer, an error, a log or an address, though the service repeats it with a %i',
    async (status) => {
      const ACCESS = 'access-4711'
      const ROTATED = 'rotated-4712'
      const upstream = await openScript(
        () => ({ status, body: { error: `Bearer ${ACCESS} failed, refresh ${ROTATED}` } }),
        () => ({
          body: { token: ACCESS, expires_in: 3600, refresh_token: ROTATED, scope: 'api' },
        }),
      )
      const lines: string[] = []
      const write = (line: unknown) => lines.push(String(line)) > 0
      const spies = [process.stderr, process.stdout].map((stream) =>
        vi.spyOn(stream, 'write').mockImplementation(write),
      )
      const { gateway, query } = openGateway(upstream.url, { LOG_LEVEL: 'debug' })
      const result = await query(ARTIST)
      await gateway.close()
      await upstream.close()
      for (const spy of spies) spy.mockRestore()
      expect(result.errors).toHaveLength(1)
      expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${ACCESS}`)
      const places = [
        JSON.stringify(result),
        lines.join(''),
        JSON.stringify(upstream.requests.map(({ path, query: pairs }) => [path, pairs])),
      ]
      for (const place of places)
        for (const token of [ACCESS, ROTATED, 'seed']) expect(place).not.toContain(token)
    },
  )

  test('32: a token is taken out of a record that repeats it, and of what is held of it', async () => {
    const { query } = await opening(
      ({ headers: { authorization } }) => ({
        body: { obj: { id: 5, name: 'Ada', rank: 1, echo: authorization, list: [authorization] } },
      }),
      () => granted(1, { token: 'access-4711' }),
    )
    for (let turn = 0; turn < 3; turn += 1) {
      const { data, errors } = await query('{ artist(cmId: 5) { name additionalFields } }')
      expect(errors).toEqual([])
      expect(data.artist.name).toBe('Ada')
      expect(data.artist.additionalFields).toMatchObject({ echo: 'Bearer [secret]' })
      expect(JSON.stringify(data)).not.toContain('access-4711')
    }
  })

  test('32: a token is taken out however long it is, and nothing that only begins like it', async () => {
    const long = Array.from({ length: 6_000 }, (_, place) => `${place}.`).join('')
    const { query } = await opening(
      () => ({ body: { obj: { id: 5, name: 'Ada', echo: `x ${long} ${long.slice(0, 500)} y` } } }),
      () => granted(1, { refresh_token: long }),
    )
    const { data, errors } = await query('{ artist(cmId: 5) { name additionalFields } }')
    expect(errors).toEqual([])
    const echo = `x [secret] ${long.slice(0, 500)} y`
    expect(data.artist).toMatchObject({ name: 'Ada', additionalFields: { echo } })
  })

  test('32: a token is taken out beside a string of a great many escapes', async () => {
    const echo = 'a\n'.repeat(5_000_000)
    const { query } = await opening(
      () => ({ body: { obj: { id: 5, name: 'Ada access-4711', echo } } }),
      () => granted(1, { token: 'access-4711' }),
    )
    const { data, errors } = await query('{ artist(cmId: 5) { name } }')
    expect(errors).toEqual([])
    expect(data.artist).toEqual({ name: 'Ada [secret]' })
  })

  test('32: a token is taken out of a complaint that repeats it', async () => {
    const { query } = await opening(
      () => ({ status: 400, body: { error: 'access-4711 may not ask for this' } }),
      () => granted(1, { token: 'access-4711' }),
    )
    const { errors } = await query(ARTIST)
    expect(errors[0]?.message).toMatch(/ may not ask for this$/)
    expect(JSON.stringify(errors)).not.toContain('access-4711')
  })

  test.each([
    ['slashes escaped', 'aaaa/bbbb+cccc==', 'x aaaa\\/bbbb+cccc== y', 'x [secret] y'],
    ['a letter escaped', 'access-4711', 'x acce\\u0073s-4711 y', 'x [secret] y'],
    ['signs escaped', 'access<4711>+', 'x access\\u003c4711\\u003E\\u002B y', 'x [secret] y'],
    ['in an address', 'aaaa/bbbb+cccc==', 'x?a=aaaa%2Fbbbb%2bcccc%3D%3D y', 'x?a=[secret] y'],
    ['quotes in it', 'access"4711\\', 'x access\\"4711\\\\ y', 'x [secret] y'],
    ['digits alone', '47114711', 'x 47114711 y', 'x [secret] y'],
    [
      'digits within longer ones',
      '47114711',
      'x 1471147112 47114711.5 y',
      'x 1471147112 47114711.5 y',
    ],
    ['the letter of an escape before it', 'n7114711', 'x\\n7114711 y', 'x\n7114711 y'],
    ['too few letters', 'seven77', 'x seven77 y', 'x seven77 y'],
    ['the newest refresh token', 'access-4711', 'x rotated-4712 y', 'x [secret] y'],
    ['the configured refresh token', 'access-4711', 'x configured-4710 y', 'x [secret] y'],
  ])('32: a token is taken out of a record and a complaint: %s', async (_, token, echo, told) => {
    const record = `{"obj":{"id":5,"name":"Ada","cm_artist_rank":147114711,"count":47114711,"echo":"${echo}"}}`
    const upstream = await openScript(
      (_seen, count) =>
        count === 1 ? { text: record } : { status: 400, text: `{"error":"${echo}"}` },
      () => granted(1, { token, refresh_token: 'rotated-4712' }),
    )
    const { gateway, query } = openGateway(upstream.url, {
      UPSTREAM_REFRESH_TOKEN: 'configured-4710',
    })
    open.push({
      async close() {
        await gateway.close()
        await upstream.close()
      },
    })
    const { data, errors } = await query('{ artist(cmId: 5) { name rank additionalFields } }')
    expect(errors).toEqual([])
    expect(data.artist).toMatchObject({
      name: 'Ada',
      rank: 147114711,
      additionalFields: { count: 47114711, echo: told },
    })
    const refused = await query('{ artist(cmId: 6) { rank } }')
    expect(refused.errors[0]?.message).toMatch(new RegExp(`: ${told.replace(/\W/g, '.')}$`))
  })

  test.each([400, 401, 403, 429, 500])(
    '30: a refresh token is not told, though a %i of the token endpoint repeats it',
    async (status) => {
      const clock = createFakeClock()
      const upstream = await openScript(NAMED, ({ body }) => ({
        status,
        body: { error: JSON.parse(body).refreshtoken },
      }))
      const { gateway, query } = openGateway(upstream.url, {}, { clock })
      open.push({
        async close() {
          await gateway.close()
          await upstream.close()
        },
      })
      const asked = query(ARTIST)
      const isAnswered = asked.then(() => true)
      while (!(await Promise.race([isAnswered, clock.pass(100).then(() => false)])));
      const { errors } = await asked
      expect(upstream.tokens.length).toBeGreaterThan(0)
      expect(errors).toHaveLength(1)
      expect(JSON.stringify(errors)).not.toContain('seed')
    },
  )

  test('33: a token call takes its place in the rate like any other', async () => {
    const clock = createFakeClock()
    const upstream = await openScript(NAMED)
    const { gateway, query } = openGateway(upstream.url, { UPSTREAM_RPS: '1' }, { clock })
    open.push({
      async close() {
        await gateway.close()
        await upstream.close()
      },
    })
    const asked = query(ARTIST)
    await vi.waitFor(
      () => expect([upstream.tokens.length, gateway.transport.gate.waiting]).toEqual([1, 1]),
      15_000,
    )
    await clock.pass(900)
    expect(upstream.requests).toHaveLength(0)
    await vi.waitFor(
      async () => {
        await clock.pass(100)
        expect(upstream.requests).toHaveLength(1)
      },
      { timeout: 15_000, interval: 50 },
    )
    expect((await asked).data.artist.name).toBe('Ada')
  })

  test('34: scope is not looked into', async () => {
    const { query } = await opening(NAMED, (_seen, count) =>
      granted(count, { scope: ['x', { y: 1 }] }),
    )
    expect((await query(ARTIST)).data.artist.name).toBe('Ada')
  })
})
