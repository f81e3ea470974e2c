import { describe, expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { run } from '../support/run.ts'
import { serve } from '../support/server.ts'

const GRAPHQL = 'application/graphql-response+json'
const JSON_TYPE = 'application/json'
const ARTIST = 'query Q($of: Int!) { artist(cmId: $of) { name rank } }'
const CHART =
  'query Q($of: Date!) { charts { platB(countryCode: "DE", date: $of) { totalCount } } }'

const open = async () => {
  const { meter, gateway } = await run()
  const { address } = await serve(gateway)
  const told = async (answer: Response) => {
    const { status, headers } = answer
    const text = await answer.text()
    return { status, cache: headers.get('cache-control'), text }
  }
  const post = async (params: object, headers: Record<string, string>) => {
    const own = { 'content-type': JSON_TYPE, ...headers }
    const body = JSON.stringify(params)
    return told(await fetch(`${address}/graphql`, { method: 'POST', headers: own, body }))
  }
  const get = async (params: object, headers: Record<string, string>) => {
    const url = new URL('/graphql', address)
    for (const [name, value] of Object.entries(params))
      url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    return told(await fetch(url, { headers }))
  }
  return { meter, post, get }
}

/** Asked before or not: three times by POST, which has a shorter way for what it knows, and by GET. */
const allWays = async (
  { post, get }: Awaited<ReturnType<typeof open>>,
  params: object,
  headers: Record<string, string>,
) => {
  const answers = [await post(params, headers), await post(params, headers)]
  return [...answers, await post(params, headers), await get(params, headers)]
}

const REFUSED: readonly (readonly [string, object])[] = [
  ['a variable of another type', { query: ARTIST, variables: { of: 'x' } }],
  ['a variable that is missing', { query: ARTIST }],
  ['a variable that is null', { query: ARTIST, variables: { of: null } }],
  ['a number out of bounds', { query: ARTIST, variables: { of: 2 ** 31 } }],
  [
    'an item of a list',
    {
      query: 'query Q($of: [Int!]!) { artists(cmIds: $of) { name } }',
      variables: { of: [5, 'x'] },
    },
  ],
  [
    'a word that an enum does not have',
    {
      query:
        'query Q($of: ArtistStat!) { artistsByStat(stat: $of, min: 1, max: 2) { totalCount } }',
      variables: { of: 'x' },
    },
  ],
  [
    'a member that an input does not have',
    {
      query: 'query Q($of: TrackFilter) { tracksByStat(filter: $of) { totalCount } }',
      variables: { of: { x: 1 } },
    },
  ],
  [
    'a condition',
    {
      query: 'query Q($of: Boolean!) { artist(cmId: 5) @include(if: $of) { name } }',
      variables: { of: 'x' },
    },
  ],
  ['a date that is none', { query: CHART, variables: { of: 5 } }],
  [
    'a hash that is not known',
    { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } },
  ],
  ['a document that is none', { query: '{' }],
]

const NONE: readonly (readonly [string, object])[] = [
  ['without a document', {}],
  ['with null for a document', { query: null }],
  ['with a name for its document that is none', { qeury: ARTIST }],
  ['with a document of another type', { query: 5 }],
  ['with variables of another type', { query: ARTIST, variables: [7] }],
]

describe('what is no request of GraphQL', () => {
  test.each(NONE)('is a 400 to everybody: %s', async (_what, params) => {
    const { post } = await open()
    for (const accept of [GRAPHQL, JSON_TYPE, '*/*', 'multipart/mixed', 'text/event-stream']) {
      const { status, cache, text } = await post(params, { accept })
      expect([status, cache], accept).toEqual([400, 'no-store'])
      expect(text).toContain('BAD_USER_INPUT')
    }
  })

  test('is a 400 to everybody by GET too', async () => {
    const { get } = await open()
    for (const accept of [GRAPHQL, JSON_TYPE])
      expect((await get({ variables: { of: 5 } }, { accept })).status).toBe(400)
  })
})

describe('a request that is refused as a whole', () => {
  test.each(REFUSED)(
    'is a 400 to who reads statuses, and a 200 to all others: %s',
    async (_what, params) => {
      const opened = await open()
      await opened.post({ query: ARTIST, variables: { of: 5 } }, { 'x-credits-limit': '0' })
      for (const [accept, expected] of [
        [GRAPHQL, 400],
        [JSON_TYPE, 200],
        ['*/*', 200],
      ] as const)
        for (const { status, cache, text } of await allWays(opened, params, { accept })) {
          expect([status, cache]).toEqual([expected, 'no-store'])
          const body = JSON.parse(text)
          expect(Object.keys(body)).toEqual(['errors'])
          expect(body.errors).toHaveLength(1)
        }
      expect((await opened.post(params, { accept: 'multipart/mixed' })).status).toBe(400)
      expect((await opened.post(params, { accept: 'text/event-stream' })).status).toBe(200)
      expect(opened.meter.credits).toBe(0)
    },
  )

  test('has no price, since it would not run', async () => {
    const opened = await open()
    const params = { query: ARTIST, variables: { of: 'x' } }
    for (const wished of ['only', 'report']) {
      const headers = { accept: GRAPHQL, 'x-credits-plan': wished }
      for (const { status, text } of await allWays(opened, params, headers)) {
        expect(status).toBe(400)
        expect(Object.keys(JSON.parse(text))).toEqual(['errors'])
      }
    }
  })

  test('by a fault of ours is a 500', async () => {
    const { url } = await run()
    const fault = () => {
      throw new Error('a fault')
    }
    const tracing = { watch: fault, follow: fault, close: async () => undefined }
    const { gateway } = openGateway(url, {}, { tracing })
    const { address } = await serve(gateway)
    const asked = (accept: string) =>
      fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { accept, 'content-type': JSON_TYPE },
        body: JSON.stringify({ query: '{ artist(cmId: 5) { name } }' }),
      })
    const answer = await asked(GRAPHQL)
    expect(answer.status).toBe(500)
    expect((await answer.json()).errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR')
    expect((await asked(JSON_TYPE)).status).toBe(200)
    await gateway.close()
  })

  test('is none where a field fails beside others, whatever its reason', async () => {
    const opened = await open()
    const query = `{ charts { platB(countryCode: "DE", date: "2024-99-99") { totalCount } } artist(cmId: 5) { cmId } }`
    for (const { status, text } of await allWays(opened, { query }, { accept: GRAPHQL })) {
      expect(status).toBe(200)
      expect(JSON.parse(text).data.artist).toEqual({ cmId: 5 })
    }
  })

  test('is none where the price alone is asked for, and no cache keeps that either', async () => {
    const opened = await open()
    const params = { query: ARTIST, variables: { of: 5 } }
    for (const answer of await allWays(opened, params, { 'x-credits-plan': 'only' })) {
      expect([answer.status, answer.cache]).toEqual([200, 'no-store'])
      expect(JSON.parse(answer.text).data).toBeNull()
    }
  })
})
