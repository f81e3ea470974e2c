import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRun } from '../support/run.ts'
import { openServer } from '../support/server.ts'

let run: Awaited<ReturnType<typeof openRun>>
let server: Awaited<ReturnType<typeof openServer>>
let address: string
beforeAll(async () => {
  run = await openRun()
  server = await openServer(run.gateway)
  address = server.address
})
afterAll(async () => {
  // Not every page is read to its end.
  await server.close()
  await run.close()
})

const QUERY = encodeURIComponent('{ artist(cmId: 5) { name } }')

/** What is answered where the whole address is asked for, as proxies write it. */
const askWhole = (method: string, target: string, body = '') =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const headers = method === 'POST' ? { 'content-type': 'application/json' } : {}
    const sent = request(address, { method, path: target, headers }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() })
    })
    sent.on('error', reject).end(body)
  })

const RESPONSE = 'application/graphql-response+json'

describe('the HTTP face', () => {
  test('answers GET and POST, the probes, and nothing else', async () => {
    expect(
      (await (await fetch(`${address}/graphql?query=${QUERY}`)).json()).data.artist.name,
    ).toEqual(expect.any(String))
    expect((await fetch(`${address}/livez`)).status).toBe(200)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
  })

  test('says in plain words where nothing is, and what it can give where Accept names none of it', async () => {
    const nothing = await fetch(`${address}/other`)
    expect([nothing.status, nothing.headers.get('content-type')]).toEqual([
      404,
      'text/plain; charset=utf-8',
    ])
    expect(await nothing.text()).toBe('Nothing is here: operations are sent to /graphql\n')
    const body = JSON.stringify({ query: '{ artist(cmId: 5) { name } }' })
    for (const type of ['application/json', 'application/json; charset=latin1']) {
      const headers = { accept: 'image/png', 'content-type': type }
      const none = await fetch(`${address}/graphql`, { method: 'POST', headers, body })
      expect([none.status, none.headers.get('content-type')]).toEqual([
        406,
        'text/plain; charset=utf-8',
      ])
      expect(await none.text()).toContain('application/json')
    }
  })

  test('takes a target that is a whole address by its path', async () => {
    const query = '{ artist(cmId: 5) { cmId } }'
    const told = (where: string) =>
      Promise.all([
        askWhole('GET', `${where}/graphql?query=${encodeURIComponent(query)}`),
        askWhole('POST', `${where}/graphql`, JSON.stringify({ query })),
        askWhole('POST', `${where}/graphql?a=/b`, JSON.stringify({ query })),
      ])
    for (const where of [address, 'http://other.example:81', 'HTTPS://other.example', ''])
      for (const { status, text } of await told(where))
        expect([status, JSON.parse(text).data]).toEqual([200, { artist: { cmId: 5 } }])
    const statusOf = async (target: string) => (await askWhole('GET', target)).status
    expect(await statusOf('http://other.example/livez')).toBe(200)
    for (const at of ['http://a.example', 'http://a.example?a', 'http://a.example/'])
      expect(await statusOf(at)).toBe(302)
    for (const at of ['http://a.example/graphq', 'ftp://a.example/graphql'])
      expect(await statusOf(at)).toBe(404)
  })

  test.each([
    ['application/json;q=0.9, application/graphql-response+json;q=0.1', 'application/json'],
    ['application/json;q=0.1, application/graphql-response+json', RESPONSE],
    ['application/json;q=0.5, application/graphql-response+json;q=0.5', 'application/json'],
    ['application/graphql-response+json;q=0.5, application/json;q=0.5', RESPONSE],
    ['application/graphql-response+json; q=0, application/json', 'application/json'],
    ['application/json;Q=0, application/*;q=0.3', RESPONSE],
    ['application/json;q=0.2, */*;q=0.1', 'application/json'],
    ['application/graphql-response+json;charset=utf-8;q=1.000, */*;q=0.8', RESPONSE],
    ['application/graphql-response+json;charset=latin1;q=1, */*;q=0.8', 'application/json'],
    ['multipart/mixed;deferSpec=20220824, application/json', 'application/json'],
    [`multipart/mixed;deferSpec=20220824, ${RESPONSE}, application/json`, RESPONSE],
    ['text/event-stream, multipart/mixed, */*', 'application/json'],
    ['text/html;q=0.9, application/json', 'application/json'],
    ['text/html, application/json;q=0.9', 'text/html'],
    ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'text/html'],
  ])('weighs Accept: %s', async (accept, type) => {
    for (const _time of ['first', 'second', 'third']) {
      const answer = await fetch(`${address}/graphql?query=${QUERY}`, { headers: { accept } })
      expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    }
    if (type === 'text/html') return
    for (const _time of ['first', 'second', 'third']) {
      const posted = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { accept, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ artist(cmId: 5) { name } }' }),
      })
      expect(posted.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    }
  })

  test.each([
    ['multipart/mixed', 'multipart/mixed; boundary="-"'],
    ['multipart/mixed;deferSpec=20220824, application/json;q=0.9', 'multipart/mixed; boundary="-"'],
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream, multipart/mixed', 'text/event-stream'],
  ])('gives a whole answer as one part to who wants parts: %s', async (accept, type) => {
    const body = JSON.stringify({ query: '{ artist(cmId: 5) { cmId } }' })
    const headers = { accept, 'content-type': 'application/json' }
    for (const _time of ['first', 'second']) {
      const answer = await fetch(`${address}/graphql`, { method: 'POST', headers, body })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(answer.headers.has('content-encoding')).toBe(false)
      const parts = (await answer.text()).split('\n').filter((line) => line.includes('{'))
      expect(parts.map((part) => JSON.parse(part.replace(/^data: /, '')).data)).toEqual([
        { artist: { cmId: 5 } },
      ])
    }
  })

  test.each([
    'application/json;q=0',
    'application/json;q=0, application/graphql-response+json;q=0.000',
    '*/*;q=0',
    'image/png, application/*;q=0',
    'image/png',
    'application/json;charset=latin1',
  ])('spends nothing on an answer that nobody takes: %s', async (accept) => {
    const before = run.meter.credits
    const query = `{ artist(cmId: ${500 + accept.length}) { rank } }`
    const headers = { accept, 'content-type': 'application/json' }
    const sent = [
      fetch(`${address}/graphql?query=${encodeURIComponent(query)}`, { headers }),
      fetch(`${address}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) }),
    ]
    for (const answer of await Promise.all(sent)) {
      expect(answer.status).toBe(406)
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await answer.text()).toContain('application/json, application/graphql-response+json')
    }
    expect(run.meter.credits).toBe(before)
  })

  test.each(['', 'application/json;q=high', 'application/json;q=1.5', 'application/json;v=1'])(
    'takes an Accept that weighs nothing as it names: "%s"',
    async (accept) => {
      const answer = await fetch(`${address}/graphql?query=${QUERY}`, { headers: { accept } })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    },
  )

  test('shows a browser the explorer, with a query in the address too', async () => {
    const page = await fetch(`${address}/graphql?query=${QUERY}`, {
      headers: { accept: 'text/html,*/*' },
    })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
