import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpServer } from '../../src/server/http.ts'
import { openGateway } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'

let run: Awaited<ReturnType<typeof openRun>>
let server: ReturnType<typeof createHttpServer>
let address: string
beforeAll(async () => {
  run = await openRun()
  server = createHttpServer(run.gateway, {
    port: 0,
    host: '127.0.0.1',
    graphiql: true,
    sandbox: true,
  })
  address = await server.listen()
})
afterAll(async () => {
  await server.close()
  await run.close()
})

const QUERY = encodeURIComponent('{ artist(cmId: 5) { name } }')

describe('the HTTP face', () => {
  test('answers GET and POST, the probes, and nothing else', async () => {
    expect(
      (await (await fetch(`${address}/graphql?query=${QUERY}`)).json()).data.artist.name,
    ).toEqual(expect.any(String))
    expect((await fetch(`${address}/livez`)).status).toBe(200)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect((await fetch(`${address}/other`)).status).toBe(404)
  })

  test('shows a browser the explorer, with a query in the address too', async () => {
    const page = await fetch(`${address}/graphql?query=${QUERY}`, {
      headers: { accept: 'text/html,*/*' },
    })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('refuses a GET that a page of another site sends, and no other', async () => {
    const get = (headers: Record<string, string>) =>
      fetch(`${address}/graphql?query=${QUERY}`, { headers })
    const before = run.meter.credits
    expect((await get({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await get({ 'sec-fetch-site': 'cross-site', 'x-credits-limit': '5' })).status).toBe(200)
    expect((await get({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect(run.meter.credits).toBe(before)
  })

  test('sends no CORS header to origins that nobody allowed', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://good.example.evil.example']) {
      const { headers } = await fetch(`${address}/graphql?query=${QUERY}`, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

test('with introspection off the schema is not told, not even by hints', async () => {
  const closed = openGateway('http://127.0.0.1:9', { INTROSPECTION: '0' })
  const told = await closed.query('{ __schema { types { name } } }')
  expect(told.errors[0]?.message).toMatch(/introspection/i)
  const near = await closed.query('{ artst(cmId: 5) { name } }')
  expect(near.errors[0]?.message).toBe('Cannot query field "artst" on type "Query".')
  expect((await closed.query('{ __typename }')).data).toEqual({ __typename: 'Query' })
  await closed.gateway.close()
})
