import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdminServer } from '../../src/server/admin.ts'
import { openRun } from '../support/run.ts'
import { openServer } from '../support/server.ts'

let run: Awaited<ReturnType<typeof openRun>>
let server: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  run = await openRun()
  server = await openServer(run.gateway)
})
afterAll(async () => {
  await server.close()
  await run.close()
})

const BODY = JSON.stringify({ query: '{ __typename }' })
const post = (headers: string, body = BODY) =>
  `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`
const good = (more = '') => post(`${more}content-length: ${BODY.length}`)

/** Says something raw and half-closes, if nothing else is said; gives all that comes back until the server closes. */
const say = async (
  text: string | Buffer,
  address = server.address,
  isAll = true,
): Promise<string> => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (isAll) socket.end(text)
  else socket.write(text)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return Buffer.concat(chunks).toString('latin1')
}

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

const isUp = async () => (await fetch(`${server.address}/livez`)).status === 200

describe('what comes over a socket', () => {
  test('55: slow and idle sockets have their rows among the faults', () => {
    const rows = ['socket', 'reader'].map((name) =>
      readFileSync(new URL(`../fault/${name}.test.ts`, import.meta.url), 'utf8'),
    )
    for (const row of ['S4', 'S6', 'S8']) expect(rows.join()).toContain(`test('${row}: `)
  })

  test.each([
    ['a header of 100 kB', good(`x: ${'y'.repeat(100_000)}\r\n`), 431],
    [
      '1,000 headers',
      good(Array.from({ length: 1000 }, (_, at) => `x-${at}: 1\r\n`).join('')),
      431,
    ],
    ['65 headers', good(Array.from({ length: 62 }, (_, at) => `x-${at}: 1\r\n`).join('')), 431],
    ['two lengths', post(`content-length: ${BODY.length}\r\ncontent-length: 5`), 400],
    [
      'a length and chunks',
      post(`content-length: ${BODY.length}\r\ntransfer-encoding: chunked`, '0\r\n\r\n'),
      400,
    ],
    ['a chunk that is none', post('transfer-encoding: chunked', 'zz\r\nhello\r\n0\r\n\r\n'), 400],
    ['a length that is no number', post('content-length: 5x'), 400],
    ['a space before the colon', good('x : 1\r\n'), 400],
    ['a bare line feed within the head', 'GET /livez HTTP/1.1\nhost: a\n\n', 400],
    ['a NUL in a header', good('x: a\u0000b\r\n'), 400],
    ['a folded header', good('x: a\r\n b\r\n'), 400],
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
  ])('56: %s is refused, and the connection ends', async (_, text, status) => {
    const answer = await say(text)
    expect(statusesOf(answer)[0] ?? status).toBe(status)
    expect(statusesOf(answer).length).toBeLessThanOrEqual(2)
    expect(answer).not.toMatch(/HTTP\/1\.1 200/)
    expect(await isUp()).toBe(true)
  })

  test('56: 64 headers are read', async () => {
    const more = Array.from({ length: 60 }, (_, at) => `x-${at}: 1\r\n`).join('')
    expect(statusesOf(await say(good(`connection: close\r\n${more}`)))).toEqual([200])
  })

  test.each([
    ['HTTP/1.0', 'GET /livez HTTP/1.0\r\n\r\n', [200]],
    [
      'an absolute address',
      'GET http://evil.example/livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
      [200],
    ],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', [404]],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: a\r\n\r\n', []],
    [
      'an upgrade',
      'GET /livez HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      [200],
    ],
    ['a method of no one', 'BREW /graphql HTTP/1.1\r\nhost: a\r\n\r\n', [400]],
    ['TRACE', 'TRACE /graphql HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', [405]],
    ['a host that is none', 'PUT /graphql HTTP/1.1\r\nhost: ]\r\nconnection: close\r\n\r\n', [400]],
    ['a path with a NUL', 'GET /liv%00ez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', [404]],
    [
      'a path out of its folder',
      'GET /../../etc/passwd HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
      [404],
    ],
    ['a broken escape', 'GET /%E0%A4%A HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', [404]],
    [
      'an expectation',
      post(`expect: 100-continue\r\nconnection: close\r\ncontent-length: ${BODY.length}`),
      [100, 200],
    ],
    [
      'an expectation of no one',
      post(`expect: a-miracle\r\nconnection: close\r\ncontent-length: ${BODY.length}`),
      [417],
    ],
  ])('58: %s is answered or refused, and nothing breaks', async (_, text, statuses) => {
    expect(statusesOf(await say(text))).toEqual(statuses)
    expect(await isUp()).toBe(true)
  })

  test.each([
    'GET /livez HTTP/1.0\r\n\r\n',
    'GET http://evil.example/credits HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    'CONNECT evil.example:443 HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET /livez HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    `${'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100)}hello\r\n\r\n`,
  ])('58: on the operator’s port, %j is answered or refused, and nothing breaks', async (text) => {
    const settings = { port: 0, host: '127.0.0.1', isDraining: () => false }
    const admin = createAdminServer(run.gateway, settings)
    const address = await admin.listen()
    expect(statusesOf(await say(text, address)).filter((status) => status >= 500)).toEqual([])
    expect((await fetch(`${address}/livez`)).status).toBe(200)
    await admin.close()
  })

  test('58: of five thousand requests sent in one go each is answered, or refused where too many wait', async () => {
    const sent = good().repeat(4_999) + good('connection: close\r\n')
    const statuses = statusesOf(await say(sent, server.address, false))
    expect(statuses).toHaveLength(5_000)
    expect([...new Set(statuses)].filter((status) => ![200, 503].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2_000)
  })

  test('58: a hundred requests sent in one go are a hundred answers', async () => {
    // Half-closed, what has not begun by then would be for nobody.
    const answer = await say(
      good().repeat(99) + good('connection: close\r\n'),
      server.address,
      false,
    )
    expect(statusesOf(answer)).toEqual(Array(100).fill(200))
  })
})
