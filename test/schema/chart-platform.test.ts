import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

const rowOf = (change: object = {}) => ({
  id: 'r-1',
  name: 'Low Tide Radio',
  cm_track: 501,
  album_ids: [8001],
  album_names: ['Glass Orchard'],
  rank: 1,
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

describe('the chart of platD', () => {
  it('is asked for 100 rows, by posts, without its default interval', async () => {
    const { query, upstream } = await run()
    await query('{ charts { platDTracks(first: 3) { nodes { rank } } } }')
    await query(
      '{ charts { platDTracks(first: 3, countryCode: "DE", interval: SEMI_YEARLY, date: "2026-01-02") { nodes { rank } } } }',
    )
    expect(sent(upstream.requests)).toEqual([
      '/api/charts/platD/tracks?latest=true&limit=100&offset=0',
      '/api/charts/platD/tracks?code2=DE&countryChart=true&date=2026-01-02&interval=semi-yearly&limit=100&offset=0',
    ])
  })

  it('credits names without links; the artists of its tracks cost the track', async () => {
    const row = rowOf({ platD_artist_names: ['Paper Lanterns'], posts: '7', views: 4100000000 })
    const { query } = await run(({ path }) =>
      path === '/api/track/501'
        ? { body: { obj: { id: 501, artists: [{ id: 3301, name: 'The Paper Lanterns' }] } } }
        : chartOf(row),
    )
    const { data, credits } = await query(
      '{ charts { platDTracks { nodes { posts views artists { cmId } artistCredits { name artist { cmId } } track { artists { name } } } } } }',
    )
    expect(data.charts.platDTracks.nodes).toEqual([
      {
        posts: 7,
        views: 4100000000,
        artists: [],
        artistCredits: [{ name: 'Paper Lanterns', artist: null }],
        track: { artists: [{ name: 'The Paper Lanterns' }] },
      },
    ])
    expect(credits.spent).toBe(2)
  })
})

describe('the chart of platE', () => {
  const CHART = 'platE(countryCode: "ie", kind: TOP, genre: "Latin")'

  it('is asked with its peaks, which cost nothing, so that they are there when somebody wants them', async () => {
    const { query, upstream } = await run(() => chartOf(rowOf({ rank: 3, peak_rank: 1 })))
    const chart = (fields: string) => `{ charts { ${CHART} { nodes { ${fields} } } } }`
    const plain = await query(chart('rank'))
    expect(plain.data.charts.platE.nodes).toEqual([{ rank: 3 }])
    expect(plain.credits.spent).toBe(1)
    const peaks = await query(chart('rank peakRank'))
    expect(peaks.data.charts.platE.nodes).toEqual([{ rank: 3, peakRank: 1 }])
    expect(peaks.credits).toMatchObject({ spent: 0, savedBy: { cache: 1 } })
    expect(sent(upstream.requests)).toEqual([
      '/api/charts/platE?chart_type=track&country_code=IE&genre=latin&kind=top&latest=true&offset=0&raw=false',
    ])
  })

  it('passes the user of the platform on as it came', async () => {
    const user = { id: 4411, full_name: '', visuals: null, badges: { verified: false } }
    const { query } = await run(() => chartOf(rowOf({ platE_user: user })))
    const { data } = await query(`{ charts { ${CHART} { nodes { platEUser } } } }`)
    expect(data.charts.platE.nodes).toEqual([{ platEUser: user }])
  })
})

describe('the chart of platA', () => {
  const ROW = {
    id: 3301,
    name: 'The Paper Lanterns',
    image_url: 'https://img.example.invalid/a/3301.jpg',
    isni: null,
    code2: 'GB',
    hometown_city: 'Westharbour',
    current_city: null,
    sp_followers: 88123,
    cm_artist_rank: 18231,
    rank: 1,
    change: '+2',
    rankStats: [{ date: '2026-01-02', rank: '1' }],
  }

  it('gives the artist for free, and keeps the counters of its day to itself', async () => {
    const { query, upstream } = await run(({ path }) =>
      path === '/api/artist/3301'
        ? { body: { obj: { id: 3301, cm_artist_rank: 17000 } } }
        : chartOf(ROW),
    )
    const chart = (artist: string) =>
      `{ charts { platAArtists(interval: DAILY, type: FOLLOWERS) { nodes { platAFollowers artistRank change velocity rankHistory { date rank } artist { ${artist} } } } } }`
    const free = await query(chart('cmId name imageUrl isni countryCode hometownCity currentCity'))
    expect(free.data.charts.platAArtists.nodes).toEqual([
      {
        platAFollowers: 88123,
        artistRank: 18231,
        change: '+2',
        velocity: null,
        rankHistory: [{ date: '2026-01-02', rank: 1 }],
        artist: {
          cmId: 3301,
          name: 'The Paper Lanterns',
          imageUrl: 'https://img.example.invalid/a/3301.jpg',
          isni: null,
          countryCode: 'GB',
          hometownCity: 'Westharbour',
          currentCity: null,
        },
      },
    ])
    expect(free.credits.spent).toBe(1)
    const paid = await query(chart('rank'))
    expect(paid.data.charts.platAArtists.nodes[0].artist).toEqual({ rank: 17000 })
    expect(paid.credits.spent).toBe(1)
    expect(sent(upstream.requests)).toEqual([
      '/api/charts/platA/artists?interval=daily&latest=true&offset=0&type=followers',
      '/api/artist/3301?',
    ])
  })

  it('goes on behind what came, and asks nothing just to know', async () => {
    const { query, upstream } = await run(({ query: pairs }) => {
      const offset = Number(new Map(pairs).get('offset'))
      const rows = Array.from({ length: offset === 0 ? 30 : 5 }, (_, i) => ({
        ...ROW,
        rank: offset + i + 1,
      }))
      return offset < 35 ? chartOf(...rows) : chartOf()
    })
    const next = async (after: string | null) => {
      const { data, credits } = await query(
        'query Page($after: String) { charts { platAArtists(interval: DAILY, type: FOLLOWERS, first: 50, after: $after) { totalCount nodes { rank } pageInfo { hasNextPage endCursor } } } }',
        { after },
      )
      const { nodes, pageInfo, totalCount } = data.charts.platAArtists
      expect([totalCount, credits.spent]).toEqual([null, 1])
      return { ...pageInfo, ranks: nodes.map(({ rank }: { rank: number }) => rank) }
    }
    const first = await next(null)
    expect([first.ranks.length, first.hasNextPage]).toEqual([30, true])
    const second = await next(first.endCursor)
    expect([second.ranks, second.hasNextPage]).toEqual([[31, 32, 33, 34, 35], true])
    const third = await next(second.endCursor)
    expect([third.ranks, third.hasNextPage]).toEqual([[], false])
    expect(sent(upstream.requests).map((path) => /offset=\d+/.exec(path)?.[0])).toEqual([
      'offset=0',
      'offset=30',
      'offset=35',
    ])
  })
})

describe('the chart of platG', () => {
  it('is asked in capitals, with a city and a genre that nobody listed', async () => {
    const { query, upstream } = await run(() =>
      chartOf(
        rowOf({
          code2: 'DE',
          num_of_platGs: '4021',
          platH_track_id: '16',
          platH_album_id: ['17', 18],
        }),
      ),
    )
    const { data, errors } = await query(
      '{ charts { platG(countryCode: "de", city: "Köln", genre: "polka") { nodes { countryCode platGCount platHTrackIds platHAlbumIds arrays { platHTrackIds } } } } }',
    )
    expect(errors).toEqual([])
    expect(data.charts.platG.nodes).toEqual([
      {
        countryCode: 'DE',
        platGCount: 4021,
        platHTrackIds: ['16'],
        platHAlbumIds: ['17', '18'],
        arrays: { platHTrackIds: [] },
      },
    ])
    expect(sent(upstream.requests)).toEqual([
      '/api/charts/platG?city=Köln&country_code=DE&genre=polka&latest=true&offset=0',
    ])
  })
})
