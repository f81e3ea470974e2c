import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildGateway } from './support/gateway-process.ts'

const ORIGIN = 'https://app.example.com'
const json = { 'content-type': 'application/json' }
const gateways = buildGateway()
let url = ''
beforeAll(async () => {
  url = (await gateways.start({ CORS_ORIGINS: ORIGIN })).url
}, 120_000)
afterAll(() => gateways.close())

describe('docs/http.md', () => {
  const page = readFileSync('docs/http.md', 'utf8')
  const asked = [...page.matchAll(/^```sh\n(curl .*?)^```\n\n```json\n(.*?)^```$/gms)]

  it('shows what each request is answered', async () => {
    expect(asked).toHaveLength(4)
    for (const [, command = '', answer = ''] of asked) {
      const body = /-d '(.*)'/s.exec(command)?.[1]
      const members = [...command.matchAll(/--data-urlencode '(\w+)=(.*)'/g)]
      const address = new URL(`${url}/graphql`)
      for (const [, name = '', value = ''] of members) address.searchParams.set(name, value)
      const response = await fetch(
        address,
        body === undefined ? {} : { method: 'POST', headers: json, body },
      )
      expect(await response.json(), command).toMatchObject(JSON.parse(answer))
    }
  })

  it('tells which GETs are refused', async () => {
    const address = `${url}/graphql?query=${encodeURIComponent('{ __typename }')}`
    const status = async (headers: Record<string, string>) =>
      (await fetch(address, { headers: { 'sec-fetch-site': 'cross-site', ...headers } })).status
    expect(await status({})).toBe(403)
    expect(await status({ 'x-credits-limit': '1' })).toBe(200)
    expect(await status(json)).toBe(200)
  })
})

describe('docs/reference.md', () => {
  const page = readFileSync('docs/reference.md', 'utf8')
  const [, requests = '', answers = ''] = page.split(/^## /m)
  const named = (section: string) =>
    new Set(
      [...section.matchAll(/^\| `([A-Za-z-]+)(?:: [^`]*)?`/gm)].map(([, name]) =>
        name?.toLowerCase(),
      ),
    )

  /** Names of headers that a source reads, however it does. */
  const readIn = (text: string) =>
    [
      ...text.matchAll(/headers\.get\('([a-z-]+)'\)/g),
      ...text.matchAll(/headers\['([a-z-]+)'\]/g),
      ...text.matchAll(/'(x-[a-z-]+)'/g),
    ].map(([, name = '']) => name)

  it('names each request header that is read, and none that is not', () => {
    const sources = ['src/server', 'src/plugins', 'src/execution', 'src/clients']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name),
        ),
      )
      .filter((file) => file.endsWith('.ts'))
      .concat('src/door.ts')
      .map((file) => readFileSync(file, 'utf8'))
    const OF_ANSWERS = ['x-frame-options', 'x-content-type-options']
    const read = new Set(sources.flatMap(readIn).filter((name) => !OF_ANSWERS.includes(name)))
    expect(read.size).toBeGreaterThan(10)
    // Yoga reads it, to choose between the two types of an answer.
    expect([...named(requests)].sort()).toEqual([...read.add('accept')].sort())
  })

  it('names each header of an answer', async () => {
    const OF_THE_CONNECTION = [
      'date',
      'connection',
      'keep-alive',
      'transfer-encoding',
      'content-length',
    ]
    const post = { method: 'POST', headers: { ...json, origin: ORIGIN } }
    const query = (text: string) => ({ ...post, body: JSON.stringify({ query: text }) })
    const preflight = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const responses = await Promise.all([
      fetch(`${url}/graphql`, query('{ artist(cmId: 5) { name } }')),
      fetch(`${url}/graphql`, query('{ __schema { types { name } } }')),
      fetch(`${url}/graphql`, query('{ nothing }')),
      fetch(`${url}/graphql`, { method: 'PUT' }),
      fetch(`${url}/graphql?query=${encodeURIComponent('mutation { a }')}`),
      fetch(`${url}/graphql`, { method: 'OPTIONS', headers: { origin: ORIGIN, ...preflight } }),
      fetch(`${url}/graphql`, { headers: { accept: 'text/html' } }),
      fetch(url, { redirect: 'manual' }),
      fetch(`${url}/livez`),
    ])
    const sent = new Set(responses.flatMap(({ headers }) => [...headers.keys()]))
    const told = named(answers)
    const untold = [...sent].filter((name) => !told.has(name) && !OF_THE_CONNECTION.includes(name))
    expect(untold).toEqual([])
    // Sent under strain only, and to strangers; those of a page only where it is built.
    const expected = named(answers.replaceAll(/^.* of a page.*$/gm, ''))
    expect([...expected].filter((name) => !sent.has(name ?? ''))).toEqual([
      'retry-after',
      'www-authenticate',
    ])
  })
})
