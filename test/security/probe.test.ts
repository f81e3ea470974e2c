import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configOf, openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'
import { openServer } from '../support/server.ts'

/** The settings that production has by itself. */
const PRODUCTION = { NODE_ENV: 'production' }

let upstream: Awaited<ReturnType<typeof openScript>>
let opened: ReturnType<typeof openGateway>
let server: Awaited<ReturnType<typeof openServer>>
let url: string
beforeAll(async () => {
  upstream = await openScript(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
  opened = openGateway(upstream.url, PRODUCTION)
  server = await openServer(opened.gateway, configOf(PRODUCTION).graphiql)
  url = `${server.address}/graphql`
})
afterAll(async () => {
  await server.close()
  await opened.gateway.close()
  await upstream.close()
})

const JSON_TYPE = { 'content-type': 'application/json' }
const post = async (body: unknown, headers: Record<string, string> = JSON_TYPE) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}
const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ')

/** The twelve findings of graphql-cop, each asked for as it does. */
describe('69: the twelve probes of an audit, in production', () => {
  test('69: Alias Overloading: 101 aliases of one field cost no more than one', async () => {
    const { status, text } = await post({
      query: `{ ${many(101, (at) => `alias${at}: __typename`)} }`,
    })
    expect(status).toBe(200)
    // Allowed, and bounded: aliases are answered from one request, up to 1,000 root fields and the price of the operation.
    expect(Object.keys(JSON.parse(text).data)).toHaveLength(101)
    expect(upstream.requests).toHaveLength(0)
  })

  test('69: Batch Queries: ten at once are refused', async () => {
    expect((await post(Array(10).fill({ query: '{ __typename }' }))).status).toBe(400)
  })

  test('69: Directives Overloading: one ten times over is refused', async () => {
    const { text } = await post({ query: `{ __typename ${'@aa'.repeat(10)} }` })
    expect(text).not.toContain('"data"')
    expect(text).not.toMatch(/stack|at .*\.js/)
  })

  test('69: Circular Query using Introspection: refused', async () => {
    const { text } = await post({
      query:
        '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }',
    })
    expect(text).not.toContain('"data"')
  })

  test('69: Introspection: off', async () => {
    expect((await post({ query: '{ __schema { queryType { name } } }' })).text).not.toContain(
      '"data"',
    )
  })

  test('69: Field Duplication: one 500 times over is one', async () => {
    const { text } = await post({ query: `{ ${'__typename '.repeat(500)} }` })
    expect(text.length).toBeLessThan(1000)
  })

  test('69: Field Suggestions: none', async () => {
    expect((await post({ query: '{ artst }' })).text).not.toMatch(/did you mean/i)
  })

  test('69: GraphiQL: no explorer', async () => {
    for (const path of [
      '/',
      '/graphiql',
      '/playground',
      '/console',
      '/graphql',
      '/graphql/playground',
    ]) {
      const answer = await fetch(`${server.address}${path}`, { headers: { accept: 'text/html' } })
      expect(await answer.text()).not.toMatch(/graphiql|playground/i)
    }
  })

  test('69: Mutation support over GET: no method for it, and there is none at all', async () => {
    const answer = await fetch(`${url}?query=${encodeURIComponent('mutation { __typename }')}`)
    expect(answer.status).toBe(405)
  })

  test('69: GET based Queries: refused to a page of another site', async () => {
    const answer = await fetch(`${url}?query={__typename}`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(403)
  })

  test('69: POST based Queries using urlencoded payloads: refused', async () => {
    const { status } = await post('query={__typename}', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(status).toBe(415)
  })

  test('69: GraphQL Tracing / Debug Modes: none, and no text of a fault', async () => {
    const { text } = await post({ query: '{ __typename }' })
    expect(text).not.toContain('tracing')
    expect((await post('{"query":')).text).not.toMatch(/stack|SyntaxError|at .*\.js/)
  })
})

/** What graphql-cop asks in each of its probes, and what it takes for a finding. */
type Told = Awaited<ReturnType<typeof post>>
const cop = (query: string) => post({ query, operationName: 'cop' })
const dataOf = ({ text }: Told) => JSON.parse(text).data
const errorsOf = ({ text }: Told) => JSON.parse(text).errors ?? []
const byGet = async (query: string) => {
  const answer = await fetch(`${url}?query=${encodeURIComponent(query)}`)
  return { status: answer.status, text: await answer.text() }
}
const PROBES: Readonly<Record<string, () => Promise<boolean>>> = {
  'Alias Overloading': async () => {
    const aliases = many(101, (at) => `alias${at}:__typename \n`)
    return dataOf(await cop(`query cop { ${aliases} }`))?.alias100 !== undefined
  },
  'Array-based Query Batching': async () => {
    const one = { query: 'query cop { __typename }', operationName: 'cop' }
    const told = JSON.parse((await post(Array(10).fill(one))).text)
    return Array.isArray(told) && told.length >= 10
  },
  'Introspection-based Circular Query': async () => {
    const circle = `${'fields { type { '.repeat(4)}name${' } }'.repeat(4)}`
    const data = dataOf(await cop(`query cop { __schema { types { ${circle} } } }`))
    return data?.__schema.types.length > 25
  },
  'Directive Overloading': async () =>
    errorsOf(await cop(`query cop { __typename ${'@aa'.repeat(10)} }`)).length === 10,
  'Field Duplication': async () =>
    dataOf(await cop(`query cop { ${'__typename \n'.repeat(500)}} `))?.__typename !== undefined,
  'Field Suggestions': async () =>
    /did you mean/i.test((await cop('query cop { __schema { directive } }')).text),
  'GraphQL IDE': async () => {
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    return /graphiql|graphql.playground/i.test(await answer.text())
  },
  Introspection: async () =>
    dataOf(await cop('query cop { __schema { types { name fields { name } } } }')) !== undefined,
  'GET Method Query Support': async () =>
    dataOf(await byGet('query cop {__typename}'))?.__typename !== undefined,
  'Mutation is allowed over GET': async () =>
    (await byGet('mutation cop {__typename}')).status < 400,
  'POST based url-encoded query': async () => {
    const body = new URLSearchParams({ query: 'query cop { __typename }' })
    return (await fetch(url, { method: 'POST', body })).ok
  },
  'Trace Mode': async () => /"tracing"/.test((await cop('query cop { __typename }')).text),
  'Unhandled Errors Detection': async () =>
    /"exception"|stack|at .*\.js/.test((await cop('qwerty cop { abc }')).text),
}

test('69: as graphql-cop counts, it finds what the page of HTTP gives a reason for, and nothing else', async () => {
  const found: string[] = []
  for (const [name, probe] of Object.entries(PROBES)) if (await probe()) found.push(name)
  const page = readFileSync('docs/http.md', 'utf8').split('## What an audit finds')[1] ?? ''
  const reasoned = [...page.matchAll(/^\| ([A-Z][\w ]+) \| \S/gm)].map(([, name]) => name)
  expect(found).toEqual(reasoned.slice(1))
  expect(upstream.requests).toHaveLength(0)
})
