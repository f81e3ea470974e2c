import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

const rowOf = (change: object = {}) => ({
  id: 'r-1',
  name: 'Low Tide Radio',
  isrc: 'ZZA012300001',
  image_url: 'https://img.example.invalid/t/501.jpg',
  cm_track: 501,
  cm_artist: [3301, 3302],
  artist_names: ['The Paper Lanterns', 'Ada Ferro'],
  code2s: ['GB', 'IT'],
  artist_images: [
    'https://img.example.invalid/a/3301.jpg',
    'https://img.example.invalid/a/3302.jpg',
  ],
  artist_covers: ['https://img.example.invalid/c/3301.jpg', null],
  album_ids: [8001],
  album_names: ['Glass Orchard'],
  album_upc: ['000000000011'],
  album_label: ['Kestrel Yard Records'],
  release_dates: ['2025-04-23T07:00:00.000Z'],
  rank: 1,
  rankStats: [{ rank: 1, timestp: '2026-01-02T00:00:00.000Z' }],
  time_on_chart: '12',
  ...change,
})
const chartOf = (...data: object[]): Scripted => ({ body: { obj: { length: data.length, data } } })

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.close()))
})
const run = async (answer: (seen: Seen, count: number) => Scripted = () => chartOf(rowOf())) => {
  const started = await openScripted(answer)
  open.push(started)
  return started
}
const sent = (requests: readonly Seen[]) =>
  requests.map(({ path, query }) => `${path}?${query.map((pair) => pair.join('=')).join('&')}`)

describe('a chart', () => {
  it('answers its tracks with their artists and albums for the credit of the chart', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } =
      await query(`{ charts { platB(countryCode: "US") { totalCount nodes {
      rank timeOnChart rankHistory { date rank }
      track { cmId name isrc imageUrl artists { cmId name countryCode } artistNames albums { name label upc releaseDate } }
      artists { name imageUrl }
      artistCredits { name countryCode coverUrl artist { id name } }
      albumCredits { name label album { cmId upc } }
      albums { name }
      arrays { artistIds albumUpcs platATrackIds }
      additionalFields
    } } } }`)
    expect(errors).toEqual([])
    expect(data.charts.platB.totalCount).toBe(1)
    expect(data.charts.platB.nodes).toEqual([
      {
        rank: 1,
        timeOnChart: 12,
        rankHistory: [{ date: '2026-01-02', rank: 1 }],
        track: {
          cmId: 501,
          name: 'Low Tide Radio',
          isrc: 'ZZA012300001',
          imageUrl: 'https://img.example.invalid/t/501.jpg',
          artists: [
            { cmId: 3301, name: 'The Paper Lanterns', countryCode: 'GB' },
            { cmId: 3302, name: 'Ada Ferro', countryCode: 'IT' },
          ],
          artistNames: ['The Paper Lanterns', 'Ada Ferro'],
          albums: [
            {
              name: 'Glass Orchard',
              label: 'Kestrel Yard Records',
              upc: '000000000011',
              releaseDate: '2025-04-23',
            },
          ],
        },
        artists: [
          { name: 'The Paper Lanterns', imageUrl: 'https://img.example.invalid/a/3301.jpg' },
          { name: 'Ada Ferro', imageUrl: 'https://img.example.invalid/a/3302.jpg' },
        ],
        artistCredits: [
          {
            name: 'The Paper Lanterns',
            countryCode: 'GB',
            coverUrl: 'https://img.example.invalid/c/3301.jpg',
            artist: { id: 'Artist:3301', name: 'The Paper Lanterns' },
          },
          {
            name: 'Ada Ferro',
            countryCode: 'IT',
            coverUrl: null,
            artist: { id: 'Artist:3302', name: 'Ada Ferro' },
          },
        ],
        albumCredits: [
          {
            name: 'Glass Orchard',
            label: 'Kestrel Yard Records',
            album: { cmId: 8001, upc: '000000000011' },
          },
        ],
        albums: [{ name: 'Glass Orchard' }],
        arrays: { artistIds: [3301, 3302], albumUpcs: ['000000000011'], platATrackIds: [] },
        additionalFields: null,
      },
    ])
    expect(sent(upstream.requests)).toEqual(['/api/charts/platB?country_code=US&latest=true'])
    expect(credits.spent).toBe(1)
  })

  it('asks for what a row leaves out, not for what it tells, and takes null for an answer', async () => {
    const { query, upstream } = await run(({ path }) =>
      path.startsWith('/api/artist/')
        ? { body: { obj: { cover_url: 'https://img.example.invalid/c/9.jpg' } } }
        : chartOf(path === '/api/charts/platU' ? rowOf() : rowOf({ artist_covers: undefined })),
    )
    const nodes = 'nodes { artists { name coverUrl } }'
    const told = await query(`{ charts { platU { ${nodes} } } }`)
    expect(told.data.charts.platU.nodes[0].artists).toEqual([
      { name: 'The Paper Lanterns', coverUrl: 'https://img.example.invalid/c/3301.jpg' },
      { name: 'Ada Ferro', coverUrl: null },
    ])
    expect(told.credits.spent).toBe(1)
    const leftOut = await query(`{ charts { platB(countryCode: "US") { ${nodes} } } }`)
    expect(leftOut.data.charts.platB.nodes[0].artists).toEqual([
      { name: 'The Paper Lanterns', coverUrl: 'https://img.example.invalid/c/9.jpg' },
      { name: 'Ada Ferro', coverUrl: 'https://img.example.invalid/c/9.jpg' },
    ])
    expect(leftOut.credits.spent).toBe(3)
    expect(sent(upstream.requests)).toEqual([
      '/api/charts/platU?latest=true',
      '/api/charts/platB?country_code=US&latest=true',
      '/api/artist/3301?',
      '/api/artist/3302?',
    ])
  })

  it('gives names without artists and artists without names where their numbers differ', async () => {
    const { query, upstream } = await run(({ path }) =>
      path === '/api/artist/3302'
        ? { body: { obj: { id: 3302, name: 'Ada Ferro' } } }
        : chartOf(rowOf({ cm_artist: [3302] })),
    )
    const credits = 'artistCredits { name artist { cmId } }'
    const unnamed = await query(`{ charts { platU { nodes { ${credits} artists { cmId } } } } }`)
    expect(unnamed.data.charts.platU.nodes).toEqual([
      {
        artistCredits: [
          { name: 'The Paper Lanterns', artist: null },
          { name: 'Ada Ferro', artist: null },
        ],
        artists: [{ cmId: 3302 }],
      },
    ])
    expect(upstream.requests).toHaveLength(1)
    const named = await query('{ charts { platU { nodes { artists { name } } } } }')
    expect(named.data.charts.platU.nodes).toEqual([{ artists: [{ name: 'Ada Ferro' }] }])
    expect(named.credits.spent).toBe(1)
  })

  it('takes the artists of a track from the track where the row has none', async () => {
    const { query } = await run(({ path }) =>
      path === '/api/track/501'
        ? {
            body: {
              obj: {
                id: 501,
                name: 'Low Tide Radio',
                artists: [{ id: 3301, name: 'The Paper Lanterns' }],
              },
            },
          }
        : chartOf(rowOf({ cm_artist: [] })),
    )
    const { data, credits } = await query(
      '{ charts { platU { nodes { artists { cmId } artistCredits { name artist { cmId } } track { artists { cmId name } } } } } }',
    )
    expect(data.charts.platU.nodes).toEqual([
      {
        artists: [],
        artistCredits: [
          { name: 'The Paper Lanterns', artist: null },
          { name: 'Ada Ferro', artist: null },
        ],
        track: { artists: [{ cmId: 3301, name: 'The Paper Lanterns' }] },
      },
    ])
    expect(credits.spent).toBe(2)
  })

  it('keeps a row without a track, and sends nothing for it', async () => {
    const { query, upstream } = await run(() => chartOf(rowOf({ cm_track: null, cm_artist: null })))
    const { data, errors } = await query(
      '{ charts { platU { nodes { rowId track { durationMs } artists { score } } } } }',
    )
    expect(errors).toEqual([])
    expect(data.charts.platU.nodes).toEqual([{ rowId: 'r-1', track: null, artists: [] }])
    expect(upstream.requests).toHaveLength(1)
  })

  it('of a day sends that day and not the latest', async () => {
    const { query, upstream } = await run()
    await query('{ charts { platB(countryCode: "US", date: "2026-01-02") { nodes { rank } } } }')
    await query('{ charts { platB(countryCode: "US", date: null) { nodes { rank } } } }')
    expect(sent(upstream.requests)).toEqual([
      '/api/charts/platB?country_code=US&date=2026-01-02',
      '/api/charts/platB?country_code=US&latest=true',
    ])
  })

  it('of a day that no calendar has is refused alone, before a credit is spent', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      '{ charts { platU { nodes { rank } } platF(genre: "techno", date: "2026-02-30") { nodes { rank } } } }',
    )
    expect(data.charts).toEqual({ platU: { nodes: [{ rank: 1 }] }, platF: null })
    expect(errors).toMatchObject([
      { path: ['charts', 'platF'], extensions: { code: 'BAD_USER_INPUT', argument: 'date' } },
    ])
    expect([credits.spent, upstream.requests.length]).toEqual([1, 1])
  })

  it('without that day is empty, whether the service says 404 or sends no rows', async () => {
    const { query } = await run(({ path }) =>
      path === '/api/charts/platB' ? { status: 404, body: { error: 'No data found' } } : chartOf(),
    )
    const { data, errors } = await query(
      '{ charts { platB(countryCode: "US", date: "2026-01-03") { nodes { rank } } platF(genre: "techno", date: "2026-01-03") { nodes { rank } pageInfo { hasNextPage } } } }',
    )
    expect(errors).toEqual([])
    expect(data.charts).toEqual({
      platB: { nodes: [] },
      platF: { nodes: [], pageInfo: { hasNextPage: false } },
    })
  })
})

describe('what charts can be asked for', () => {
  it('comes as it came, and is held', async () => {
    const { query, upstream } = await run(({ path }) =>
      path === '/api/charts/genres/platF'
        ? { body: { obj: [{ id: 1, name: 'techno' }] } }
        : { body: { obj: { cities: ['Berlin'] } } },
    )
    const ask = () => query('{ charts { platFGenres platGCities(countryCode: "de") } }')
    const { data, credits } = await ask()
    expect(data.charts).toEqual({
      platFGenres: [{ id: 1, name: 'techno' }],
      platGCities: { cities: ['Berlin'] },
    })
    expect(credits.spent).toBe(2)
    expect((await ask()).credits).toMatchObject({ spent: 0, savedBy: { cache: 2 } })
    expect(sent(upstream.requests).sort()).toEqual([
      '/api/charts/genres/platF?',
      '/api/charts/platG/DE/cities?',
    ])
  })

  it('of a country that cannot be is refused', async () => {
    const { query, upstream } = await run()
    const { errors } = await query('{ charts { platGCities(countryCode: "Germany") } }')
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', argument: 'countryCode' } },
    ])
    expect(upstream.requests).toEqual([])
  })
})
