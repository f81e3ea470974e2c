import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import { serve } from '../support/server.ts'

const ARTIST = '{ artist(cmId: 5) { name } }'
const NAMED = () => ({ body: { obj: { id: 5, name: 'Ada' } } })

const open = async (...script: Parameters<typeof openScripted>) => {
  const run = await openScripted(...script)
  onTestFinished(() => run.close())
  return run
}

describe('headers on their way through', () => {
  test('35: nothing of what a client sends reaches the service', async () => {
    const run = await open(NAMED)
    await run.query(
      ARTIST,
      {},
      {
        authorization: 'Bearer of-a-client',
        cookie: 'session=of-a-client',
        'x-forwarded-for': '1.2.3.4',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'x-original-url': '/api/token',
        'x-custom': 'of-a-client',
        'accept-language': 'de',
      },
    )
    const [seen] = run.upstream.requests
    expect(seen?.path).toBe('/api/artist/5')
    expect(seen?.headers.authorization).toBe('Bearer t1')
    expect(seen?.headers.host).toBe(new URL(run.upstream.url).host)
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
    ])
    expect(JSON.stringify([seen, run.upstream.tokens])).not.toMatch(/of-a-client|evil/)
  })

  test('35: a forged host changes no address that the gateway tells', async () => {
    const run = await open(NAMED)
    const { address } = await serve(run.gateway)
    const { request } = await import('node:http')
    const text = await new Promise<string>((resolve, reject) => {
      request(
        `${address}/`,
        { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } },
        (answer) => {
          resolve(JSON.stringify([answer.statusCode, answer.headers]))
          answer.resume()
        },
      )
        .on('error', reject)
        .end()
    })
    expect(text).not.toContain('evil')
    expect(text).toContain('"location":"/graphql"')
  })

  test('36: the name of a request is a plain word of 64 characters at most, or one of ours', async () => {
    const run = await open(NAMED)
    const { address } = await serve(run.gateway)
    const idFor = async (given: string, query = ARTIST) => {
      const answer = await fetch(`${address}/graphql?query=${encodeURIComponent(query)}`, {
        headers: { 'x-request-id': given },
      })
      const { errors } = await answer.json()
      return { id: answer.headers.get('x-request-id'), errors }
    }
    expect((await idFor('abc-1.2:3_4')).id).toBe('abc-1.2:3_4')
    for (const given of ['', 'a b', 'caf\u00e9', '<script>', '"', 'a;b', 'x'.repeat(65)])
      expect((await idFor(given)).id).toMatch(/^[0-9a-f-]{36}$/)
    const { id, errors } = await idFor('<b>', '{ artist(cmId: 0) { name } nothing }')
    expect(errors[0].extensions.requestId).toBe(id)
    // CR and LF cannot be sent by a client library; over the wire they end the header, or the connection.
    const raw = connect(Number(new URL(address).port), '127.0.0.1')
    let text = ''
    raw.on('data', (chunk) => {
      text += chunk
    })
    raw.end('GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-request-id: a\rb: c\r\n\r\n')
    await once(raw, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 400/)
  })

  test('37: partial data is asked for by an argument only, and is another answer', async () => {
    const run = await open(NAMED)
    await run.query(ARTIST, {}, { 'x-accept-partial-data': 'true' })
    expect(run.upstream.requests[0]?.headers['x-accept-partial-data']).toBeUndefined()
    await run.query('{ artist(cmId: 5, allowPartial: true) { name } }')
    expect(run.upstream.requests.map(({ headers }) => headers['x-accept-partial-data'])).toEqual([
      undefined,
      'true',
    ])
    await run.query(ARTIST)
    expect(run.upstream.requests).toHaveLength(2)
  })

  test.each([301, 302, 303, 307, 308])('62: a %i elsewhere is not followed', async (status) => {
    const other = await open(NAMED)
    const run = await open(() => ({
      status,
      headers: { location: `${other.upstream.url}/api/artist/5` },
    }))
    const { errors } = await run.query(ARTIST)
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_UNAVAILABLE'])
    expect([run.upstream.requests.length, other.upstream.requests.length]).toEqual([1, 0])
  })

  test('62: cookies, alternative addresses and links of the service are let lie', async () => {
    const run = await open(() => ({
      ...NAMED(),
      headers: {
        'set-cookie': 'session=of-the-service',
        'alt-svc': 'h3="evil.example:443"',
        link: '<https://evil.example/x>; rel=preload',
        refresh: '0; url=https://evil.example',
      },
    }))
    const { address } = await serve(run.gateway)
    const answer = await fetch(`${address}/graphql?query=${encodeURIComponent(ARTIST)}`)
    for (const name of ['set-cookie', 'alt-svc', 'link', 'refresh'])
      expect(answer.headers.get(name)).toBeNull()
    await run.query('{ artist(cmId: 6) { name } }')
    expect(run.upstream.requests[1]?.headers.cookie).toBeUndefined()
    expect(run.upstream.requests).toHaveLength(2)
  })
})
