import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSupergraph } from './supergraph.ts'

let supergraph: Awaited<ReturnType<typeof openSupergraph>>
beforeAll(async () => {
  supergraph = await openSupergraph()
}, 180_000)
afterAll(() => supergraph?.close())

const ROUTERS = ['hive', 'apollo'] as const

const TEN: Readonly<Record<string, string>> = {
  'a chart with its tracks and artists': `{ charts { platB(countryCode: "US", first: 20) {
    nodes { rank name track { cmId name isrc } artistCredits { name artist { cmId id name } } }
    pageInfo { hasNextPage endCursor truncated } } } }`,
  'a chart that asks for what its rows do not tell': `{ charts { platB(countryCode: "DE", first: 5) {
    nodes { rank track { durationMs } artists { cmId careerStatus { stage } } } } } }`,
  'an artist page': `query Page($of: Int! = 2) { artist(cmId: $of) { id cmId name genres { primary { name } }
    statistics { platAFollowers counters(names: ["sp_followers"]) { name value } }
    events(status: PAST, fromDaysAgo: 900, toDaysAgo: 0, first: 5) { totalCount nodes { name startDate } } } }`,
  'nodes of every type, with fragments': `{ nodes(ids: ["Artist:5", "Track:7", "Album:9", "Venue:3", "Artist:2147483647"]) {
    __typename id ... on Artist { ...Who } ... on Track { name artists { ...Who } } ... on Album { name } ... on Venue { name capacity } } }
    fragment Who on Artist { cmId name score }`,
  'the same artist under several names': `{ a: artist(cmId: 5) { name } b: artist(cmId: 5) { score rank }
    c: artists(cmIds: [5, 6, 5]) { name } d: node(id: "Artist:6") { id ... on Artist { name } } }`,
  'a search over several buckets': `{ search(query: "river") { artists(first: 3) { nodes { cmId name } }
    tracks(first: 3) { nodes { cmId name } } cities(first: 3) { nodes { name countryCode } } } }`,
  'playlists from a cursor on': `{ playlists(platform: PLAT_B, first: 3, filter: { countryCode: "US" }) {
    totalCount edges { cursor node { name followers } } pageInfo { startCursor endCursor hasNextPage } } }`,
  'venues with their events and line-ups': `{ venue(cmId: "3") { cmId name events(first: 3) {
    nodes { name startDate lineup { isHeadliner artist { cmId name } } } } } }`,
  'tracks by statistics with their artists': `{ tracksByStat(first: 5) { nodes { track { cmId name artists { cmId name } } } } }`,
  'stream estimates, and one field that fails': `{ streamEstimates(trackCmIds: [1, 2, 3]) { status track { cmId } }
    artist(cmId: 1) { name } radioStations(first: 2) { nodes { cmId name } } }`,
}

const RANKED =
  '{ charts { platB(countryCode: "US", first: 20) { nodes { artists { cmId name } } } } }'

const SHOWS =
  '{ shows { number price artist { cmId name score } venue { cmId name capacity boxOffice } } }'

/** Operations over both subgraphs, and what the gateway is asked for the same. */
const JOINED: Readonly<Record<string, { query: string; direct: string; credits: number }>> = {
  shows: {
    query: SHOWS,
    direct: `{ artists(cmIds: [2, 3, 4, 5, 6, 7, 8, 9]) { name score }
      nodes(ids: ["Venue:1", "Venue:2", "Venue:3", "Venue:4", "Venue:9"]) { ... on Venue { name capacity } } }`,
    credits: 13,
  },
  'keys of shows': {
    query: '{ shows { number artist { cmId id __typename } venue { cmId id } } }',
    direct: '{ nodes(ids: ["Artist:2", "Venue:9"]) { id } }',
    credits: 0,
  },
  'an artist, its shows, their venues, and the artist again': {
    query: `{ artist(cmId: 5) { name shows { day venue { name boxOffice } artist { id score careerStatus { stage } } } } }`,
    direct: `{ artist(cmId: 5) { name score careerStatus { stage } }
      nodes(ids: ["Venue:1", "Venue:2", "Venue:3", "Venue:4"]) { ... on Venue { name } } }`,
    credits: 5,
  },
  'the shows of a chart': {
    query: RANKED.replace('cmId name', 'cmId name shows { number }'),
    direct: RANKED,
    credits: 1,
  },
  'the shows of a chart, and the names of their artists once more': {
    query: RANKED.replace('cmId name', 'cmId name shows { number artist { id name } }'),
    direct: RANKED,
    credits: 1,
  },
}

const OUT_OF_BOUNDS = 'cmId must be an integer from 2 to 2147483647, got 1'

describe.each(ROUTERS)('through %s', (router) => {
  test.each(Object.entries(TEN))(
    '%s: the answer and the credits of the gateway itself',
    async (name, query) => {
      const direct = await supergraph.ask('gateway', query)
      const routed = await supergraph.ask(router, query)
      const complaints = direct.errors?.map(({ message }) => message) ?? []
      expect(complaints).toEqual(name.endsWith('fails') ? [OUT_OF_BOUNDS] : [])
      expect(direct.credits).toBeGreaterThan(0)
      expect(routed.data).toEqual(direct.data)
      expect(routed.errors?.map(({ message }) => message) ?? []).toEqual(complaints)
      expect(routed.paths).toEqual(direct.paths)
      expect(routed.credits).toBe(direct.credits)
      expect(routed.extensions?.credits?.spent).toBe(direct.credits)
    },
  )

  test.each(Object.entries(JOINED))(
    '%s: no more than the same asked directly',
    async (_name, { query, direct, credits }) => {
      const asked = await supergraph.ask('gateway', direct)
      const routed = await supergraph.ask(router, query)
      expect(routed.errors).toBeUndefined()
      expect(routed.data).toEqual(expect.any(Object))
      expect(asked.credits).toBe(credits)
      expect(routed.credits).toBe(credits)
      expect(routed.paths).toEqual(asked.paths)
      expect(routed.extensions?.credits?.spent).toBe(credits)
    },
  )

  test('the limit of a client holds for each fetch', async () => {
    const { credits, errors } = await supergraph.ask(router, SHOWS, {
      'x-credits-limit': '4',
    })
    expect(errors?.[0]?.message).toContain('and its limit is 4')
    expect(credits).toBe(0)
  })

  test('a client that wants to spend nothing spends nothing', async () => {
    const { credits, errors } = await supergraph.ask(router, '{ artist(cmId: 5) { name } }', {
      'cache-control': 'only-if-cached',
    })
    expect(errors).toHaveLength(1)
    expect(credits).toBe(0)
  })
})
