import { request } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRun } from '../support/run.ts'
import { openServer } from '../support/server.ts'

let run: Awaited<ReturnType<typeof openRun>>
let server: Awaited<ReturnType<typeof openServer>>
let url: string
beforeAll(async () => {
  run = await openRun()
  server = await openServer(run.gateway)
  url = `${server.address}/graphql`
})
afterAll(async () => {
  await server.close()
  await run.close()
})

const BODY = JSON.stringify({ query: '{ artist(cmId: 5) { name } }' })
const QUERY = encodeURIComponent('{ artist(cmId: 5) { name } }')
const post = (headers: Record<string, string>, body: BodyInit = BODY) =>
  fetch(url, { method: 'POST', headers, body })

/** The status of a POST whose length is told nowhere. */
const inPieces = (body: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    sent.on('error', reject)
    for (let at = 0; at < body.length; at += 50_000) sent.write(body.slice(at, at + 50_000))
    sent.end()
  })

/** So many answers to what is sent over a connection of its own, each from its status on. */
const exchange = (sent: string, count: number) =>
  new Promise<string[]>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ''
    const answers = () => text.split('HTTP/1.1 ').slice(1)
    socket
      .on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (answers().length >= count && text.endsWith('}')) socket.destroy()
      })
      .on('close', () => resolve(answers()))
      .on('error', reject)
      .write(sent)
  })

describe('the form of a request', () => {
  test('9: an array of 2, 10 or 1,000 operations is refused', async () => {
    for (const count of [2, 10, 1000]) {
      const body = JSON.stringify(Array(count).fill({ query: '{ __typename }' }))
      const answer = await post({ 'content-type': 'application/json' }, body)
      expect(answer.status).toBe(400)
      expect((await answer.json()).data).toBeUndefined()
    }
  })

  test('9: what is deeper than 64 levels is refused, wherever in a request it is', async () => {
    const accept = 'application/graphql-response+json'
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const posted = (members: string) =>
      post({ 'content-type': 'application/json', accept }, `{"query":"{ __typename }",${members}}`)
    const got = (variables: string) =>
      fetch(`${url}?query=${encodeURIComponent('{ __typename }')}&variables=${variables}`, {
        headers: { accept, 'x-credits-limit': '5' },
      })
    const ways: ((levels: number) => Promise<Response>)[] = [
      (levels) => posted(`"variables":{"a":${nested(levels - 2)}}`),
      (levels) => posted(`"extensions":{"a":${nested(levels - 2)}}`),
      (levels) => got(`{"a":${nested(levels - 2)}}`),
    ]
    // Once the long way, once the short one.
    for (const ask of [...ways, ...ways]) {
      expect((await ask(64)).status).toBe(200)
      for (const levels of [65, 6_000]) {
        const answer = await ask(levels)
        expect(answer.status).toBe(400)
        const [{ message, extensions }] = (await answer.json()).errors
        expect(message).toBe('at most 64 levels of a request are read')
        expect(extensions.code).toBe('BAD_USER_INPUT')
      }
    }
  })

  test.each([
    ['no query', '{"variables":DEEP}'],
    ['a query that is no text', '{"query":DEEP}'],
    ['a name that is no text', '{"query":"{ __typename }","operationName":DEEP}'],
    ['variables that are no object', '{"query":"{ __typename }","variables":DEEP}'],
    ['a member of another name', '{"query":"{ __typename }","other":DEEP}'],
  ])('9: a body with %s is no request, however deep it is', async (_, body) => {
    const messageOf = async (levels: number) => {
      const deep = `${'['.repeat(levels)}1${']'.repeat(levels)}`
      const answer = await post({ 'content-type': 'application/json' }, body.replace('DEEP', deep))
      expect(answer.status).toBe(400)
      return (await answer.json()).errors[0].message.split(', got')[0]
    }
    for (const levels of [100, 20_000]) expect(await messageOf(levels)).toBe(await messageOf(1))
  })

  test('14: a GET from another site without a header of ours is refused, and a mutation by GET', async () => {
    const before = run.meter.requests.length
    const get = (headers: Record<string, string>, query = QUERY) =>
      fetch(`${url}?query=${query}`, { headers })
    const statusOf = async (site: string, headers = {}) =>
      (await get({ 'sec-fetch-site': site, ...headers })).status
    expect(await statusOf('cross-site')).toBe(403)
    expect(run.meter.requests).toHaveLength(before)
    expect((await get({}, encodeURIComponent('mutation { a }'))).status).toBe(405)
    for (const site of ['same-origin', 'same-site', 'none']) expect(await statusOf(site)).toBe(200)
    expect(await statusOf('cross-site', { 'x-credits-limit': '5' })).toBe(200)
    expect((await get({})).status).toBe(200)
  })

  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/graphql',
    'application/jsonp',
    '',
  ])('15: a body of the type "%s" is answered with 415', async (type) => {
    const answer = await post({ 'content-type': type }, new TextEncoder().encode(BODY))
    const [{ message, extensions }] = (await answer.json()).errors
    expect([answer.status, extensions.code]).toEqual([415, 'BAD_USER_INPUT'])
    expect(message).toContain('Content-Type: application/json')
    expect(answer.headers.get('accept')).toBe('application/json')
  })

  test('what is no query is refused whole, be it in a document with one', async () => {
    const headers = {
      accept: 'application/graphql-response+json',
      'content-type': 'application/json',
    }
    for (const query of [
      'mutation { a }',
      'subscription { a }',
      'query A { __typename } mutation B { a }',
    ]) {
      const body = JSON.stringify({ query, operationName: query.startsWith('query') ? 'A' : null })
      const answer = await post(headers, body)
      const { errors, ...others } = await answer.json()
      expect([answer.status, others, errors.length], query).toEqual([400, {}, 1])
      expect(errors[0].message).toMatch(/^there is no (mutation|subscription) here/)
    }
  })

  test('15: JSON by any of its names is read', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/graphql+json',
    ])
      expect((await post({ 'content-type': type })).status).toBe(200)
  })

  test('16: an origin that nobody allowed gets no CORS header, whatever it looks like', async () => {
    const open = await openRun({
      env: { CORS_ORIGINS: 'https://good.example,https://fine.example' },
    })
    const { address, close } = await openServer(open.gateway)
    const headersFor = async (origin: string) =>
      (await fetch(`${address}/graphql?query=${QUERY}`, { headers: { origin } })).headers
    const preflight = async (origin: string) => {
      const asked = { 'access-control-request-method': 'POST' }
      const sent = { method: 'OPTIONS', headers: { origin, ...asked } }
      return (await fetch(`${address}/graphql`, sent)).headers
    }
    const bad = [
      'https://evil.example',
      'null',
      'https://good.example.evil.example',
      'http://good.example',
    ]
    for (const origin of bad) {
      const told = [...(await headersFor(origin)).keys(), ...(await preflight(origin)).keys()]
      expect(told.filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
    for (const told of [headersFor, preflight]) {
      const headers = await told('https://good.example')
      expect(headers.get('access-control-allow-origin')).toBe('https://good.example')
      expect(headers.get('vary')?.toLowerCase()).toContain('origin')
    }
    const crossing = (origin: string) =>
      fetch(`${address}/graphql?query=${QUERY}`, {
        headers: { origin, 'sec-fetch-site': 'cross-site' },
      })
    expect((await crossing('https://good.example')).status).toBe(200)
    for (const origin of bad) expect((await crossing(origin)).status).toBe(403)
    await close()
    await open.close()
  })

  test.each([
    '{"query": hunter2}',
    '{',
    '"hunter2"',
    'null',
    '[]',
    '{"query":"{ __typename }","variables":"hunter2"}',
  ])('19: a body that cannot be read is refused in fixed words: %s', async (body) => {
    const answer = await post({ 'content-type': 'application/json' }, body)
    const text = await answer.text()
    expect(answer.status).toBe(400)
    expect(text).not.toContain('hunter2')
    expect(JSON.parse(text).errors[0].extensions).toEqual({
      code: 'BAD_USER_INPUT',
      requestId: answer.headers.get('x-request-id'),
    })
  })

  test.each(['variables', 'extensions'])(
    '19: %s of a GET that are no JSON are refused',
    async (name) => {
      const answer = await fetch(`${url}?query=${QUERY}&${name}={hunter2`)
      const { errors } = await answer.json()
      expect(answer.status).toBe(400)
      expect(errors).toEqual([
        {
          message: `${name} must be JSON`,
          extensions: {
            code: 'BAD_USER_INPUT',
            argument: name,
            requestId: answer.headers.get('x-request-id'),
          },
        },
      ])
    },
  )

  test.each([
    [99_999, 200],
    [100_000, 200],
    [100_001, 413],
  ])('4: a body in pieces of %i bytes has the bound of any other: %i', async (length, status) => {
    expect(await inPieces(`{"query":"{ __typename }"${' '.repeat(length - 26)}}`)).toBe(status)
    expect((await post({ 'content-type': 'application/json' })).status).toBe(200)
  })

  test.each([
    ['GET', 200, `/graphql?query=${QUERY}`],
    ['PUT', 405, '/graphql'],
    ['DELETE', 405, '/graphql'],
  ])(
    '4: what a %s brings along is not read, however long it is: %i',
    async (method, status, path) => {
      const long = ' '.repeat(150_000)
      const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${long.length}\r\n\r\n`
      for (const sent of [head, head + long]) {
        const [answer] = await exchange(sent, 1)
        expect(answer).toMatch(new RegExp(`^${status} `))
        expect(answer?.toLowerCase()).toContain(status === 405 ? 'allow: get, post\r\n' : '"name"')
      }
    },
  )

  test.each([
    ['application/json', [undefined, '*/*', 'application/json']],
    ['application/graphql-response+json', ['application/graphql-response+json']],
  ])(
    '4: a body that is too long is refused as %s, however its length shows',
    async (type, takes) => {
      const long = ' '.repeat(150_000)
      const piece = `${(50_000).toString(16)}\r\n${' '.repeat(50_000)}\r\n`
      for (const accept of takes) {
        const head = (how: string) =>
          `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-Id: long\r\n${accept === undefined ? '' : `Accept: ${accept}\r\n`}${how}\r\n\r\n`
        const next = `${head(`Content-Length: ${BODY.length}`)}${BODY}`
        const [told, shown] = await Promise.all(
          [
            `${head('Content-Length: 150000')}${long}`,
            `${head('Transfer-Encoding: chunked')}${piece.repeat(3)}0\r\n\r\n`,
          ].map(async (sent) => {
            // The connection stays, so that what comes next is answered.
            const [refusal = '', answer] = await exchange(sent + next, 2)
            expect(answer).toMatch(/^200 /)
            return refusal.replace(/^date: .*\r\n/im, '')
          }),
        )
        expect(told).toBe(shown)
        expect(told).toMatch(/^413 /)
        expect(told?.toLowerCase()).toContain(`content-type: ${type}; charset=utf-8\r\n`)
        const [{ message, extensions }] = JSON.parse(told?.split('\r\n\r\n')[1] ?? '').errors
        expect(message).toContain('100000 bytes')
        expect(extensions).toEqual({ code: 'BAD_USER_INPUT', requestId: 'long' })
      }
    },
  )

  test('57: a packed body is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20))
    for (const coding of ['gzip', 'br', 'deflate', 'gzip, gzip']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding }
      expect((await post(headers, bomb)).status).toBe(415)
    }
    expect(
      (await post({ 'content-type': 'application/json', 'content-encoding': 'identity' })).status,
    ).toBe(200)
  })
})
