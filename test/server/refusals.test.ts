import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, fileOf } from '../support/clients.ts'
import { openGateway } from '../support/gateway.ts'
import { openServer } from '../support/server.ts'

/** What the page on errors says of a refusal. */
interface Row {
  readonly says: string
  readonly code: string | undefined
  /** For `application/json`, and for `application/graphql-response+json`. */
  readonly statuses: readonly number[]
}

const rows: readonly Row[] =
  readFileSync('docs/errors.md', 'utf8')
    .split('## Refused as a whole')[1]
    ?.split('\n')
    .filter((line) => /^\|.*\d{3} \|$/.test(line))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      const [status = '', ...others] = cells.slice(2, -1).reverse()
      const [says = '', code] = others.reverse().map((cell) => cell.replace(/^`+|`+$/g, ''))
      return { says, code, statuses: status.split(' / ').map(Number) }
    }) ?? []

const TEXT = "(`(?:[^`\\\\]|\\\\.)*`|'[^']*')"
/** Where the source has the words of a refusal. */
const SITES = [
  new RegExp(`new GatewayError\\(\\s*'[A-Z_]+',\\s*${TEXT}`, 'g'),
  new RegExp(`\\brefused\\(${TEXT}`, 'g'),
  new RegExp(`complaint \\?\\?= ${TEXT}`, 'g'),
  new RegExp(`new fetchAPI\\.Response\\(\\s*${TEXT}`, 'g'),
]
const SITE_OF_TEXTS = new RegExp(`^  [a-z]+: ${TEXT},$`, 'gm')
/** Of these files each fault is that of a whole request; what fails a field is elsewhere. */
const FILES = [
  ...['src/plugins', 'src/execution'].flatMap((folder) =>
    readdirSync(folder).map((file) => join(folder, file)),
  ),
  'src/clients/token.ts',
  'src/load.ts',
]
const [, texts = ''] = readFileSync('src/server/http.ts', 'utf8').split('const TEXTS')
/** Each text that a request is refused with, as it stands there. */
const templates = FILES.map((file) => readFileSync(file, 'utf8'))
  .flatMap((source) => SITES.flatMap((site) => [...source.matchAll(site)]))
  .concat([...texts.matchAll(SITE_OF_TEXTS)])
  .map(([, text = '']) => text.slice(1, -1).replace(/\\n$/, ''))
const isOf = (template: string, says: string) => {
  const escaped = template.replace(/\$\{[^}]*\}|[^\w ]/g, (part) =>
    part.length > 1 ? '.*' : `\\${part}`,
  )
  return new RegExp(`^${escaped}$`).test(says)
}

type Name = 'open' | 'trusted' | 'known' | 'hidden'
let servers: Record<Name, Awaited<ReturnType<typeof openServer>>>
const closes: (() => Promise<void>)[] = []
beforeAll(async () => {
  const files = {
    '/clients': fileOf({ name: 'quiet', reports: false }),
    '/documents': JSON.stringify({}),
  }
  const open = async (env: Record<string, string>) => {
    // Nobody is asked for anything.
    const { gateway } = openGateway('http://127.0.0.1:9', env, {}, files)
    const server = await openServer(gateway)
    closes.push(server.close, gateway.close)
    return server
  }
  servers = {
    open: await open({ FEDERATION_SECRET: 'secret-of-the-router' }),
    trusted: await open({ DOCUMENTS_FILE: '/documents', DOCUMENTS_ONLY: '1' }),
    known: await open({ CLIENTS_FILE: '/clients' }),
    hidden: await open({ INTROSPECTION: 'off', FEDERATION_SECRET: 'secret-of-the-router' }),
  }
})
afterAll(async () => {
  for (const close of closes) await close()
})

interface Sent {
  readonly to?: Name
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const posted = (params: unknown, headers: Sent['headers'] = {}, to: Name = 'open'): Sent => ({
  to,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof params === 'string' ? params : JSON.stringify(params),
})
const asked = (query: string, headers?: Sent['headers'], to?: Name) =>
  posted({ query }, headers, to)
const got = (params: Record<string, string>, headers: Sent['headers'] = {}): Sent => ({
  path: `/graphql?${new URLSearchParams(params)}`,
  headers,
})

const ANY = '{ __typename }'
const levels = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`
/** So many fields by fragments, each of which is twice the one before. */
const doubled = (times: number) =>
  Array.from({ length: times }, (_, at) => `fragment F${at + 1} on Query { ...F${at} ...F${at} }`)
    .concat(`{ ...F${times} } fragment F0 on Query { __typename }`)
    .join(' ')
const listing = (least: number, page: string) =>
  `a${least}: artistsByStat(stat: RANK, min: ${least}, max: 9${page}) { nodes { rank } }`
const WIDE = `{ ${listing(1, ', first: 10000')} ${listing(2, ', first: 10000')} ${listing(3, '')} }`
const router = { authorization: 'Bearer secret-of-the-router' }

const CASES: Readonly<Record<string, Sent>> = {
  'POST body sent invalid JSON.': posted('{'),
  'POST body is expected to be object but received string': posted('"x"'),
  'Batching is not supported.': posted([{ query: ANY }]),
  'Must provide query string.': posted({}),
  'Expected "query" param to be a string, but given number.': posted({ query: 5 }),
  'Expected "variables" param to be empty or an object, but given array.': posted({
    query: ANY,
    variables: [],
  }),
  'Expected "extensions" param to be empty or an object, but given string.': posted({
    query: ANY,
    extensions: 'x',
  }),
  'operationName must be a text, got 5': posted({ query: ANY, operationName: 5 }),
  'Unexpected parameter "id" in the request body.': posted({ query: ANY, id: 5 }),
  'variables must be JSON': got({ query: ANY, variables: '{' }),
  'a POST is read as JSON only: send the header Content-Type: application/json, and no Content-Encoding':
    posted({ query: ANY }, { 'content-type': 'text/plain' }),
  'at most 100000 bytes of a body are read': posted(' '.repeat(100_001)),
  'at most 64 levels of a request are read': posted(
    `{"query":"${ANY}","variables":{"a":${levels(64)}}}`,
  ),
  'Can only perform a mutation operation from a POST request.': got({ query: 'mutation { a }' }),
  'GraphQL only supports GET and POST requests.': { ...asked(ANY), method: 'PUT' },
  'GraphQL introspection has been disabled, but the requested query contained the field "__schema".':
    asked('{ __schema { __typename } }', {}, 'hidden'),
  'no client is known by what was sent: send its key as Authorization: Bearer or as X-Api-Key':
    asked(ANY, {}, 'known'),
  '_entities and _service are for the router: send Authorization: Bearer with its secret':
    asked('{ _service { sdl } }'),
  PersistedQueryNotFound: posted({ documentId: `sha256:${'0'.repeat(64)}` }),
  'the hash is not that of the document: expected sha256, in hex': posted({
    query: ANY,
    documentId: `sha256:${'0'.repeat(64)}`,
  }),
  'only trusted documents are answered': asked(ANY, {}, 'trusted'),
  'Syntax Error: Expected Name, found <EOF>.': asked('{ a'),
  'Syntax Error: Document contains more that 2000 tokens. Parsing aborted.': asked(
    `{ ${'a '.repeat(2_000)} }`,
  ),
  'operationName must be one of "A", got "B"': posted({
    query: `query A ${ANY}`,
    operationName: 'B',
  }),
  'there is no mutation here: ask by a query': asked('mutation { a }'),
  'the operation has 21 levels, at most 20 are answered': asked(
    `${'{ a '.repeat(21)}${'}'.repeat(21)}`,
  ),
  'the operation has 8192 fields with fragments written out, at most 5000 are answered': asked(
    doubled(13),
  ),
  'the operation has 1024 root fields, at most 1000 are answered': asked(doubled(10)),
  'no field can be given out as `then`: choose another alias': asked('{ then: __typename }'),
  '@credits(limit:) is for a whole operation': asked(
    '{ artist(cmId: 5) @credits(limit: 1) { name } }',
  ),
  '@credits(priority:) is for a field': asked('query @credits(priority: 1) { __typename }'),
  'Cannot query field "x" on type "Query".': asked('{ x }'),
  'Variable "$of" of required type "Int!" was not provided.': asked(
    'query ($of: Int!) { artist(cmId: $of) { name } }',
  ),
  'X-Credits-Plan must be report or only, got "all"': asked(ANY, { 'x-credits-plan': 'all' }),
  'X-Credits-Plan: this client is told no costs': asked(
    ANY,
    { 'x-credits-plan': 'only', ...bearer('quiet') },
    'known',
  ),
  'the operation has 1001 representations, at most 1000 are answered': posted(
    {
      query: 'query ($of: [_Any!]!) { _entities(representations: $of) { __typename } }',
      variables: { of: Array.from({ length: 1001 }, () => ({ __typename: 'Artist', cmId: 5 })) },
    },
    router,
  ),
  'the operation costs at least 1 credit, and its limit is 0': asked(
    '{ artist(cmId: 5) { rank } }',
    { 'x-credits-limit': '0' },
  ),
  'Nothing is here: operations are sent to /graphql': { path: '/nowhere' },
  'A page of another site may not ask: its origin is not in CORS_ORIGINS': got(
    { query: ANY },
    { 'sec-fetch-site': 'cross-site' },
  ),
  'An answer comes as one of these, and Accept takes none: application/json, application/graphql-response+json, text/event-stream, multipart/mixed':
    asked(ANY, { accept: 'image/png' }),
  'An answer travels as br, as gzip or as it is, and Accept-Encoding takes none of these': asked(
    ANY,
    { 'accept-encoding': 'identity;q=0' },
  ),
  'At most 64 headers are read': asked(
    ANY,
    Object.fromEntries(Array.from({ length: 62 }, (_, at) => [`x-${at}`, '1'])),
  ),
  'the operation asks for up to 20020 rows and entities, at most 20000 are given': asked(WIDE),
  'The Host header names no host': asked(ANY, { host: '[' }),
}

const answerTo = (
  { to = 'open', path = '/graphql', method = 'GET', headers, body }: Sent,
  accept: string,
) =>
  new Promise<{
    status: number | undefined
    text: string
    kept: string | undefined
    id: string | string[] | undefined
  }>((resolve, reject) => {
    const url = `${servers[to].address}${path}`
    const sent = request(url, { method, headers: { accept, ...headers } }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          text,
          kept: answer.headers['cache-control'],
          id: answer.headers['x-request-id'],
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

describe('the page on errors', () => {
  test.each(Object.entries(CASES))('has this refusal as it is: %s', async (says, sent) => {
    const row = rows.find((one) => one.says === says)
    for (const [at, accept] of [
      'application/json',
      'application/graphql-response+json',
    ].entries()) {
      const { status, text, kept, id } = await answerTo(sent, accept)
      expect([kept, id]).toEqual(['no-store', expect.any(String)])
      if (row?.code === undefined) expect(text).toBe(`${says}\n`)
      else
        expect(JSON.parse(text)).toEqual({
          errors: [
            expect.objectContaining({
              message: says,
              extensions: expect.objectContaining({ code: row.code }),
            }),
          ],
        })
      expect(row?.statuses[at] ?? row?.statuses[0]).toBe(status)
    }
  })

  test.each(['GET', 'POST', 'PUT', 'OPTIONS'])(
    'says of a Host that names none what it says, be it asked by %s, and of what is no path too',
    async (method) => {
      for (const host of ['[', 'a b'])
        for (const path of [`/graphql?${new URLSearchParams({ query: ANY })}`, '/nowhere']) {
          const body = method === 'POST' ? JSON.stringify({ query: ANY }) : undefined
          const headers = { host, 'content-type': 'application/json' }
          const sent: Sent =
            body === undefined ? { path, method, headers } : { path, method, headers, body }
          expect([host, await answerTo(sent, 'application/json')]).toEqual([
            host,
            {
              status: 400,
              text: 'The Host header names no host\n',
              kept: 'no-store',
              id: expect.any(String),
            },
          ])
        }
    },
  )

  test('has no other, but for those of a moment', () => {
    const others = rows.map(({ says }) => says).filter((says) => CASES[says] === undefined)
    expect(others).toEqual([
      'tokens cannot be checked at the moment',
      'The gateway is under strain: try again in a moment',
    ])
  })

  test('has every text that a request is refused with in the source', () => {
    expect(templates.length).toBeGreaterThan(25)
    const missing = templates.filter((text) => !rows.some(({ says }) => isOf(text, says)))
    expect(missing).toEqual([])
  })
})
