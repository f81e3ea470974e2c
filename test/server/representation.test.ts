import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpServer } from '../../src/server/http.ts'
import { openRun } from '../support/run.ts'

const ORIGIN = 'https://app.example.com'
const SMALL = '{ artist(cmId: 5) { name } }'
const WIDE = '{ playlists(platform: PLAT_B, first: 50) { nodes { cmId name ownerName } } }'

let run: Awaited<ReturnType<typeof openRun>>
let server: ReturnType<typeof createHttpServer>
let address: URL
beforeAll(async () => {
  run = await openRun({ env: { CORS_ORIGINS: ORIGIN } })
  const settings = { port: 0, host: '127.0.0.1', graphiql: true, sandbox: true }
  server = createHttpServer(run.gateway, settings)
  address = new URL(await server.listen())
})
afterAll(async () => {
  await server.close()
  await run.close()
})

const WAYS = ['GET', 'POST', 'POST in pieces', 'POST as graphql+json'] as const

/** Asks without a client that unpacks by itself. */
const ask = (way: (typeof WAYS)[number], query: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const method = way.slice(0, 4).trim()
      const body = method === 'POST' ? JSON.stringify({ query }) : ''
      const own = {
        'content-type': way.endsWith('graphql+json')
          ? 'application/graphql+json'
          : 'application/json',
        ...(way !== 'POST in pieces' && { 'content-length': body.length }),
      }
      const path = method === 'POST' ? '/graphql' : `/graphql?query=${encodeURIComponent(query)}`
      const { hostname: host, port } = address
      request({ host, port, path, method, headers: { ...headers, ...own } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const { statusCode: status = 0, headers: told } = answer
          resolve({ status, headers: told, body: Buffer.concat(chunks) })
        })
      })
        .on('error', reject)
        .end(body)
    },
  )

describe.each(WAYS)('what %s is answered', (method) => {
  test('is packed where that is asked for and worth it', async () => {
    const plain = await ask(method, WIDE)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const rows = JSON.parse(plain.body.toString()).data
    expect(rows.playlists.nodes).toHaveLength(50)
    const gzip = await ask(method, WIDE, { 'accept-encoding': 'br;q=0, gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gzip.body.length).toBeLessThan(plain.body.length / 2)
    expect(JSON.parse(gunzipSync(gzip.body).toString()).data).toEqual(rows)
    const brotli = await ask(method, WIDE, { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(brotli.body).toString()).data).toEqual(rows)
    const small = await ask(method, SMALL, { 'accept-encoding': 'gzip, br' })
    expect(small.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(small.body.toString()).data.artist.name).toEqual(expect.any(String))
  })

  test.each([
    ['br;q=0.1, gzip', 'gzip'],
    ['gzip;q=0.4, br;q=0.5', 'br'],
    ['GZIP;Q=0.5, deflate', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, gzip;q=0.6', 'gzip'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['gzip;q=0.5, identity;q=0.6', undefined],
    ['gzip;q=0, deflate', undefined],
    ['', undefined],
  ])('is packed by the weights of %s', async (accepted, coding) => {
    for (const _time of ['first', 'second']) {
      const told = await ask(method, WIDE, { 'accept-encoding': accepted })
      expect([told.status, told.headers['content-encoding']]).toEqual([200, coding])
    }
  })

  test('is packed, however short, where nothing else is taken, and not made where nothing is', async () => {
    const small = await ask(method, SMALL, { 'accept-encoding': 'identity;q=0, gzip;q=0.1' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(small.body).toString()).data.artist.name).toEqual(
      expect.any(String),
    )
    const before = run.meter.credits
    for (const accepted of ['identity;q=0', '*;q=0', 'deflate, *;q=0', 'br;q=0, identity;q=0']) {
      const unread = `{ artist(cmId: ${600 + accepted.length}) { rank } }`
      const none = await ask(method, unread, { 'accept-encoding': accepted })
      expect([none.status, none.headers['content-type'], none.headers['x-request-id']]).toEqual([
        406,
        'text/plain; charset=utf-8',
        expect.any(String),
      ])
    }
    expect(run.meter.credits).toBe(before)
  })

  test('has the validator of its data, and is not sent again to whoever has it', async () => {
    const asked = await Promise.all(
      [1, 2, 3].map(async () => (await ask(method, SMALL)).headers.etag),
    )
    const etag = String(asked[0])
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    expect(new Set(asked)).toEqual(new Set([etag]))
    expect((await ask(method, WIDE)).headers.etag).not.toBe(etag)
    const strong = etag.slice('W/'.length)
    for (const told of [
      etag,
      strong,
      `"other", ${etag}`,
      `"o,ther",${strong} , W/"x"`,
      '*',
      ' * ',
    ]) {
      const known = await ask(method, SMALL, { 'if-none-match': told })
      expect([told, known.status, known.body.length]).toEqual([told, 304, 0])
      expect(known.headers).toMatchObject({
        etag,
        'cache-control': expect.stringMatching(/max-age/),
      })
    }
    for (const told of ['"other"', `W/"other"`, strong.slice(1, -1), `"x${strong.slice(1)}`, '"*"'])
      expect((await ask(method, SMALL, { 'if-none-match': told })).status).toBe(200)
  })

  test('is sent to who has nothing of it (*) where it was bought for that', async () => {
    const before = run.meter.credits
    const query = `{ track(cmId: ${7001 + WAYS.indexOf(method)}) { name } }`
    const bought = await ask(method, query, { 'if-none-match': '*' })
    expect([bought.status, run.meter.credits]).toEqual([200, before + 1])
    expect(JSON.parse(bought.body.toString()).data.track.name).toEqual(expect.any(String))
    for (const _time of ['first', 'second'])
      expect((await ask(method, query, { 'if-none-match': '*' })).status).toBe(304)
    expect(run.meter.credits).toBe(before + 1)
  })

  test('varies by what changes it, and shows scripts of allowed sites its age', async () => {
    const { headers } = await ask(method, SMALL, { origin: ORIGIN })
    const vary = String(headers.vary).split(', ')
    for (const name of ['accept', 'accept-encoding', 'origin', 'authorization', 'x-api-key'])
      expect(vary).toContain(name)
    const exposed = String(headers['access-control-expose-headers']).toLowerCase()
    for (const name of ['age', 'cache-status', 'retry-after']) expect(exposed).toContain(name)
    expect((await ask(method, SMALL)).headers['access-control-expose-headers']).toBeUndefined()
  })

  test('has no validator where it has errors', async () => {
    const { headers, body } = await ask(method, '{ artist(cmId: 1) { name } }')
    expect(JSON.parse(body.toString()).errors).toHaveLength(1)
    expect(headers.etag).toBeUndefined()
  })
})

test('an answer is not bought anew for a script whose fetch adds `no-cache`, where that sends its own', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query: SMALL })
  const again = (more: Record<string, string>) =>
    fetch(new URL('/graphql', address), {
      method: 'POST',
      headers: { ...headers, 'if-none-match': '*', ...more },
      body,
    })
  await again({})
  const before = run.meter.credits
  expect((await again({ 'cache-control': 'no-transform' })).status).toBe(304)
  expect(run.meter.credits).toBe(before)
  expect((await again({})).headers.get('cache-status')).toMatch(/fwd=request/)
  expect(run.meter.credits).toBe(before + 1)
})
