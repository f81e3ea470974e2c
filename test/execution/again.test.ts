import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ask, handClock } from '../credits/ask.ts'
import { openGateway, openScripted } from '../support/gateway.ts'
import { nextMoment } from '../support/moment.ts'
import { run } from '../support/run.ts'
import { openScript } from '../support/script.ts'

const SECONDS = 1000
const NOON = '2026-03-10T12:00:00Z'
const PAGE = `query Page($id: Int!) {
  artist(cmId: $id) { name rank }
  charts { platB(countryCode: "US", first: 3) { nodes { name artists { name } } } }
}`

const start = async (env: Record<string, string> = {}) => {
  const { clock, advance } = handClock(NOON)
  const sandbox = { rotation: 'none', tokenLifetime: 1e6 } as const
  return { ...(await run({ clock, env, sandbox })), advance }
}

/** An upstream whose artists change their names with every request. */
const changing = async () => {
  const opened = await openScripted((seen, count) => ({
    body: { obj: { id: Number(seen.path.split('/').at(-1)), name: `Name ${count}` } },
  }))
  onTestFinished(() => opened.close())
  return opened
}

test('the first, the second and any later asking get the same data, and only the first pays', async () => {
  const opened = await start()
  const first = await ask(opened, PAGE, { variables: { id: 5 } })
  expect(first.errors).toEqual([])
  expect(first.credits.spent).toBe(opened.meter.credits)
  for (const _time of ['second', 'third', 'fourth']) {
    const later = await ask(opened, PAGE, { variables: { id: 5 } })
    expect(later.data).toEqual(first.data)
    expect(later.credits).toMatchObject({
      spent: 0,
      saved: first.credits.spent + first.credits.saved,
    })
    expect(later.headers.get('cache-status')).toMatch(/^refrain; hit; ttl=\d+$/)
    expect(later.headers.get('content-type')).toBe(first.headers.get('content-type'))
  }
  expect(opened.meter.credits).toBe(first.credits.spent)
})

test('what is served from its bytes has its price still: nothing, with the requests that are held for it', async () => {
  const opened = await start()
  const hits = () => opened.gateway.tiers().finished?.hits ?? 0
  const priced = { variables: { id: 5 }, headers: { 'x-credits-plan': 'report' } }
  const cold = await ask(opened, PAGE, priced)
  expect(cold.plan).toMatchObject({ min: 2, calls: [{ state: 'miss' }, { state: 'miss' }, {}] })
  const [, held] = [
    await ask(opened, PAGE, { variables: { id: 5 } }),
    await ask(opened, PAGE, { variables: { id: 5 } }),
  ]
  const before = hits()
  const later = await ask(opened, PAGE, priced)
  expect(hits()).toBe(before + 1)
  expect(later.plan).toMatchObject({ min: 0, likely: 0, max: 0 })
  const states = later.plan.calls.map(({ endpoint, state }) => [endpoint, state])
  expect(states).toEqual(
    expect.arrayContaining([
      ['artist', 'hit'],
      ['platBChart', 'hit'],
    ]),
  )
  expect([later.data, later.credits]).toEqual([held.data, held.credits])
  expect((await ask(opened, PAGE, { variables: { id: 5 } })).plan).toBeUndefined()
})

test('every asking is written into the book under its operation', async () => {
  const opened = await start()
  let saved = 0
  for (const _time of ['first', 'second', 'third', 'fourth'])
    saved += (await ask(opened, PAGE, { variables: { id: 5 } })).credits.saved
  const { book } = opened.gateway.upstream
  expect(book.byOperation).toEqual([{ name: 'Page', spent: opened.meter.credits, saved }])
  expect(Object.values(book.savedBy).reduce((sum, credits) => sum + credits, 0)).toBe(saved)
})

test('its age grows while it is held, and it is bought anew when the first of its parts is over', async () => {
  const opened = await start()
  const artist = '{ artist(cmId: 5) { rank } }'
  for (const _time of ['first', 'second', 'third']) await ask(opened, artist)
  opened.advance(600 * SECONDS)
  const held = await ask(opened, artist)
  expect(held.headers.get('age')).toBe('600')
  expect(held.headers.get('cache-control')).toBe('public, max-age=21600')
  expect(held.headers.get('cache-status')).toBe('refrain; hit; ttl=21000')
  opened.advance(21_000 * SECONDS)
  const late = await ask(opened, artist, { headers: { 'cache-control': 'max-age=60' } })
  expect(late.credits.spent).toBe(1)
})

test('a part that somebody renewed is new for all', async () => {
  const opened = await changing()
  const artist = '{ artist(cmId: 5) { name } }'
  const name = async (headers = {}) => (await ask(opened, artist, { headers })).data.artist.name
  expect([await name(), await name(), await name()]).toEqual(['Name 1', 'Name 1', 'Name 1'])
  await nextMoment()
  expect(await name({ 'cache-control': 'no-cache' })).toBe('Name 2')
  expect([await name(), await name()]).toEqual(['Name 2', 'Name 2'])
})

test('a refusal that takes the place of a part is told to all', async () => {
  const opened = await openScripted(({ path }, count) =>
    count === 1
      ? { body: { obj: { id: Number(path.split('/').at(-1)), name: 'Ada' } } }
      : { status: 403 },
  )
  onTestFinished(() => opened.close())
  const artist = '{ artist(cmId: 5) { name } }'
  for (const _time of ['first', 'second', 'third'])
    expect((await ask(opened, artist)).data).toEqual({ artist: { name: 'Ada' } })
  await nextMoment()
  const headers = { 'cache-control': 'no-cache' }
  const refused = await ask(opened, '{ other: artist(cmId: 5) { name } }', { headers })
  expect(refused.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_FORBIDDEN' } }])
  for (const _time of ['first', 'second']) {
    const told = await ask(opened, artist)
    expect(told.errors).toMatchObject([{ message: refused.errors[0]?.message }])
    expect([told.data, told.credits.spent]).toEqual([{ artist: null }, 0])
  }
  expect(opened.upstream.requests).toHaveLength(2)
})

test('a part that is renewed on the disk alone, since it is too large for memory, is new for all', async () => {
  const text = 'word '.repeat(20_000)
  const upstream = await openScript(({ path }, count) => {
    const obj = { id: Number(path.split('/').at(-1)), name: `Name ${count}`, description: text }
    return { body: { obj } }
  })
  const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
  const opened = openGateway(upstream.url, { STATE_DIR: folder, CACHE_MAX_MB: '1' })
  onTestFinished(async () => {
    await opened.gateway.close()
    await upstream.close()
  })
  const artist = '{ artist(cmId: 5) { name } }'
  const name = async (headers = {}) => (await ask(opened, artist, { headers })).data.artist.name
  // What is written is found a moment later.
  await vi.waitFor(async () => expect((await ask(opened, artist)).credits.spent).toBe(0), 20_000)
  const hits = () => opened.gateway.tiers().finished?.hits ?? 0
  const [held, before] = [await name(), hits()]
  expect([await name(), hits()]).toEqual([held, before + 1])
  await nextMoment()
  const renewed = await name({ 'cache-control': 'no-cache' })
  expect(renewed).not.toBe(held)
  let other = 6
  await vi.waitFor(async () => {
    await ask(opened, `{ artist(cmId: ${other++}) { name } }`)
    expect(await name()).toBe(renewed)
  }, 20_000)
})

test('other variables, another operation of the document and another type are answered for themselves', async () => {
  const opened = await changing()
  const two =
    'query A($id: Int!) { artist(cmId: $id) { name } } query B { artist(cmId: 9) { cmId } }'
  const asked = (operationName: string, id: number, accept = 'application/json') =>
    opened.gateway.answer({
      headers: new Headers({ 'content-type': 'application/json', accept }),
      body: JSON.stringify({ query: two, operationName, variables: { id } }),
    })
  const data = async (...given: Parameters<typeof asked>) =>
    JSON.parse((await asked(...given)).body.toString()).data
  for (const _time of ['first', 'second', 'third']) {
    expect(await data('A', 5)).toEqual({ artist: { name: 'Name 1' } })
    expect(await data('A', 6)).toEqual({ artist: { name: 'Name 2' } })
    expect(await data('B', 5)).toEqual({ artist: { cmId: 9 } })
  }
  const graphql = 'application/graphql-response+json'
  for (const accept of ['application/json', graphql, 'application/json'])
    expect((await asked('A', 5, accept)).headers['content-type']).toBe(`${accept}; charset=utf-8`)
})

test('a document is found by its hash, with or without its text, and what else a client tells of itself', async () => {
  const opened = await changing()
  const query = '{ artist(cmId: 5) { name } }'
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  const persistedQuery = { version: 1, sha256Hash }
  const clientLibrary = { name: 'a client', version: '4' }
  const asked = async (body: object) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    return JSON.parse(
      (await opened.gateway.answer({ headers, body: JSON.stringify(body) })).body.toString(),
    )
  }
  expect((await asked({ extensions: { persistedQuery } })).errors).toHaveLength(1)
  for (const body of [
    { query, extensions: { persistedQuery } },
    { extensions: { persistedQuery } },
    { extensions: { persistedQuery, clientLibrary } },
    { documentId: `sha256:${sha256Hash}` },
    { query, extensions: { clientLibrary } },
    { query, variables: null, operationName: null, extensions: null },
    { query, operationName: '' },
  ])
    for (const _time of ['first', 'second', 'third'])
      expect((await asked(body)).data).toEqual({ artist: { name: 'Name 1' } })
  const wrong = { ...persistedQuery, sha256Hash: '0'.repeat(64) }
  for (const _time of ['first', 'second'])
    expect((await asked({ query, extensions: { persistedQuery: wrong } })).errors).toHaveLength(1)
})

describe('what fails', () => {
  test('fails in the same words at the same place, each time', async () => {
    const opened = await start()
    const text = '{ good: artist(cmId: 5) { name }\n  bad: artist(cmId: 1) { rank } }'
    const first = await ask(opened, text)
    expect(first.errors).toEqual([
      expect.objectContaining({ path: ['bad'], locations: [{ line: 2, column: 3 }] }),
    ])
    for (const _time of ['second', 'third']) {
      const later = await ask(opened, text)
      expect(later.errors).toEqual(first.errors)
      expect(later.data).toEqual(first.data)
    }
  })

  test.each([
    ['variables that do not fit', { variables: { id: 'five' } }],
    ['an argument out of its bounds', { variables: { id: 0 } }],
    ['a limit below the price', { variables: { id: 7 }, headers: { 'x-credits-limit': '0' } }],
    ['a header that is no limit', { variables: { id: 7 }, headers: { 'x-credits-limit': 'much' } }],
  ])('as it did when it was new: %s', async (_name, wanted) => {
    const fresh = await start()
    const known = await start()
    const text = 'query ($id: Int!) { artist(cmId: $id) { rank } }'
    for (const _time of ['first', 'second']) await ask(known, text, { variables: { id: 5 } })
    const [expected, told] = [await ask(fresh, text, wanted), await ask(known, text, wanted)]
    expect(expected.errors).toHaveLength(1)
    expect(told.errors).toEqual(expected.errors)
    expect(told.data).toEqual(expected.data)
    expect(told.status).toBe(expected.status)
  })
})

test('what is closed to a client stays closed after another was answered', async () => {
  const opened = await start({ FEDERATION_SECRET: 'the-secret' })
  const text = '{ _entities(representations: [{ __typename: "Artist", cmId: 5 }]) { __typename } }'
  const router = { authorization: 'Bearer the-secret' }
  for (const _time of ['first', 'second', 'third'])
    expect((await ask(opened, text, { headers: router })).errors).toEqual([])
  for (const headers of [{}, { authorization: 'Bearer guess' }])
    expect((await ask(opened, text, { headers })).status).toBe(401)
})

test('a budget is told as it stands now', async () => {
  const opened = await start({ CREDITS_PER_DAY: '100' })
  const left = async (id: number) =>
    (await ask(opened, `{ artist(cmId: ${id}) { rank } }`)).credits.budget?.remaining
  expect([await left(5), await left(5), await left(5)]).toEqual([99, 99, 99])
  expect([await left(6), await left(5)]).toEqual([98, 98])
})

test.each([
  [
    'a fragment under one condition and under another',
    'query ($a: Boolean!) { artist(cmId: 5) { id ...F @include(if: $a) ...F @skip(if: $a) } } fragment F on Artist { rank }',
    [{ a: true }, { a: false }],
  ],
  [
    'a fragment within another that leaves it out',
    'query ($a: Boolean!) { artist(cmId: 5) { ...G ...F } } fragment F on Artist { rank } fragment G on Artist { id ...F @skip(if: $a) }',
    [{ a: true }, { a: false }],
  ],
  [
    'no value for a condition',
    'query ($a: Boolean = true) { artist(cmId: 5) { id name @skip(if: $a) } }',
    [{}, { a: null }],
  ],
  ['items that are refused within a list', '{ artists(cmIds: [5, -1, 6]) { cmId rank } }', [{}]],
  ['nodes that are none', '{ nodes(ids: ["Nope:1", "Artist:5"]) { __typename id } }', [{}]],
  [
    'a variable within free parameters',
    'query ($v: Int) { artist(cmId: 5) { premium { platDAudienceStats(params: { a: $v }) } } }',
    [{ v: 4 }],
  ],
  [
    'a variable within a representation',
    'query ($id: ID!) { _entities(representations: [{ __typename: "Artist", id: $id }]) { __typename ... on Artist { rank } } }',
    [{ id: 'Artist:5' }],
  ],
])('is answered as it was: %s', async (_name, text, all) => {
  const known = await start()
  for (const variables of all) {
    const fresh = await start()
    const expected = await ask(fresh, text, { variables })
    for (const _time of ['first', 'second', 'third']) {
      const { data, errors, status } = await ask(known, text, { variables })
      expect(JSON.stringify(data)).toBe(JSON.stringify(expected.data))
      expect({ errors, status }).toEqual({ errors: expected.errors, status: expected.status })
    }
  }
  expect(known.gateway.upstream.book.spent).toBe(known.meter.credits)
})

test('a value that a row of another answer told is new where that answer is', async () => {
  const { clock, advance } = handClock(NOON)
  const row = (count: number) => ({ id: 5, name: `Row ${count}`, image_url: null })
  const opened = await openScripted((_seen, count) => ({
    body: { obj: { artists: [row(count)] } },
  }))
  onTestFinished(() => opened.close())
  const gateway = openGateway(opened.upstream.url, {}, { clock })
  onTestFinished(() => gateway.gateway.close())
  const search = '{ search(query: "river") { artists(first: 1) { nodes { name } } } }'
  const name = async () => (await ask(gateway, '{ artist(cmId: 5) { name } }')).data?.artist?.name
  await ask(gateway, search)
  advance(SECONDS)
  expect([await name(), await name(), await name()]).toEqual(['Row 1', 'Row 1', 'Row 1'])
  await ask(gateway, search, { headers: { 'cache-control': 'no-cache' } })
  expect([await name(), await name()]).toEqual(['Row 2', 'Row 2'])
})

test('what is no JSON for one client is none the next time, and an empty header is not none', async () => {
  const opened = await start()
  const asked = (headers: Record<string, string>) =>
    opened.gateway.answer({
      headers: new Headers({ 'content-type': 'application/json', ...headers }),
      body: JSON.stringify({ query: '{ artist(cmId: 5) { rank } }' }),
    })
  for (const _time of ['first', 'second', 'third']) {
    expect((await asked({})).headers['content-type']).toMatch(/^application\/json/)
    const stream = await asked({ accept: 'text/event-stream' })
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(stream.body.toString()).toMatch(/^(:|event:)/)
    const accept = 'application/graphql-response+json'
    expect((await asked({ accept, 'x-credits-limit': '' })).status).toBe(400)
  }
})

test.each([
  ['asks for nothing', '{}', {}],
  ['is no operation', '[]', {}],
  ['cannot be read', JSON.stringify({ query: '{' }), {}],
  ['only asks what it costs', JSON.stringify({ query: PAGE }), { 'x-credits-plan': 'only' }],
])(
  'nothing that is told of a request that %s is told with other answers',
  async (_word, body, wish) => {
    const opened = await start()
    const accept = 'application/json;odd=1'
    const headers = new Headers({ accept, 'content-type': 'application/json', ...wish })
    await opened.gateway.answer({ headers, body })
    await ask(opened, PAGE, { variables: { id: 5 }, headers: { accept } })
    await opened.gateway.answer({ headers, body })
    for (const _time of ['second', 'third']) {
      const later = await ask(opened, PAGE, { variables: { id: 5 }, headers: { accept } })
      expect([...later.headers.keys()].sort()).toEqual([
        'age',
        'cache-control',
        'cache-status',
        'content-type',
        'etag',
      ])
    }
  },
)
