import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

const artistOf = (id: number | string) => ({
  id,
  name: `Artist ${id}`,
  image_url: 'https://img.example.invalid/a.jpg',
  isni: '0000000000000331',
  sp_followers: 88123,
  sp_monthly_listeners: 3000000000,
  cm_artist_score: 54.2,
  verified: true,
})
const ALL = {
  artists: Array.from({ length: 130 }, (_, i) => artistOf(3301 + i)),
  tracks: [
    {
      id: '501',
      name: 'Low Tide Radio',
      isrc: 'ZZA012300001',
      image_url: null,
      artist_names: ['Lanterns'],
    },
  ],
  albums: [{ id: 8001, name: 'Glass Orchard', label: 'Kestrel Yard', image_url: null }],
  playlists: { platA: [{ id: '37i9', name: 'Dusk', owner_name: 'Ada' }], platB: [{ id: 12 }] },
  curators: { platA: [{ id: 7, name: 'Editors' }] },
  cities: [{ id: 78, name: 'Westharbour', trigger_city: false }],
  songwriters: [{ doc_id: 44, name: 'Ada Quill', artistName: 'Quill' }],
  stations: [{ id: 31 }],
  labels: ['Kestrel Yard'],
  countries: [],
  genres: [{ id: 1 }],
  festivals: [{ id: 450 }],
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.close()))
})
const answer = ({ path, query }: Seen): Scripted => {
  if (path !== '/api/search')
    return { body: { obj: { id: 3301, cm_statistics: { sp_followers: 9 } } } }
  const { type = 'all', offset } = Object.fromEntries(query)
  const artists = ALL.artists.slice(Number(offset), Number(offset) + 100)
  const one = type === 'artists' ? artists : ALL[type as keyof typeof ALL]
  return { body: { obj: type === 'all' ? { ...ALL, artists } : { [type]: one } } }
}
const run = async (script: (seen: Seen) => Scripted = answer) => {
  const started = await openScripted(script)
  open.push(started)
  return started
}
const types = (requests: readonly Seen[]) =>
  requests.map(({ query }) => {
    const { type, offset, limit } = Object.fromEntries(query)
    return `${type} ${offset} ${limit}`
  })
const search = (selection: string) => `{ search(query: "paper") { ${selection} } }`

describe('search', () => {
  it.each([
    'artists { nodes { id } }',
    'a: artists { nodes { id } } b: artists(first: 1) { nodes { id } }',
    '... on SearchResult { tracks { nodes { id } } } __typename',
    'a: playlists(platform: PLAT_A) { nodes { cmId } } b: playlists(platform: PLAT_B) { nodes { cmId } }',
    'curators(platform: PLAT_A) { nodes { id } }',
    'cities { nodes { cmId } }',
    'artists @skip(if: true) { nodes { id } } tracks { nodes { id } }',
    'artists { nodes { id } } tracks { nodes { id } }',
    'labels { nodes }',
    'festivals { nodes } artists { nodes { id } }',
  ])('of { %s } asks once, for all kinds: rows are free', async (selection) => {
    const { query, upstream } = await run()
    const { errors, credits } = await query(search(selection))
    expect(errors).toEqual([])
    expect(types(upstream.requests)).toEqual(['all 0 100'])
    expect(credits.spent).toBe(1)
  })

  it('costs nothing for another kind of the same words', async () => {
    const { query, upstream } = await run()
    await query(search('artists { nodes { id } }'))
    for (const kind of ['tracks { nodes { id } }', 'cities { nodes { cmId } }', 'labels { nodes }'])
      expect((await query(search(kind))).credits).toMatchObject({ spent: 0, savedBy: { cache: 1 } })
    expect(upstream.requests).toHaveLength(1)
  })

  it('sends nothing where no list is selected', async () => {
    const { query, upstream } = await run()
    const { data, credits } = await query(search('__typename'))
    expect(data.search).toEqual({ __typename: 'SearchResult' })
    expect(upstream.requests).toEqual([])
    expect(credits.spent).toBe(0)
  })

  it('gives every kind out of one answer', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      search(`
        artists(first: 1) { totalCount edges { platAFollowers platAMonthlyListeners node { id name imageUrl isni score } } }
        tracks { nodes { id name isrc artistNames } } albums { nodes { id name label } }
        playlists(platform: PLAT_A) { nodes { cmId platform name ownerName } }
        curators(platform: PLAT_A) { nodes { id cmId platform name } }
        cities { nodes { cmId name isTriggerCity } } songwriters { nodes { id cmId name artistName } }
        stations { nodes } labels { nodes } countries { nodes } genres { nodes } festivals { nodes }
      `),
    )
    expect(errors).toEqual([])
    expect(data.search).toEqual({
      artists: {
        totalCount: null,
        edges: [
          {
            platAFollowers: 88123,
            platAMonthlyListeners: 3_000_000_000,
            node: {
              id: 'Artist:3301',
              name: 'Artist 3301',
              imageUrl: 'https://img.example.invalid/a.jpg',
              isni: '0000000000000331',
              score: 54.2,
            },
          },
        ],
      },
      tracks: {
        nodes: [
          {
            id: 'Track:501',
            name: 'Low Tide Radio',
            isrc: 'ZZA012300001',
            artistNames: ['Lanterns'],
          },
        ],
      },
      albums: { nodes: [{ id: 'Album:8001', name: 'Glass Orchard', label: 'Kestrel Yard' }] },
      playlists: {
        nodes: [{ cmId: '37i9', platform: 'PLAT_A', name: 'Dusk', ownerName: 'Ada' }],
      },
      curators: {
        nodes: [{ id: 'Curator:platA:7', cmId: 7, platform: 'PLAT_A', name: 'Editors' }],
      },
      cities: { nodes: [{ cmId: 78, name: 'Westharbour', isTriggerCity: false }] },
      songwriters: {
        nodes: [{ id: 'Songwriter:44', cmId: 44, name: 'Ada Quill', artistName: 'Quill' }],
      },
      stations: { nodes: [{ id: 31 }] },
      labels: { nodes: ['Kestrel Yard'] },
      countries: { nodes: [] },
      genres: { nodes: [{ id: 1 }] },
      festivals: { nodes: [{ id: 450 }] },
    })
    expect(upstream.requests).toHaveLength(1)
    expect(credits).toMatchObject({ spent: 1, savedBy: { batched: 11, hydrated: 3 } })
  })

  it('pages through a list, with others beside it or without', async () => {
    const { query, upstream } = await run()
    const first = await query(
      search('artists(first: 99) { pageInfo { endCursor } } tracks { nodes { id } }'),
    )
    const cursor = first.data.search.artists.pageInfo.endCursor
    const { data, errors } = await query(
      search(`artists(first: 100, after: "${cursor}") { nodes { cmId } pageInfo { hasNextPage } }`),
    )
    expect(errors).toEqual([])
    const ids = data.search.artists.nodes.map(({ cmId }: { cmId: number }) => cmId)
    expect(ids).toEqual(Array.from({ length: 31 }, (_, i) => 3400 + i))
    expect(data.search.artists.pageInfo.hasNextPage).toBe(false)
    expect(types(upstream.requests)).toEqual(['all 0 100', 'all 100 100'])
  })

  it('refuses a cursor of another list', async () => {
    const { query } = await run()
    const first = await query(search('artists(first: 1) { pageInfo { endCursor } }'))
    const { errors } = await query(
      search(`tracks(after: "${first.data.search.artists.pageInfo.endCursor}") { nodes { id } }`),
    )
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'after' })
  })

  it('asks for the artist where only its record tells', async () => {
    const { query, upstream } = await run()
    const { data, credits } = await query(
      search('artists(first: 1) { nodes { score statistics { platAFollowers } } }'),
    )
    expect(data.search.artists.nodes).toEqual([{ score: 54.2, statistics: { platAFollowers: 9 } }])
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/search', '/api/artist/3301'])
    expect(credits.spent).toBe(2)
  })

  it.each([[''], ['x'.repeat(101)]])('for %j fails its lists and nothing else', async (text) => {
    const { query, upstream } = await run()
    const { data, errors } = await query(
      `query ($text: String!) {
        search(query: $text) { artists { nodes { id } } tracks { nodes { id } } }
        suggestions(query: $text) { nodes { target } }
        radioStations { totalCount }
      }`,
      { text },
    )
    expect(data).toMatchObject({ search: { artists: null, tracks: null }, suggestions: null })
    expect(errors.map(({ path }) => path)).toEqual(
      expect.arrayContaining([['search', 'artists'], ['search', 'tracks'], ['suggestions']]),
    )
    for (const { extensions } of errors.slice(0, 3))
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'query' })
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/radio/station-list'])
  })
})

describe('suggestions', () => {
  it('come from the beta engine', async () => {
    const { query, upstream } = await run(() => ({
      body: { obj: { suggestions: [{ id: 9, target: 'new_kind', match_strength: '0.2' }] } },
    }))
    const { data, errors } = await query(
      `{ suggestions(query: "paper", kind: ARTISTS, platforms: [PLAT_A, CM]) {
          nodes { target matchStrength additionalFields } pageInfo { hasNextPage }
      } }`,
    )
    expect(errors).toEqual([])
    expect(data.suggestions).toEqual({
      nodes: [{ target: 'new_kind', matchStrength: 0.2, additionalFields: { id: 9 } }],
      pageInfo: { hasNextPage: false },
    })
    expect(upstream.requests[0]?.query.toSorted()).toEqual([
      ['beta', 'true'],
      ['limit', '100'],
      ['offset', '0'],
      ['platforms[]', 'cm'],
      ['platforms[]', 'platA'],
      ['q', 'paper'],
      ['type', 'artists'],
    ])
  })
})
