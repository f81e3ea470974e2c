import { describe, expect, test } from 'vitest'
import { ask, chartOf } from './ask.ts'

describe('K. rows of charts', () => {
  const chart = (field: string, fields = 'nodes { rank }') =>
    `{ charts { ${field} { ${fields} } } }`

  test('154, 155, 156: ids of both types, unmatched rows, and nulls cost nothing and break nothing', async () => {
    const { data, errors, credits } = await ask(
      chart(
        'platU',
        'nodes { rowId name isrc imageUrl description tags rank previousRank peakRank velocity track { name } artists { name } }',
      ),
      chartOf(
        {
          id: 'x1',
          name: null,
          isrc: null,
          image_url: null,
          description: null,
          tags: null,
          rank: null,
          pre_rank: null,
          peak_rank: null,
          velocity: null,
          cm_track: null,
          cm_artist: [],
        },
        { id: 77, rank: 2 },
      ),
    )
    expect(errors).toEqual([])
    const nothing = {
      name: null,
      isrc: null,
      imageUrl: null,
      description: null,
      tags: [],
      previousRank: null,
      peakRank: null,
      velocity: null,
      track: null,
      artists: [],
    }
    expect(data.charts.platU.nodes).toEqual([
      { ...nothing, rowId: 'x1', rank: null },
      { ...nothing, rowId: '77', rank: 2 },
    ])
    expect(credits.spent).toBe(1)
  })

  test('157, 158: time on chart is a number, histories are read in each of their forms', async () => {
    const base = await ask(
      chart('platU', 'nodes { timeOnChart rankHistory { date rank } }'),
      chartOf({
        id: 1,
        time_on_chart: '12',
        rankStats: [{ rank: 3, timestp: '2025-04-23T07:00:00.000Z' }],
      }),
    )
    expect(base.data.charts.platU.nodes).toEqual([
      { timeOnChart: 12, rankHistory: [{ date: '2025-04-23', rank: 3 }] },
    ])
    const platB = await ask(
      chart('platB(countryCode: "US")', 'nodes { timeOnChart rankHistory { rank } }'),
      chartOf({ id: 1, time_on_chart: 12, rankStats: [{ rank: 3, timestp: '2025-04-23' }] }),
    )
    expect(platB.data.charts.platB.nodes).toEqual([{ timeOnChart: 12, rankHistory: [{ rank: 3 }] }])
    const platD = await ask(
      chart('platDTracks', 'nodes { timeOnChart rankHistory { posts } }'),
      chartOf({
        id: 1,
        time_on_chart: '4',
        rankStats: [{ rank: 3, posts: 900, timestp: '2025-04-23' }],
      }),
    )
    expect(platD.data.charts.platDTracks.nodes).toEqual([
      { timeOnChart: 4, rankHistory: [{ posts: 900 }] },
    ])
    const platA = await ask(
      chart(
        'platAArtists(interval: DAILY, type: FOLLOWERS)',
        'nodes { timeOnChart rankHistory { date rank } }',
      ),
      chartOf({ id: 5, time_on_chart: 9, rankStats: [{ date: '2025-04-23', rank: '3' }] }),
    )
    expect(platA.data.charts.platAArtists.nodes).toEqual([
      { timeOnChart: 9, rankHistory: [{ date: '2025-04-23', rank: 3 }] },
    ])
  })

  test('159: album ids of platB are texts, whatever the wire has', async () => {
    const fields = 'nodes { arrays { platBAlbumIds } }'
    const base = await ask(chart('platU', fields), chartOf({ id: 1, platB_album_ids: [7, 8] }))
    const platB = await ask(
      chart('platB(countryCode: "US")', fields),
      chartOf({ id: 1, platB_album_ids: ['7', '8'] }),
    )
    for (const rows of [base.data.charts.platU, platB.data.charts.platB])
      expect(rows.nodes).toEqual([{ arrays: { platBAlbumIds: ['7', '8'] } }])
  })

  test('160, 161: the artist of platA is the row itself; missing ids are an empty list', async () => {
    const { data, credits } = await ask(
      chart(
        'platAArtists(interval: DAILY, type: FOLLOWERS)',
        'nodes { artist { cmId name } platCArtistIds }',
      ),
      chartOf({ id: 3301, name: 'Ada', platC_artist_ids: null }),
    )
    expect(data.charts.platAArtists.nodes).toEqual([
      { artist: { cmId: 3301, name: 'Ada' }, platCArtistIds: [] },
    ])
    expect(credits.spent).toBe(1)
  })

  test('162: paging goes on by the number of rows that came', async () => {
    const { sent, data } = await ask(
      chart(
        'platF(genre: "techno", first: 100)',
        'nodes { rank } pageInfo { hasNextPage endCursor }',
      ),
      chartOf({ id: 1, rank: 1 }, { id: 2, rank: 2 }),
    )
    expect(sent).toHaveLength(1)
    expect(data.charts.platF).toMatchObject({
      nodes: [{ rank: 1 }, { rank: 2 }],
      pageInfo: { hasNextPage: true },
    })
    const { openScripted } = await import('../support/gateway.ts')
    const run = await openScripted(chartOf({ id: 1, rank: 1 }, { id: 2, rank: 2 }))
    const first = await run.query(chart('platF(genre: "techno")', 'pageInfo { endCursor }'))
    await run.query(
      chart(`platF(genre: "techno", after: "${first.data.charts.platF.pageInfo.endCursor}")`),
    )
    expect(
      run.upstream.requests.map(({ query }) => query.find(([name]) => name === 'offset')?.[1]),
    ).toEqual(['0', '2'])
    await run.close()
  })

  test('163: a repeated id is asked for once', async () => {
    const row = (id: number) => ({
      id,
      rank: id,
      cm_track: 500,
      cm_artist: [7],
      artist_names: ['Ada'],
    })
    const { sent, credits } = await ask(
      chart('platU', 'nodes { artists { rank } track { durationMs } }'),
      ({ path }) =>
        path.endsWith('platU')
          ? chartOf(row(1), row(2), row(3))()
          : { body: { obj: { id: 7, name: 'Ada' } } },
    )
    expect(sent.map(({ path }) => path).sort()).toEqual([
      '/api/artist/7',
      '/api/charts/platU',
      '/api/track/500',
    ])
    expect(credits.savedBy.merged).toBe(4)
  })
})
