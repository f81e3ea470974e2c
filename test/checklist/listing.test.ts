import { describe, expect, test } from 'vitest'
import { ask, chartOf, giving, obj } from './ask.ts'

const refusal = async (text: string) => {
  const { codes, sent, errors } = await ask(text)
  expect(sent, text).toHaveLength(0)
  expect(codes, text).toEqual(['BAD_USER_INPUT'])
  return errors[0]
}
const pairsOf = async (text: string) => (await ask(text)).sent[0]?.pairs

describe('J. search', () => {
  const find = (fields: string, query = 'paper') => `{ search(query: "${query}") { ${fields} } }`

  test('124: the text is 1 to 100 characters', async () => {
    expect((await refusal(find('artists { nodes { name } }', 'x'.repeat(101))))?.message).toContain(
      '1 to 100 characters',
    )
    await refusal(find('artists { nodes { name } }', ''))
    expect(await pairsOf(find('artists { nodes { name } }', '🎷'.repeat(100)))).toContain(
      `q=${'🎷'.repeat(100)}`,
    )
  })

  test('126: windows of 100 at multiples of 100', async () => {
    expect(await pairsOf(find('artists(first: 3) { nodes { name } }'))).toEqual(
      expect.arrayContaining(['limit=100', 'offset=0']),
    )
  })

  test('127: one kind of list asks for its kind, several for all; what is absent is empty', async () => {
    expect(await pairsOf(find('artists { nodes { name } }'))).toContain('type=artists')
    const { sent, data, credits } = await ask(
      find('artists { nodes { name } } tracks { nodes { name } } cities { nodes { name } }'),
      obj({ artists: [{ id: 5, name: 'Ada' }] }),
    )
    expect(sent).toHaveLength(1)
    expect(sent[0]?.pairs).toContain('type=all')
    expect(data.search).toEqual({
      artists: { nodes: [{ name: 'Ada' }] },
      tracks: { nodes: [] },
      cities: { nodes: [] },
    })
    expect(credits.spent).toBe(1)
    const { data: kinds } = await ask('{ __type(name: "SearchKind") { enumValues { name } } }')
    expect(kinds.__type.enumValues).toHaveLength(9)
  })

  test('128, 129: platforms belong to the beta engine, and are ten', async () => {
    const { data } = await ask(
      '{ __type(name: "SuggestionPlatform") { enumValues { name } } search: __type(name: "Query") { fields { name args { name } } } }',
    )
    expect(data.__type.enumValues.map(({ name }: { name: string }) => name)).toEqual([
      'ACR',
      'CM',
      'PLAT_A',
      'PLAT_B',
      'PLAT_C',
      'PLAT_E',
      'PLAT_H',
      'PLAT_I',
      'PLAT_J',
      'PLAT_K',
    ])
    const { args } = data.search.fields.find(({ name }: { name: string }) => name === 'search')
    expect(args.map(({ name }: { name: string }) => name)).not.toContain('platforms')
    expect(
      await pairsOf('{ suggestions(query: "a", platforms: [CM, PLAT_A]) { nodes { target } } }'),
    ).toEqual(expect.arrayContaining(['beta=true', 'platforms[]=cm', 'platforms[]=platA']))
  })

  test('130: beta suggestions are a flat list', async () => {
    const rows = [{ target: 'artist', match_strength: 0.9, name: 'Ada' }]
    for (const body of [{ suggestions: rows }, rows]) {
      const { data } = await ask(
        '{ suggestions(query: "a") { nodes { target matchStrength additionalFields } } }',
        obj(body),
      )
      expect(data.suggestions.nodes).toEqual([
        { target: 'artist', matchStrength: 0.9, additionalFields: { name: 'Ada' } },
      ])
    }
  })

  test('131: trigger cities are asked for, with and without beta', async () => {
    expect(
      await pairsOf(
        '{ search(query: "a", triggerCitiesOnly: true) { cities { nodes { name } } } }',
      ),
    ).toContain('triggerCitiesOnly=true')
    expect(
      await pairsOf('{ suggestions(query: "a", triggerCitiesOnly: false) { nodes { target } } }'),
    ).toContain('triggerCitiesOnly=false')
  })

  test('132, 133, 134, 135: lists by platform, ids of both types, and nulls', async () => {
    const { data, errors } = await ask(
      find(
        'b: playlists(platform: PLAT_B) { nodes { cmId platform } } a: playlists(platform: PLAT_A) { nodes { cmId } } curators(platform: PLAT_J) { nodes { cmId imageUrl } } tracks { nodes { cmId name } } cities { nodes { province } } songwriters { nodes { imageUrl } }',
      ),
      obj({
        playlists: { platB: [{ id: 12 }], platA: [{ id: '37i9' }] },
        curators: { platJ: [{ id: 3, image_url: null }] },
        tracks: [{ id: '501', name: 'Tide' }],
        cities: [{ id: 1, province: null }],
        songwriters: [{ doc_id: 1, image_url: null }],
      }),
    )
    expect(errors).toEqual([])
    expect(data.search).toEqual({
      b: { nodes: [{ cmId: '12', platform: 'PLAT_B' }] },
      a: { nodes: [{ cmId: '37i9' }] },
      curators: { nodes: [{ cmId: 3, imageUrl: null }] },
      tracks: { nodes: [{ cmId: 501, name: 'Tide' }] },
      cities: { nodes: [{ province: null }] },
      songwriters: { nodes: [{ imageUrl: null }] },
    })
  })

  test('136: the five undocumented lists are passed on, empty where there is none', async () => {
    const { data } = await ask(
      find(
        'stations { nodes } labels { nodes } countries { nodes } genres { nodes } festivals { nodes }',
      ),
      obj({ labels: [{ any: 'thing' }] }),
    )
    expect(data.search).toEqual({
      stations: { nodes: [] },
      labels: { nodes: [{ any: 'thing' }] },
      countries: { nodes: [] },
      genres: { nodes: [] },
      festivals: { nodes: [] },
    })
  })
})

describe('K. charts', () => {
  const chart = (field: string, fields = 'nodes { rank }') =>
    `{ charts { ${field} { ${fields} } } }`

  test('137, 138: platD has its intervals, its bounds, and a chart by country', async () => {
    expect(await pairsOf(chart('platDTracks(interval: SEMI_YEARLY, date: "2025-01-01")'))).toEqual([
      'date=2025-01-01',
      'interval=semi-yearly',
      'limit=100',
      'offset=0',
    ])
    expect(await pairsOf(chart('platDTracks(countryCode: "GB")'))).toEqual(
      expect.arrayContaining(['code2=GB', 'countryChart=true']),
    )
    expect(await pairsOf(chart('platDTracks'))).toEqual(['latest=true', 'limit=100', 'offset=0'])
  })

  test('139: platU takes the day, and nothing else', async () => {
    expect(await pairsOf(chart('platU(first: 7)'))).toEqual(['latest=true'])
  })

  test('140: platA artists need interval and type, and take no limit', async () => {
    expect(
      await pairsOf(chart('platAArtists(interval: WEEKLY, type: PLAYLIST_REACH, first: 5)')),
    ).toEqual(['interval=weekly', 'latest=true', 'offset=0', 'type=playlist_reach'])
    expect((await ask(chart('platAArtists(interval: WEEKLY)'))).sent).toHaveLength(0)
  })

  test('141: platB needs a country of two letters, and takes no paging', async () => {
    expect(await pairsOf(chart('platB(countryCode: "US", first: 5)'))).toEqual([
      'country_code=US',
      'latest=true',
    ])
    await refusal(chart('platB(countryCode: "GLOBAL")'))
  })

  test('142, 143: platF genres arrive intact; their list is passed on as it came', async () => {
    expect(await pairsOf(chart('platF(genre: "drum & bass / jungle")'))).toEqual([
      'genre=drum & bass / jungle',
      'latest=true',
      'offset=0',
    ])
    const { data, sent } = await ask('{ charts { platFGenres } }', obj({ any: ['shape'] }))
    expect([data.charts.platFGenres, sent[0]?.path]).toEqual([
      { any: ['shape'] },
      '/api/charts/genres/platF',
    ])
  })

  test('144, 145, 146, 147: platE needs country, kind and genre in lower case; peaks are asked for when selected', async () => {
    const args = 'countryCode: "GLOBAL", kind: TOP, genre: "Latin"'
    expect(await pairsOf(chart(`platE(${args})`))).toEqual([
      'chart_type=track',
      'country_code=GLOBAL',
      'genre=latin',
      'kind=top',
      'latest=true',
      'offset=0',
      'raw=true',
    ])
    expect(
      await pairsOf(chart(`platE(${args}, chartType: TRENDING)`, 'nodes { peakRank }')),
    ).toEqual(expect.arrayContaining(['chart_type=trending', 'raw=false']))
    await refusal(chart('platE(countryCode: "G", kind: TOP, genre: "latin")'))
    const { data, errors } = await ask(
      chart(`platE(${args})`, 'edges { node { peakRank peakDate } }'),
      chartOf({ id: 1 }),
    )
    expect([data.charts.platE.edges, errors]).toEqual([
      [{ node: { peakRank: null, peakDate: null } }],
      [],
    ])
  })

  test('148: the user of platE is passed through as it came', async () => {
    const user = {
      id: 7,
      username: 'ada',
      city: null,
      badges: { pro_unlimited: false, verified: true },
      creator_subscriptions: [{ product: { id: 'free' } }],
    }
    const { data } = await ask(
      chart('platE(countryCode: "US", kind: TOP, genre: "latin")', 'nodes { platEUser }'),
      chartOf({ id: 1, platE_user: user }),
    )
    expect(data.charts.platE.nodes).toEqual([{ platEUser: user }])
  })

  test('149, 150, 151, 152: platG countries are upper case; city and genre are passed on; cities as they came', async () => {
    expect(
      await pairsOf(
        chart('platG(countryCode: "us", city: "Westharbour", genre: "film-tv-and-stage")'),
      ),
    ).toEqual([
      'city=Westharbour',
      'country_code=US',
      'genre=film-tv-and-stage',
      'latest=true',
      'offset=0',
    ])
    const { data, errors } = await ask(
      chart('platG(countryCode: "GLOBAL", city: "Nowhere")'),
      chartOf(),
    )
    expect([data.charts.platG.nodes, errors]).toEqual([[], []])
    const cities = await ask('{ charts { platGCities(countryCode: "US") } }', obj(['a', { b: 1 }]))
    expect([cities.data.charts.platGCities, cities.sent[0]?.path]).toEqual([
      ['a', { b: 1 }],
      '/api/charts/platG/US/cities',
    ])
  })

  test('153: open enumerations take values that are merely not shown', async () => {
    expect(
      await pairsOf(chart('platE(countryCode: "BR", kind: TRENDING, genre: "forró")')),
    ).toEqual(expect.arrayContaining(['country_code=BR', 'genre=forró']))
    expect(await pairsOf(chart('platG(countryCode: "JP", genre: "j-pop")'))).toContain(
      'genre=j-pop',
    )
  })

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

describe('L. venues, festivals, radio, live events', () => {
  test('164, 165, 166, 167: venues within their bounds, with their defaults', async () => {
    const list = (args: string) => `{ venues${args} { nodes { venueType } } }`
    expect(await pairsOf(list(''))).toEqual([
      'includeFutureShows=false',
      'limit=100',
      'offset=0',
      'sortColumn=name',
      'sortOrderDesc=false',
    ])
    expect(
      await pairsOf(
        list(
          '(filter: { cityId: 0, minCapacity: 0, venueType: CONCERT_HALL, search: "hall", countryCode: "GB" }, orderBy: { field: LATEST_SHOW_DATE, direction: DESC })',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        'cityId=0',
        'minCapacity=0',
        'venueType=concert_hall',
        'search=hall',
        'code2=GB',
        'sortColumn=latestShowDate',
        'sortOrderDesc=true',
      ]),
    )
    expect(
      (await refusal(list(`(filter: { search: "${'x'.repeat(201)}" })`)))?.extensions.argument,
    ).toBe('search')
    for (const bad of ['minCapacity: -1', 'maxCapacity: -1', 'cityId: -1'])
      await refusal(list(`(filter: { ${bad} })`))
  })

  test('168, 169, 170: festivals with their filters and defaults; links may be null', async () => {
    const list = (args: string) => `{ festivals${args} { nodes { links { platQ } } } }`
    expect(await pairsOf(list(''))).toEqual([
      'limit=100',
      'offset=0',
      'sortColumn=startDate',
      'sortOrderDesc=false',
    ])
    expect(
      await pairsOf(
        list(
          '(filter: { countryCodes: ["GB", "DE"], genreIds: [3], eventSizes: [MEGA], name: "salt" })',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        'code2s[]=DE',
        'code2s[]=GB',
        'genreIds[]=3',
        'eventSizes[]=mega',
        'name=salt',
      ]),
    )
    expect(
      (await refusal(list(`(filter: { name: "${'x'.repeat(101)}" })`)))?.extensions.argument,
    ).toBe('name')
    const { data } = await ask(
      list(''),
      obj([
        { id: 1, links: { platQ: null } },
        { id: 2, links: null },
      ]),
    )
    expect(data.festivals.nodes).toEqual([{ links: { platQ: null } }, { links: null }])
  })

  test('171: radio takes a country only, is not paged, and may lack social counts', async () => {
    const { data, sent } = await ask(
      '{ radioStations(countryCode: "GB", first: 1) { nodes { platLFollowers platOViews } totalCount } }',
      obj([{ id: 1, platL_followers: null, platO_views: null }, { id: 2 }]),
    )
    expect(sent[0]?.pairs).toEqual(['code2=GB'])
    expect(data.radioStations).toEqual({
      nodes: [{ platLFollowers: null, platOViews: null }],
      totalCount: 2,
    })
  })

  const events = (args: string, fields = 'nodes { name }') =>
    `{ artist(cmId: 5) { events(${args}) { ${fields} } } }`
  test('172, 173: live events take a status and two windows of days, negative and 0 too', async () => {
    const { sent } = await ask(events('status: CURRENT, fromDaysAgo: 0, toDaysAgo: -90'))
    expect([sent[0]?.path, sent[0]?.pairs]).toEqual([
      '/api/artist/5/current/events',
      ['fromDaysAgo=0', 'limit=100', 'offset=0', 'toDaysAgo=-90'],
    ])
    expect(
      await pairsOf(events('status: PAST, fromDaysAgo: 9, toDaysAgo: 0, cityId: null')),
    ).not.toContain('cityId=null')
    expect((await ask(events('status: PAST, fromDaysAgo: 9'))).sent).toHaveLength(0)
  })

  test('174, 175: links, prices and trends may be missing', async () => {
    const { data, errors } = await ask(
      events(
        'status: PAST, fromDaysAgo: 9, toDaysAgo: 0',
        'nodes { platQEventUrl platREventUrl platSEventUrl platTEventUrl price lowPrice highPrice priceTrend { price } }',
      ),
      obj([
        {
          id: 1,
          platQ_event_url: null,
          platR_event_url: 'https://r.example.invalid/1',
          price: null,
          price_trend: [],
        },
      ]),
    )
    expect(errors).toEqual([])
    expect(data.artist.events.nodes).toEqual([
      {
        platQEventUrl: null,
        platREventUrl: 'https://r.example.invalid/1',
        platSEventUrl: null,
        platTEventUrl: null,
        price: null,
        lowPrice: null,
        highPrice: null,
        priceTrend: [],
      },
    ])
  })

  test('176, 177, 178, 179: venue events by a text id; info is a list; dates and headliners may be missing', async () => {
    const text =
      '{ venue(cmId: "a-9_B") { name events { nodes { endDate lineup { isHeadliner artist { name } } } } } }'
    const { data, sent, errors } = await ask(
      text,
      obj({
        venueInfo: [{ doc_id: 'a-9_B', name: 'Hall' }],
        events: [
          { event_id: 1, end_date: '', artists: [{ id: 7, name: 'Ada', is_headliner: null }] },
        ],
      }),
    )
    expect(errors).toEqual([])
    expect([sent.length, sent[0]?.path, sent[0]?.pairs]).toEqual([
      1,
      '/api/event/venue/a-9_B',
      ['limit=100', 'offset=0'],
    ])
    expect(data.venue).toEqual({
      name: 'Hall',
      events: {
        nodes: [{ endDate: null, lineup: [{ isHeadliner: null, artist: { name: 'Ada' } }] }],
      },
    })
    expect((await ask(text, obj({ venueInfo: [], events: [] }))).data).toEqual({ venue: null })
  })
})

describe('M. track filter', () => {
  const list = (args: string, fields = 'nodes { score }') => `{ tracksByStat${args} { ${fields} } }`

  test('180, 181, 182: windows within 10000, orders with their periods, and the defaults', async () => {
    expect(await pairsOf(list(''))).toEqual([
      'limit=100',
      'offset=0',
      'originalsOnly=true',
      'range_period=latest',
      'sortColumn=score',
      'sortOrderDesc=true',
    ])
    expect(
      await pairsOf(list('(orderBy: { field: PLAT_A_PLAYS }, period: WEEKLY_DIFF_PERCENT)')),
    ).toEqual(
      expect.arrayContaining([
        'range_period=weekly_diff_percent',
        'sortColumn=weekly_diff_percent.platA_plays',
      ]),
    )
    expect(await pairsOf(list('(orderBy: { field: ALBUM_RELEASE_DATE })'))).toContain(
      'sortColumn=album.release_date',
    )
    await refusal(list('(orderBy: { field: SCORE, period: LATEST })'))
    await refusal(list('(first: 10001)'))
    const { data } = await ask('{ __type(name: "StatPeriod") { enumValues { name } } }')
    expect(data.__type.enumValues).toHaveLength(7)
  })

  test('183, 184: ranges of each statistic, dotted ones too, negative and with fractions', async () => {
    const { data } = await ask('{ __type(name: "TrackStat") { enumValues { name } } }')
    const stats: string[] = data.__type.enumValues.map(({ name }: { name: string }) => name)
    expect(stats).toHaveLength(25)
    for (const stat of stats.filter((name) => name !== 'RELEASE_DATE'))
      expect(
        (
          await pairsOf(list(`(filter: { ranges: [{ stat: ${stat}, min: -1.5, max: 2 }] })`))
        )?.filter((pair) => /^(min|max)_/.test(pair)),
      ).toHaveLength(2)
    expect(
      await pairsOf(
        list(
          '(filter: { ranges: [{ stat: RANK_OVERALL, min: -1.5 }, { stat: ALBUM_RELEASE_DATE, max: 3 }] })',
        ),
      ),
    ).toEqual(expect.arrayContaining(['min_rank.rank_overall=-1.5', 'max_album.release_date=3']))
  })

  test('185: release days are days, whatever the period', async () => {
    expect(
      await pairsOf(
        list(
          '(filter: { releaseDate: { min: "2024-01-01", max: "2024-12-31" } }, period: MONTHLY_DIFF)',
        ),
      ),
    ).toEqual(
      expect.arrayContaining(['min_release_date=2024-01-01', 'max_release_date=2024-12-31']),
    )
    await refusal(list('(filter: { releaseDate: { min: "2024-02-30" } })'))
  })

  test('186, 187, 188: versions go with originalsOnly false, and exclude each other', async () => {
    expect(
      await pairsOf(
        list(
          '(filter: { originalsOnly: false, versionAnd: [REMIX, RE_RELEASE], versionNot: [EDIT] })',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        'originalsOnly=false',
        'version_and[]=re_release',
        'version_and[]=remix',
        'version_not[]=edit',
      ]),
    )
    for (const filter of [
      'versionOnly: [REMIX]',
      'originalsOnly: false, versionOnly: [REMIX], versionNot: [EDIT]',
      'originalsOnly: false, versionOnly: [REMIX], versionOr: [EDIT]',
      'originalsOnly: false, versionAnd: [REMIX], versionOr: [EDIT]',
    ])
      await refusal(list(`(filter: { ${filter} })`))
    const { data } = await ask('{ __type(name: "TrackVersion") { enumValues { name } } }')
    expect(data.__type.enumValues.map(({ name }: { name: string }) => name).sort()).toEqual([
      'ACOUSTIC',
      'EDIT',
      'ORIGINAL',
      'REMIX',
      'RE_RELEASE',
    ])
  })

  test('189: shortlists are shortListIds[] here, once each', async () => {
    expect(
      (await pairsOf(list('(filter: { shortlistIds: [3, 3] })')))?.filter((pair) =>
        /list/i.test(pair),
      ),
    ).toEqual(['shortListIds[]=3'])
  })

  test('190: periods and statistics that a row does not hold are null', async () => {
    const { data } = await ask(
      list('', 'nodes { latest { platAPlays platJViews } weeklyDiff { rank } }'),
      giving({
        obj: [{ cm_track: 1, latest: { platA_plays: 3_000_000_000 } }],
        offset: 0,
        total: 1,
      }),
    )
    expect(data.tracksByStat.nodes).toEqual([
      { latest: { platAPlays: 3_000_000_000, platJViews: null }, weeklyDiff: null },
    ])
  })
})

describe('N. stream estimates', () => {
  const text = (ids: number[], days = '') =>
    `{ streamEstimates(trackCmIds: [${ids}]${days}) { status track { cmId } estimates { date } } }`
  const estimates = ({ body }: { readonly body: string }) => ({
    body: {
      obj: (JSON.parse(body).ids as number[])
        .filter((id) => id !== 4)
        .reverse()
        .map((id) => ({
          cm_track: id,
          status: id === 3 ? 'not_found' : 'available',
          estimates: [],
        })),
    },
  })

  test('191, 194: a POST with JSON ids; without days it asks for the latest', async () => {
    const { sent } = await ask(text([5, 6]), estimates)
    expect([
      sent[0]?.method,
      sent[0]?.path,
      sent[0]?.pairs,
      JSON.parse(sent[0]?.body ?? ''),
    ]).toEqual(['POST', '/api/track/playlist-stream-estimates', [], { ids: [5, 6] }])
    expect(sent[0]?.headers['content-type']).toMatch(/^application\/json/)
    const dated = await ask(text([5], ', since: "2025-01-01", until: "2025-02-01"'), estimates)
    expect(dated.sent[0]?.pairs).toEqual(['since=2025-01-01', 'until=2025-02-01'])
  })

  test('192: fifty ids a request, each once', async () => {
    const ids = Array.from({ length: 120 }, (_, at) => at + 10)
    const { sent, credits } = await ask(text([...ids, 10, 11]), estimates)
    expect(sent.map(({ body }) => JSON.parse(body).ids.length)).toEqual([50, 50, 20])
    expect(credits.spent).toBe(3)
    expect((await ask(text([-1]), estimates)).codes).toEqual(['BAD_USER_INPUT'])
  })

  test('193: a date excludes since and until', async () => {
    expect(
      (await refusal(text([5], ', date: "2026-01-02", since: "2025-12-01"')))?.message,
    ).toContain('date excludes since, until')
  })

  test('195, 196: missing tracks are items, and items are found by their track', async () => {
    const { data, errors } = await ask(text([5, 3, 4]), estimates)
    expect(errors).toEqual([])
    expect(data.streamEstimates).toEqual([
      { status: 'AVAILABLE', track: { cmId: 5 }, estimates: [] },
      { status: 'NOT_FOUND', track: { cmId: 3 }, estimates: [] },
      { status: 'NOT_FOUND', track: { cmId: 4 }, estimates: [] },
    ])
  })
})

describe('O. premium endpoints', () => {
  const ARTIST = [
    'platNAudienceStats',
    'platNAudienceStatsDates',
    'socialAudienceStats',
    'platDAudienceStats',
    'platDInfluencerStats',
    'platDTopInfluencers',
    'platDTopVideos',
    'wherePeopleListen',
    'platJAudienceStats',
    'playlists(platform: "platA", status: "current")',
  ]
  const TRACK = ['platDInfluencerStats', 'platDTopInfluencers', 'platDTopSounds', 'topVideos']

  test('197, 198, 200: all fifteen are reachable, passed on as they came, and asked for only when selected', async () => {
    const { sent, data, credits } = await ask(
      `{ artist(cmId: 5) { premium { ${ARTIST.join(' ')} } } track(cmId: 6) { premium { ${TRACK.join(' ')} } } brand(cmId: "7") { audience } }`,
      obj({ any: [null, 'shape'] }),
    )
    expect(sent.map(({ path }) => path).sort()).toEqual([
      '/api/artist/5/platA/current/playlists',
      '/api/artist/5/platD-audience-stats',
      '/api/artist/5/platD-influencer-stats',
      '/api/artist/5/platD-top-influencers',
      '/api/artist/5/platD-top-videos',
      '/api/artist/5/platJ-audience-stats',
      '/api/artist/5/platN-audience-stats',
      '/api/artist/5/platN-audience-stats/dates',
      '/api/artist/5/social-audience-stats',
      '/api/artist/5/where-people-listen',
      '/api/brand/v2/7/audience',
      '/api/track/6/platD-influencer-stats',
      '/api/track/6/platD-top-influencers',
      '/api/track/6/platD-top-sounds',
      '/api/track/6/topVideos',
    ])
    expect(credits.spent).toBe(30)
    expect(data.brand.audience).toEqual({ any: [null, 'shape'] })
    expect((await ask('{ artist(cmId: 5) { premium { __typename } } }')).sent).toHaveLength(0)
  })

  test('199: their ids have the bounds of artists and tracks', async () => {
    await refusal('{ artist(cmId: 1) { premium { platDTopVideos } } }')
    await refusal('{ track(cmId: -1) { premium { topVideos } } }')
    expect((await ask('{ track(cmId: 0) { premium { topVideos } } }')).sent[0]?.path).toBe(
      '/api/track/0/topVideos',
    )
  })
})
