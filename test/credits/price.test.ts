import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { priceCommand } from '../../src/cli/price.ts'
import { opening } from '../checklist/ask.ts'
import { openScripted } from '../support/gateway.ts'
import { nextMoment } from '../support/moment.ts'
import { run } from '../support/run.ts'
import { ask, naive, priceOf } from './ask.ts'

const flawless = { sandbox: { flawedRows: false } }

const ARTIST_CHART = `{ charts { platAArtists(interval: DAILY, type: FOLLOWERS, first: 100) {
  nodes { rank platAFollowers artist { cmId name imageUrl } } } } }`

test('1: the cold price of a 100-row artist chart with name, image and followers is 1, not 101; after running it, the same explain says 0', async () => {
  const opened = await run(flawless)
  expect(await priceOf(opened, ARTIST_CHART)).toMatchObject({
    min: 1,
    likely: 1,
    max: 1,
    calls: [
      { endpoint: 'platAArtistChart', path: 'charts.platAArtists', credits: 1, state: 'miss' },
    ],
  })
  expect(opened.meter.requests).toHaveLength(0)

  const { data, errors, credits } = await ask(opened, ARTIST_CHART)
  expect(errors).toEqual([])
  expect(data.charts.platAArtists.nodes).toHaveLength(100)
  for (const { platAFollowers, artist } of data.charts.platAArtists.nodes) {
    expect(Number(platAFollowers)).toBeGreaterThan(0)
    expect(artist).toMatchObject({ name: expect.any(String), imageUrl: expect.any(String) })
  }
  expect(credits).toMatchObject({ spent: 1, savedBy: { hydrated: 100 } })
  expect(opened.meter.credits).toBe(1)

  expect(await priceOf(opened, ARTIST_CHART)).toMatchObject({
    min: 0,
    likely: 0,
    max: 0,
    calls: [{ endpoint: 'platAArtistChart', state: 'hit' }],
  })
  expect(opened.meter.credits).toBe(1)
})

test("2: asking a chart row's artist for a field outside its payload costs exactly one call per distinct artist, and adding @include(if: false) brings it back to zero", async () => {
  const opened = await run(flawless)
  const deeper = (directive: string) => `{ charts { platB(countryCode: "US", first: 100) {
    nodes { artists { cmId name moods ${directive} { name } } } } } }`
  const plain = await ask(opened, deeper('@include(if: false)'))
  expect(plain.errors).toEqual([])
  expect(plain.credits.spent).toBe(1)
  const cmIds: number[] = plain.data.charts.platB.nodes.flatMap(
    ({ artists }: { artists: { cmId: number }[] }) => artists.map(({ cmId }) => cmId),
  )
  const distinct = new Set(cmIds.filter((cmId) => cmId !== 1)).size
  expect(distinct).toBeGreaterThan(40)
  expect(cmIds.length).toBeGreaterThan(distinct)

  const { errors, credits } = await ask(opened, deeper(''))
  expect(errors).toEqual([])
  expect(credits.spent).toBe(distinct)
  expect(opened.meter.credits).toBe(1 + distinct)
  const artists = opened.meter.requests.filter(({ endpoint }) => endpoint === 'artist')
  expect(new Set(artists.map(({ path }) => path)).size).toBe(distinct)
  expect(artists).toHaveLength(distinct)

  expect((await ask(opened, deeper('@skip(if: true)'))).credits.spent).toBe(0)
  expect(opened.meter.credits).toBe(1 + distinct)
})

test.each([
  ['query ($a: Int!) { artist(cmId: $a) { name moods { name } } }', [{ a: 5 }, { a: 6 }, { a: 0 }]],
  [
    'query ($a: Boolean) { artist(cmId: 7, allowPartial: $a) { name } }',
    [{ a: true }, { a: false }, {}],
  ],
  [
    'query ($a: [Int!]!) { artists(cmIds: $a) { name } tracks(cmIds: $a) { name artists { name rank } } }',
    [{ a: [] }, { a: [5, 5, 0] }, { a: [5, 6] }],
  ],
  [
    'query ($a: Int!) { one: track(cmId: $a) { name } two: track(cmId: 5) { isrc artists { rank } } }',
    [{ a: 6 }, { a: 5 }],
  ],
  ['query ($a: Int!) { track(cmId: $a) { id albums { label } } }', [{ a: 6 }, { a: 5 }]],
  [
    'query ($a: Int!) { artist(cmId: $a) { name tracks(first: 2) { nodes { track { name } } } } track(cmId: $a) { name } }',
    [{ a: 6 }, { a: 5 }],
  ],
])('%s costs the same however often it was asked before', async (query, all) => {
  const opened = await run(flawless)
  // Of what a condition might leave out nothing is kept.
  const anew = query.replace(/}$/, '... @include(if: true) { __typename } }')
  for (const variables of all) {
    const price = await priceOf(opened, query, { variables })
    expect(price).toMatchObject({ calls: expect.any(Array) })
    expect(price).toEqual(await priceOf(opened, anew, { variables }))
  }
})

test('2: what is skipped by a variable, or stands in a fragment that is, costs no more than if it were not there', async () => {
  const opened = await run(flawless)
  const query = `query ($deep: Boolean!) { charts { platB(countryCode: "US", first: 100) {
    nodes { track { name ...Deep @include(if: $deep) } } } } } fragment Deep on Track { durationMs }`
  expect((await priceOf(opened, query, { variables: { deep: false } })).max).toBe(1)
  expect((await priceOf(opened, query, { variables: { deep: true } })).max).toBeGreaterThan(1)
  expect((await ask(opened, query, { variables: { deep: false } })).credits.spent).toBe(1)
})

test('what one operation came to need tells nothing of another', async () => {
  const opened = await run(flawless)
  const rows = (track: string) =>
    `{ charts { platB(countryCode: "US", first: 20) { nodes { track { ${track} } } } } }`
  const cold = await priceOf(opened, rows('name durationMs'))
  expect(cold).toMatchObject({ min: 1, likely: 21, max: 21 })
  expect((await ask(opened, rows('name artists { name }'))).credits.spent).toBe(1)
  expect(await priceOf(opened, rows('name durationMs'))).toMatchObject({ min: 0, likely: 20 })
})

test('the lines of a price come to what is likely, before a run and after it, whatever is held', async () => {
  const opened = await run(flawless)
  const rows = (first: number) =>
    `{ charts { platB(countryCode: "US", date: "2025-06-06", first: ${first}) { nodes { track { durationMs } } } } }`
  const counts = async (headers: Record<string, string> = {}) => {
    const { likely, calls } = await priceOf(opened, rows(20), { headers })
    const [chart, track] = calls.map(({ state, count }) => (state === 'hit' ? 0 : count))
    expect((chart ?? 0) + (track ?? 0)).toBe(likely)
    return [chart, track]
  }
  expect(await counts()).toEqual([1, 20])
  expect((await ask(opened, rows(5))).credits.spent).toBe(6)
  expect((await ask(opened, rows(20))).credits.spent).toBe(15)
  expect(await counts()).toEqual([0, 0])
  expect(await counts({ 'cache-control': 'no-cache' })).toEqual([1, 20])
})

test('what the last run needed costs whoever asks now what it costs him', async () => {
  const opened = await run(flawless)
  const query = '{ track(cmId: 12) { streamEstimates { status track { durationMs } } } }'
  expect((await ask(opened, query)).credits.spent).toBe(2)
  expect(await priceOf(opened, query)).toMatchObject({ min: 0, likely: 0, max: 0 })
  const headers = { 'cache-control': 'no-cache', 'x-credits-plan': 'report' }
  const { plan, credits } = await ask(opened, query, { headers })
  expect([plan.likely, credits.spent]).toEqual([2, 2])
})

test('what is given up last has its credits before the records that it would be gathered after', async () => {
  const opened = await run(flawless)
  const rows = (first: string, last: string) => `{ charts { platB(countryCode: "US", first: 8) {
    nodes { track { durationMs ${first} streamEstimates(date: "2026-03-01") ${last} { status } } } } } }`
  for (const [first, last] of [
    ['', '@credits(priority: HIGH)'],
    ['@credits(priority: LOW)', ''],
  ] as const) {
    const headers = { 'x-credits-limit': '5', 'cache-control': 'no-cache' }
    const { data, credits } = await ask(opened, rows(first, last), { headers })
    const tracks = data.charts.platB.nodes.map(({ track }: { track: object }) => track)
    const told = (name: string) =>
      tracks.filter((track: Record<string, unknown>) => track[name] !== null)
    expect([credits.spent, told('streamEstimates').length, told('durationMs').length]).toEqual([
      5, 8, 3,
    ])
  }
})

test('what a variable decides about is in the price wherever it stands, whatever it decided before', async () => {
  const opened = await run(flawless)
  for (const deep of [
    'premium { platDAudienceStats @include(if: $deep) }',
    'premium { __typename ...Deep }',
  ]) {
    const isSpread = deep.includes('...')
    const query = `query ($deep: Boolean!) { artist(cmId: 5) { cmId ${deep} } }
      ${isSpread ? 'fragment Deep on ArtistPremium { platDAudienceStats @include(if: $deep) }' : ''}`
    for (const [isDeep, max] of [
      [false, 0],
      [true, 2],
      [false, 0],
    ] as const)
      expect(await priceOf(opened, query, { variables: { deep: isDeep } })).toMatchObject({ max })
  }
})

test('a row whose lists do not pair tells no names, and its price has room for the records', async () => {
  const row = { rank: 1, cm_artist: [5, 6], artist_names: ['Ada'] }
  const opened = await openScripted(({ path }) => ({
    body: path.startsWith('/api/artist/')
      ? { obj: { id: Number(path.split('/').at(-1)), name: 'Bo' } }
      : { obj: { length: 1, data: [row] } },
  }))
  onTestFinished(() => opened.close())
  const query = '{ charts { platB(countryCode: "US", first: 2) { nodes { artists { name } } } } }'
  const spare = { most: 20, count: 0, unbounded: true }
  expect(await priceOf(opened, query)).toMatchObject({
    min: 1,
    likely: 1,
    max: 200,
    calls: [{}, spare],
  })
  const { data, credits } = await ask(opened, query)
  expect(data.charts.platB.nodes[0].artists).toEqual([{ name: 'Bo' }, { name: 'Bo' }])
  expect(credits.spent).toBe(3)
})

/** A chart of two tracks whose lists pair, or do not, and the records of all that they name. */
const openChart = async (isPaired: boolean) => {
  const rowOf = (id: number) => ({
    rank: id,
    cm_track: id,
    name: 'Tide',
    cm_artist: [5, 6],
    artist_names: isPaired ? ['Ada', 'Bo'] : ['Ada'],
    album_ids: [10 * id, 10 * id + 1],
    album_names: isPaired ? ['Sand', 'Sea'] : ['Sand'],
    album_upc: ['700000000001', '700000000002'],
  })
  const record = {
    name: 'Named',
    image_url: 'https://cdn.example.invalid/1.png',
    artists: [{ id: 5, name: 'Ada', code2: 'SE' }],
    albums: [{ id: 7, name: 'Sand', upc: '700000000001', image_url: null }],
  }
  const opened = await openScripted(({ path }) => ({
    body: path.includes('/charts/')
      ? { obj: { length: 2, data: [rowOf(1), rowOf(2)] } }
      : { obj: { ...record, id: Number(path.split('/').at(-1)) } },
  }))
  onTestFinished(() => opened.close())
  const of = (fields: string, day = '2025-06-06') =>
    `{ charts { platB(countryCode: "US", date: "${day}", first: 2) { nodes { track { ${fields} } } } } }`
  return { opened, of }
}

test.each([
  ['artists { name }', 3],
  ['artists { cmId }', 3],
  ['artistNames', 3],
  ['albums { name }', 3],
  ['albums { upc }', 3],
  ['artists { countryCode }', 3],
  ['artists { coverUrl }', 200],
])(
  'what most rows tell of a track is in its most and not in what is likely: %s',
  async (fields, max) => {
    const { opened, of } = await openChart(true)
    expect(await priceOf(opened, of(`name ${fields}`))).toMatchObject({ min: 1, likely: 1, max })
  },
)

test.each(['artists { name }', 'artists { cmId }', 'artistNames', 'albums { upc }'])(
  'where rows tell that of no track, the next price knows from the last run: %s',
  async (fields) => {
    for (const [isPaired, spent] of [
      [true, 1],
      [false, 3],
    ] as const) {
      const { opened, of } = await openChart(isPaired)
      const { errors, credits } = await ask(opened, of(`name ${fields}`))
      expect([errors, credits.spent]).toEqual([[], spent])
      expect(await priceOf(opened, of(`name ${fields}`, '2025-06-05'))).toMatchObject({
        min: 1,
        likely: spent,
        max: 3,
      })
    }
  },
)

test('what only the record of each album of a row tells is priced as these, and not as the track', async () => {
  const { opened, of } = await openChart(true)
  const query = of('albums { imageUrl }')
  const { min, likely, max, calls } = await priceOf(opened, query)
  expect(calls.map(({ endpoint }) => endpoint)).toContain('album')
  expect([min, likely, max]).toEqual([1, 4, 200])
  const { errors, credits } = await ask(opened, query)
  expect([errors, credits.spent]).toEqual([[], 5])
})

test.each([
  ['a null', { isrc: null }, 0, null],
  ['nothing', {}, 1, 'QZ1'],
])(
  'a row that says %s where its code is documented: the record is bought only for what is left out, within the limit',
  async (_what, told, bought, isrc) => {
    const row = { rank: 1, cm_track: 9, name: 'Tide', image_url: null, ...told }
    const opened = await opening(({ path }) =>
      path === '/api/track/9'
        ? { body: { obj: { id: 9, name: 'Tide', isrc: 'QZ1' } } }
        : { body: { obj: { length: 1, data: [row] } } },
    )
    const query = '{ charts { platB(countryCode: "US", first: 2) { nodes { track { isrc } } } } }'
    expect(await priceOf(opened, query)).toMatchObject({ min: 1, likely: 1, max: 1 })
    const limited = await ask(opened, query, { headers: { 'x-credits-limit': '1' } })
    expect(limited.credits.spent).toBe(1)
    expect(limited.data.charts.platB.nodes[0].track).toEqual({ isrc: null })
    expect(limited.errors.map(({ extensions }) => extensions.code)).toEqual(
      Array(bought).fill('CREDIT_LIMIT_EXCEEDED'),
    )
    const { data, credits } = await ask(opened, query)
    expect([data.charts.platB.nodes[0].track, credits.spent]).toEqual([{ isrc }, bought])
  },
)

test('a list within a row may be longer than anybody said: the limit of the operation is its most', async () => {
  const artists = Array.from({ length: 30 }, (_, at) => ({ id: 100 + at, name: `Ada ${at}` }))
  const opened = await opening(({ path }) =>
    path === '/api/track/5'
      ? { body: { obj: { id: 5, name: 'Tide', artists } } }
      : { body: { obj: { id: Number(path.split('/').at(-1)), cm_artist_rank: 7 } } },
  )
  const query = '{ track(cmId: 5) { artists { rank } } }'
  expect(await priceOf(opened, query)).toMatchObject({ min: 1, likely: 2, max: 200 })
  const limited = query.replace('{', 'query @credits(limit: 40) {')
  expect(await priceOf(opened, limited)).toMatchObject({ min: 1, likely: 2, max: 40 })
  const { data, errors, credits } = await ask(opened, limited)
  expect(errors).toEqual([])
  expect(data.track.artists).toHaveLength(30)
  expect(credits.spent).toBe(31)
  expect(await priceOf(opened, limited)).toMatchObject({ min: 0, likely: 0, max: 0 })
})

const CHART = 'charts { platG(countryCode: "US", first: 20) { nodes { artists { rank } } } }'
test.each([
  ['its limit, below what is guessed', `query @credits(limit: 30) { ${CHART} }`, 30],
  [
    'its limit, however small',
    'query @credits(limit: 5) { album(cmId: 5) { artists { rank } } }',
    5,
  ],
  ['what a deployment allows, where it has no limit', `{ ${CHART} }`, 200],
  [
    'what all else may cost, where that is more',
    `query @credits(limit: 30) { ${CHART} tracks(cmIds: [${Array.from({ length: 40 }, (_, at) => at + 1)}]) { durationMs } }`,
    41,
  ],
])('the most of an operation that follows a list within a row is %s', async (_, query, max) => {
  const opened = await opening(() => ({ body: { obj: {} } }))
  expect(await priceOf(opened, query)).toMatchObject({ max })
  const folder = mkdtempSync(join(tmpdir(), 'refrain-price-'))
  writeFileSync(join(folder, 'page.graphql'), query)
  expect(priceCommand([folder, '--max', String(max)]).code).toBe(0)
  expect(priceCommand([folder, '--max', String(max - 1)]).code).toBe(1)
})

test('a change that follows a list within a row tells that it may cost more than it counts', () => {
  const folderOf = (query: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'refrain-price-'))
    writeFileSync(join(folder, 'page.graphql'), query)
    return folder
  }
  const before = folderOf('query Page { track(cmId: 5) { name } }')
  const after = folderOf('query Page { track(cmId: 5) { name artists { rank } } }')
  const limited = folderOf(
    'query Page @credits(limit: 12) { track(cmId: 5) { name artists { rank } } }',
  )
  const { code, text } = priceCommand([after, '--base', before])
  expect(code).toBe(1)
  expect(text).toContain('track.artists: artist ×10+')
  expect(text).toContain(
    'Page may cost 200 credits in place of 1: track.artists (artist) +10 or more',
  )
  expect(priceCommand([limited, '--max', '12']).code).toBe(0)
  const more = folderOf(
    'query Page { track(cmId: 5) { name artists { rank } } album(cmId: 5) { name } }',
  )
  expect(priceCommand([more, '--base', after])).toMatchObject({
    code: 1,
    text: expect.stringContaining('Page may cost more than it did: album (album) +1'),
  })
  expect(priceCommand([after, '--base', more]).code).toBe(0)
})

test('7: naive − paid equals the sum of the mechanism lines, on every response', async () => {
  const opened = await run(flawless)
  const page = (first: number, after = '') =>
    `{ playlists(platform: PLAT_B, first: ${first}${after && `, after: "${after}"`}) { nodes { name } pageInfo { endCursor } } }`
  const first = await ask(opened, page(50))
  const cursor = first.data.playlists.pageInfo.endCursor
  /** What each would cost request by request: pages, and every object with an endpoint of its own. */
  const cases: readonly (readonly [string, (data: never) => number])[] = [
    [page(50), () => 1],
    [page(50, cursor), () => 1],
    [page(50, cursor), () => 1],
    [
      '{ a: artist(cmId: 5) { name } b: artist(cmId: 5) { rank } c: track(cmId: 5) { name } }',
      () => 3,
    ],
    ['{ artist(cmId: 5) { premium { platDTopVideos wherePeopleListen } } }', () => 4],
    [
      '{ search(query: "river") { artists { nodes { name } } tracks { nodes { name } } } }',
      searched,
    ],
    [`{ streamEstimates(trackCmIds: [${ids(60)}]) { status } }`, () => 60],
    [
      '{ charts { platB(countryCode: "US", first: 20) { nodes { track { name } artists { name } } } } }',
      charted,
    ],
  ]
  for (const round of ['cold', 'warm'])
    for (const [query, costs] of cases) {
      const answered = await ask(opened, query)
      expect(answered.errors, query).toEqual([])
      const { spent, saved, savedBy } = answered.credits
      expect(saved, query).toBe(Object.values(savedBy).reduce((sum, one) => sum + one, 0))
      expect(naive(answered) - spent, query).toBe(saved)
      expect(naive(answered), `${round} ${query}`).toBe(costs(answered.data as never))
    }
})

const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 100).join()
const searched = ({
  search: { artists, tracks },
}: {
  search: Record<'artists' | 'tracks', { nodes: unknown[] }>
}) => 2 + artists.nodes.length + tracks.nodes.length
const charted = ({
  charts: { platB },
}: {
  charts: { platB: { nodes: { artists: unknown[] }[] } }
}) => 1 + platB.nodes.reduce((sum, { artists }) => sum + 1 + artists.length, 0)

test('12: a pull request that raises an operation from 2 to 22 credits fails with the path that caused it', () => {
  const folderOf = (query: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'refrain-price-'))
    writeFileSync(join(folder, 'page.graphql'), query)
    return folder
  }
  const before = folderOf(
    `query Page { album(cmId: 5) { name } charts { platB(countryCode: "US", first: 20) { nodes { track { name } } } } }`,
  )
  const after = folderOf(
    `query Page { album(cmId: 5) { name } charts { platB(countryCode: "US", first: 20) { nodes { track { name durationMs } } } } }`,
  )
  const priced = (folder: string) => JSON.parse(priceCommand([folder, '--json']).text)
  expect(priced(before).operations).toMatchObject([{ name: 'Page', plan: { max: 2 } }])
  expect(priced(after).operations).toMatchObject([{ name: 'Page', plan: { max: 22 } }])
  const { code, text } = priceCommand([after, '--base', before])
  expect(code).toBe(1)
  expect(text).toContain('charts.platB.nodes.track')
  expect(text).toContain('+20')
})

test('the most counts what the empty lists of a row leave to the record of its track', async () => {
  const rows = [501, 502].map((cm_track) => ({
    cm_track,
    name: 'Low Tide Radio',
    isrc: null,
    image_url: null,
    cm_artist: [],
    artist_names: [],
    album_ids: [],
    album_names: [],
  }))
  const opened = await opening(({ path }) => {
    if (path !== '/api/charts/platU') return { body: { obj: { artists: [], albums: [] } } }
    return { body: { obj: { length: 2, data: rows } } }
  })
  const chart = (below: string) => `{ charts { platU(first: 2) { nodes { track { ${below} } } } } }`
  const told = await ask(opened, chart('name isrc imageUrl'), {
    headers: { 'x-credits-plan': 'report' },
  })
  expect(told.data.charts.platU.nodes[0].track).toEqual({
    name: 'Low Tide Radio',
    isrc: null,
    imageUrl: null,
  })
  expect([told.plan.max, told.credits.spent]).toEqual([1, 1])
  await nextMoment()
  const lists = await ask(opened, chart('artists { name } albums { name }'), {
    headers: { 'x-credits-plan': 'report', 'cache-control': 'no-cache' },
  })
  expect([lists.plan.max, lists.credits.spent]).toEqual([3, 3])
})

test('the price of artists of whom one is known to be refused is that of the others', async () => {
  const opened = await openScripted(({ query }) => {
    const artistIds = query.filter(([name]) => name === 'artists[]').map(([, id]) => Number(id))
    const obj = artistIds.map((id) => ({ cm_track: id, name: 'Tune', artist: [{ id }], album: [] }))
    if (artistIds.includes(7)) return { status: 400 }
    return { body: { obj, offset: 0, total: obj.length } }
  })
  onTestFinished(() => opened.close())
  const tracks = (...cmIds: number[]) =>
    `{ artists(cmIds: [${cmIds}]) { tracks(first: 1) { nodes { score } } } }`
  const costOf = async (text: string) => {
    const { min } = await priceOf(opened, text)
    return [min, (await ask(opened, text)).credits.spent]
  }
  expect(await costOf(tracks(7))).toEqual([1, 1])
  expect(await costOf(tracks(7, 2, 5))).toEqual([1, 1])
  expect(await costOf(tracks(7, 2, 5))).toEqual([0, 0])
  expect(await costOf(tracks(7, 9))).toEqual([1, 1])
  expect(await costOf(tracks(7, 9))).toEqual([0, 0])
  expect(await costOf(tracks(7, 2, 9, 5))).toEqual([0, 0])
  expect(await costOf(tracks(7, 2, 9, 8, 5))).toEqual([1, 1])
})
