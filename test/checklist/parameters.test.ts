import { describe, expect, test } from 'vitest'
import { ask, chartOf, giving, obj } from './ask.ts'

const refusal = async (text: string) => {
  const { codes, sent, errors } = await ask(text)
  expect(sent, text).toHaveLength(0)
  expect(codes, text).toEqual(['BAD_USER_INPUT'])
  return errors[0]
}
const pairsOf = async (text: string, variables = {}) =>
  (await ask(text, undefined, variables)).sent[0]?.pairs

describe('E. shared parameter rules', () => {
  test('59: a date is a real day, sent as YYYY-MM-DD', async () => {
    for (const date of ['2025-02-30', '2025-13-01', '99999-01-01', ' 2024-01-01', '2024-1-1'])
      expect(
        (await refusal(`{ charts { platU(date: "${date}") { nodes { rank } } } }`))?.extensions
          .argument,
      ).toBe('date')
    expect(await pairsOf('{ charts { platU(date: "2024-02-29") { nodes { rank } } } }')).toEqual([
      'date=2024-02-29',
    ])
  })

  test('60, 61, 62: a chart without a date asks for the latest; with one, only for that', async () => {
    expect(await pairsOf('{ charts { platU { nodes { rank } } } }')).toEqual(['latest=true'])
    expect(await pairsOf('{ charts { platU(date: null) { nodes { rank } } } }')).toEqual([
      'latest=true',
    ])
    expect(await pairsOf('{ charts { platU(date: "2025-01-01") { nodes { rank } } } }')).toEqual([
      'date=2025-01-01',
    ])
  })

  test('63: a country is two letters of ISO 3166-1', async () => {
    for (const code of ['G', 'GBR', '12', 'XX', ''])
      expect(
        (await refusal(`{ radioStations(countryCode: "${code}") { nodes { name } } }`))?.extensions
          .argument,
      ).toBe('countryCode')
    expect(await pairsOf('{ radioStations(countryCode: "gb") { nodes { name } } }')).toEqual([
      'code2=GB',
    ])
  })

  test('64, 112: arrays are sent as repeated name[]=', async () => {
    const { sent } = await ask(
      '{ playlists(platform: PLAT_B, filter: { tagIds: [9, 3] }) { nodes { name } } }',
    )
    expect(sent[0]?.pairs.filter((pair) => pair.startsWith('tagIds'))).toEqual([
      'tagIds[]=3',
      'tagIds[]=9',
    ])
  })

  test('65, 66: booleans are true or false, integers plain', async () => {
    const pairs = await pairsOf(
      '{ venues(filter: { minCapacity: 0, maxCapacity: 100000, includeFutureShows: false }) { nodes { venueType } } }',
    )
    expect(pairs).toEqual(
      expect.arrayContaining(['minCapacity=0', 'maxCapacity=100000', 'includeFutureShows=false']),
    )
    expect(
      await pairsOf(
        '{ artistsByStat(stat: RANK, min: "0", max: "90071992547409931") { nodes { rank } } }',
      ),
    ).toEqual(expect.arrayContaining(['min=0', 'max=90071992547409931']))
  })

  test('67, 125: values arrive as they were written, whatever is in them', async () => {
    for (const query of [
      'Óskar & Þúfa + 50% #1/2',
      '&limit=100&x=',
      '%26',
      'https://open.plata.example.invalid/artist/7Qx?si=a&b=c',
      '🎷',
    ])
      expect(
        await pairsOf('query ($q: String!) { search(query: $q) { artists { nodes { name } } } }', {
          q: query,
        }),
      ).toContain(`q=${query}`)
  })

  test('68: a path value cannot change the path', async () => {
    for (const id of ['..', '.', '%2e%2e', 'a/b', 'a?b', 'a#b', 'a\\r\\nX: y'])
      expect((await refusal(`{ venue(cmId: "${id}") { name } }`))?.extensions.argument).toBe('cmId')
  })

  test('69: only documented parameters are sent', async () => {
    expect(
      await pairsOf('{ charts { platB(countryCode: "US", first: 5) { nodes { rank } } } }'),
    ).toEqual(['country_code=US', 'latest=true'])
    expect(await pairsOf('{ radioStations(first: 5) { nodes { name } } }')).toEqual([])
  })

  test('70, 71, 110: what is left out is not sent empty; documented defaults and a limit are sent', async () => {
    expect(
      await pairsOf(
        '{ playlists(platform: PLAT_C, filter: { countryCode: null }) { nodes { name } } }',
      ),
    ).toEqual(['editorial=true', 'limit=100', 'offset=0', 'sortOrderDesc=true'])
    expect(
      await pairsOf('{ charts { platDTracks(interval: ALL_TIME) { nodes { rank } } } }'),
    ).toEqual(['latest=true', 'limit=100', 'offset=0'])
  })
})

describe('F. artist stat-range list', () => {
  const list = (args: string, fields = 'nodes { rank }') =>
    `{ artistsByStat(${args}) { ${fields} } }`
  const row = {
    cm_artist_id: 3301,
    name: 'The Paper Lanterns',
    code2: 'GB',
    genres: 'pop,  indie , ',
    platB_fans: '4102',
    platL_likes: null,
    platJ_channel_views: 3_000_000_000,
    platA_listeners_to_followers_ratio: 2.25,
    platA_followers_to_listeners_ratio: 0.44,
    sp_where_people_listen: [{ code2: 'GB', listeners: 20411, name: 'Westharbour' }],
    signed: false,
  }

  test('72: the statistic is one of the 21 documented ones', async () => {
    const { data } = await ask('{ __type(name: "ArtistStat") { enumValues { name } } }')
    expect(data.__type.enumValues).toHaveLength(21)
    expect((await ask(list('stat: NOBODY, min: 1, max: 2'))).sent).toHaveLength(0)
    expect((await ask(list('stat: PLAT_N_FOLLOWERS, min: 1, max: 2'))).sent[0]?.path).toBe(
      '/api/artist/ins_followers/list',
    )
  })

  test('73: min and max are required, 0 or more', async () => {
    expect((await ask(list('stat: RANK, min: 1'))).sent).toHaveLength(0)
    expect((await refusal(list('stat: RANK, min: -1, max: 2')))?.extensions.argument).toBe('min')
    expect(await pairsOf(list('stat: RANK, min: 0, max: 0'))).toEqual(
      expect.arrayContaining(['min=0', 'max=0']),
    )
  })

  test('74: null is the same as leaving out', async () => {
    const pairs = await pairsOf(
      list(
        'stat: RANK, min: 1, max: 2, filter: { countryCode: null, genreId: null, subGenreId: null }',
      ),
    )
    expect(pairs).toEqual(['limit=200', 'max=2', 'min=1', 'offset=0', 'unsigned=false'])
  })

  test('75, 77: city and unsigned are passed on', async () => {
    expect(
      await pairsOf(
        list('stat: RANK, min: 1, max: 2, filter: { city: "São Paulo", unsignedOnly: true }'),
      ),
    ).toEqual(expect.arrayContaining(['city=São Paulo', 'unsigned=true']))
  })

  test('76: windows of 200 up to offset 100000', async () => {
    expect(await pairsOf(list('stat: RANK, min: 1, max: 2, first: 1'))).toEqual(
      expect.arrayContaining(['limit=200', 'offset=0']),
    )
    expect(
      (await refusal(list('stat: RANK, min: 1, max: 2, first: 10001')))?.extensions.argument,
    ).toBe('first')
  })

  test('78: the sentence of no match is an empty list', async () => {
    const { data, errors } = await ask(
      list('stat: RANK, min: 1, max: 1', 'nodes { rank } pageInfo { hasNextPage }'),
      obj({ length: -1, data: 'No artists found with given parameters.' }),
    )
    expect([data.artistsByStat, errors]).toEqual([
      { nodes: [], pageInfo: { hasNextPage: false } },
      [],
    ])
  })

  test('79, 80, 81, 82: the loose values of a row are read', async () => {
    const { data } = await ask(
      list(
        'stat: RANK, min: 1, max: 2',
        'nodes { genres platBFans platLLikes platJChannelViews platAListenersToFollowersRatio platAFollowersToListenersRatio platAWherePeopleListen { countryCode listeners name } isSigned }',
      ),
      chartOf(row),
    )
    expect(data.artistsByStat.nodes).toEqual([
      {
        genres: ['pop', 'indie'],
        platBFans: 4102,
        platLLikes: null,
        platJChannelViews: 3_000_000_000,
        platAListenersToFollowersRatio: 2.25,
        platAFollowersToListenersRatio: 0.44,
        platAWherePeopleListen: [{ countryCode: 'GB', listeners: 20411, name: 'Westharbour' }],
        isSigned: false,
      },
    ])
    const empty = await ask(
      list('stat: RANK, min: 1, max: 2', 'nodes { platAWherePeopleListen { name } }'),
      chartOf({ cm_artist_id: 1, sp_where_people_listen: [] }),
    )
    expect(empty.data.artistsByStat.nodes).toEqual([{ platAWherePeopleListen: [] }])
  })
})

describe('G. artist metadata', () => {
  test('83, 84: ids are 2 to 2147483647; 1 is refused for metadata and for events', async () => {
    for (const id of ['0', '1', '-1'])
      expect((await refusal(`{ artist(cmId: ${id}) { name } }`))?.message).toContain(
        '2 to 2147483647',
      )
    expect((await ask('{ artist(cmId: 2147483648) { name } }')).sent).toHaveLength(0)
    expect(
      (
        await refusal(
          '{ artist(cmId: 1) { events(status: PAST, fromDaysAgo: 1, toDaysAgo: 0) { nodes { name } } } }',
        )
      )?.message,
    ).toContain('got 1')
    expect((await ask('{ artist(cmId: 2147483647) { name } }')).sent[0]?.path).toBe(
      '/api/artist/2147483647',
    )
  })

  test('85: partial data is asked for by a header, exactly so, and only then', async () => {
    const partial = await ask('{ artist(cmId: 5, allowPartial: true) { name } }')
    expect(partial.sent[0]?.headers['x-accept-partial-data']).toBe('true')
    expect(
      (await ask('{ artist(cmId: 5) { name } }')).sent[0]?.headers['x-accept-partial-data'],
    ).toBeUndefined()
  })

  test('86, 87: names, pronouns, cities and contacts may be null', async () => {
    const fields =
      'name localName localNameLocale pronounTitle genderTitle gender isni hometownCity currentCity currentCityId bandMembers bookingAgent recordLabel pressContact generalManager'
    const nothing = {
      id: 5,
      name: null,
      local_name: null,
      local_name_locale: null,
      pronoun_title: null,
      gender_title: null,
      gender: null,
      isni: null,
      hometown_city: null,
      current_city: null,
      current_city_id: null,
      band_members: null,
      booking_agent: null,
      record_label: null,
      press_contact: null,
      general_manager: null,
    }
    const { data, errors } = await ask(`{ artist(cmId: 5) { ${fields} } }`, obj(nothing))
    expect(errors).toEqual([])
    expect(Object.values(data.artist)).toEqual(fields.split(' ').map(() => null))
  })

  test('88, 89: genres have their weights, and come in the order of their ordinals', async () => {
    const genre = (id: number, type: string) => ({ id, name: `g${id}`, type, source: 'cm' })
    const { data } = await ask(
      '{ artist(cmId: 5) { genres { primary { cmId name type source } secondary { name } sub { name } } genreSmartOrdered { cmId name } } }',
      obj({
        id: 5,
        genres: {
          primary: genre(11, 'primary'),
          secondary: [genre(12, 'secondary')],
          sub: [genre(140, 'sub')],
        },
        genre_smart_ordered: [{ 3: 99 }, { 1: 140 }, { 2: 11 }],
      }),
    )
    expect(data.artist).toEqual({
      genres: {
        primary: { cmId: 11, name: 'g11', type: 'primary', source: 'cm' },
        secondary: [{ name: 'g12' }],
        sub: [{ name: 'g140' }],
      },
      genreSmartOrdered: [
        { cmId: 140, name: 'g140' },
        { cmId: 11, name: 'g11' },
        { cmId: 99, name: null },
      ],
    })
  })

  test('90, 92, 93, 94: career, fractions, ranks and timestamps come through', async () => {
    const { data } = await ask(
      '{ artist(cmId: 5) { careerStatus { stage stageScore trend trendScore } score genreRank { name rank } subGenreRank1 { name rank } subGenreRank2 { rank } statistics { countryRank { percentile rank } } createdAt } }',
      obj({
        id: 5,
        career_status: {
          stage: 'developing',
          stage_score: 31.2,
          trend: 'growth',
          trend_score: 0.4,
        },
        cm_artist_score: 54.21,
        genreRank: { name: 'pop', rank: 3 },
        subGenreRank1: { name: 'indie', rank: 4 },
        subGenreRank2: { name: 'dream pop', rank: 5 },
        cm_statistics: { countryRank: { rank: 1201, percentile: 96.2 } },
        created_at: '2019-03-04T11:20:31.000Z',
      }),
    )
    expect(data.artist).toEqual({
      careerStatus: { stage: 'developing', stageScore: 31.2, trend: 'growth', trendScore: 0.4 },
      score: 54.21,
      genreRank: { name: 'pop', rank: 3 },
      subGenreRank1: { name: 'indie', rank: 4 },
      subGenreRank2: { rank: 5 },
      statistics: { countryRank: { percentile: 96.2, rank: 1201 } },
      createdAt: '2019-03-04T11:20:31.000Z',
    })
  })

  test('91: shown counters are typed, further ones reachable by name', async () => {
    const { data } = await ask(
      '{ artist(cmId: 5) { statistics { platAFollowers counters(names: ["deezer_fans_rank", "toString"]) { name value } } } }',
      obj({ id: 5, cm_statistics: { sp_followers: 88123, deezer_fans_rank: 7 } }),
    )
    expect(data.artist.statistics).toEqual({
      platAFollowers: 88123,
      counters: [{ name: 'deezer_fans_rank', value: 7 }],
    })
  })
})

describe('H. track and album metadata', () => {
  test('95: track and album ids begin at 0, which is not missing', async () => {
    const { sent } = await ask('{ track(cmId: 0) { name } album(cmId: 0) { name } }')
    expect(sent.map(({ path }) => path).sort()).toEqual(['/api/album/0', '/api/track/0'])
    for (const field of ['track', 'album'])
      expect((await refusal(`{ ${field}(cmId: -1) { name } }`))?.message).toContain(
        '0 to 2147483647',
      )
  })

  test('96, 97, 98: what may be null of a track is null or an empty list', async () => {
    const { data, errors } = await ask(
      '{ track(cmId: 5) { name localName localNameLocale imageUrl previewUrl composerName trackTier moods { name } activities { name } genres { name } songwriters cmSongwriters score albumCredits { popularity } } }',
      obj({
        id: 5,
        name: null,
        local_name: null,
        local_name_locale: null,
        image_url: null,
        preview_url: null,
        composer_name: null,
        track_tier: null,
        moods: null,
        activities: null,
        genres: null,
        songwriters: null,
        cm_songwriters: null,
        score: null,
        albums: [{ id: 1, popularity: null }],
      }),
    )
    expect(errors).toEqual([])
    expect(data.track).toEqual({
      name: null,
      localName: null,
      localNameLocale: null,
      imageUrl: null,
      previewUrl: null,
      composerName: null,
      trackTier: null,
      moods: [],
      activities: [],
      genres: [],
      songwriters: [],
      cmSongwriters: null,
      score: null,
      albumCredits: [{ popularity: null }],
    })
  })

  test('99, 100, 101: tags are a list, counters keep every digit, unknown members are kept', async () => {
    const { data } = await ask(
      '{ track(cmId: 5) { tags statistics { platAStreams platJViews } additionalFields } }',
      () => ({
        text: '{"obj":{"id":5,"tags":"indie pop,dream pop","cm_statistics":{"sp_streams":"9007199254740993","platJ_views":9007199254740995},"future":{"any":["thing"]}}}',
      }),
    )
    expect(data.track).toEqual({
      tags: ['indie pop', 'dream pop'],
      statistics: { platAStreams: '9007199254740993', platJViews: '9007199254740995' },
      additionalFields: { future: { any: ['thing'] } },
    })
  })

  test('102, 103, 104, 105, 106, 107: the loose values of an album are read', async () => {
    const { data, errors } = await ask(
      '{ album(cmId: 8001) { cmId name localName description createdAt modifiedAt trackCount platAAlbumIds platBAlbumIds platHAlbumIds artists { cmId name } releaseDate } track(cmId: 5) { releaseDate } }',
      ({ path }) => ({
        body: {
          obj: path.startsWith('/api/album')
            ? {
                id: null,
                cm_album: 8001,
                name: null,
                local_name: null,
                description: null,
                created_at: null,
                modified_at: null,
                num_track: '12',
                platA_album_ids: ['a1'],
                platB_album_ids: null,
                platH_album_ids: null,
                artists: [{ cm_artist: 3301, name: 'Ada' }],
                release_date: '2025-04-23',
              }
            : { id: 5, release_date: '2025-04-23T07:00:00.000Z' },
        },
      }),
    )
    expect(errors).toEqual([])
    expect(data).toEqual({
      album: {
        cmId: 8001,
        name: null,
        localName: null,
        description: null,
        createdAt: null,
        modifiedAt: null,
        trackCount: 12,
        platAAlbumIds: ['a1'],
        platBAlbumIds: [],
        platHAlbumIds: [],
        artists: [{ cmId: 3301, name: 'Ada' }],
        releaseDate: '2025-04-23',
      },
      track: { releaseDate: '2025-04-23' },
    })
  })
})

describe('I. playlist listings', () => {
  const list = (args: string) => `{ playlists(${args}) { nodes { name } } }`

  test('108: only two platforms have a listing', async () => {
    const { data } = await ask('{ __type(name: "PlaylistPlatform") { enumValues { name } } }')
    expect(data.__type.enumValues).toEqual([{ name: 'PLAT_B' }, { name: 'PLAT_C' }])
    expect((await ask(list('platform: PLAT_A'))).sent).toHaveLength(0)
  })

  test('109: pages are 0 to 10000 rows, asked for within the bounds of the service', async () => {
    expect((await refusal(list('platform: PLAT_B, first: 10001')))?.message).toBe(
      'first must be an integer from 0 to 10000, got 10001',
    )
    expect(await pairsOf(list('platform: PLAT_B, first: 10000'))).toEqual(
      expect.arrayContaining(['limit=10000', 'offset=0']),
    )
  })

  test('111: rows past 10000 are cut off, and the page says so', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ id: at, name: `p${at}` }))
    const { data } = await ask(
      '{ playlists(platform: PLAT_B, last: 1) { nodes { name } totalCount pageInfo { hasNextPage truncated } } }',
      ({ query }) => {
        const [offset, limit] = ['offset', 'limit'].map((name) =>
          Number(query.find(([other]) => other === name)?.[1]),
        )
        return {
          body: { obj: rows.slice(offset, (offset ?? 0) + (limit ?? 0)), offset, total: 25_000 },
        }
      },
    )
    expect(data.playlists).toEqual({
      nodes: [{ name: 'p9999' }],
      totalCount: 25_000,
      pageInfo: { hasNextPage: false, truncated: true },
    })
  })

  test('113, 114: each platform has its own orders', async () => {
    for (const [platform, field] of [
      ['PLAT_C', 'FOLLOWERS'],
      ['PLAT_C', 'WEEKLY_FOLLOWER_CHANGE'],
      ['PLAT_B', 'RANK'],
    ])
      expect(
        (await refusal(list(`platform: ${platform}, orderBy: { field: ${field} }`)))?.extensions
          .argument,
      ).toBe('orderBy')
    expect(
      await pairsOf(list('platform: PLAT_C, orderBy: { field: RANK, direction: ASC }')),
    ).toEqual(expect.arrayContaining(['sortColumn=rank', 'sortOrderDesc=false']))
    expect(
      await pairsOf(list('platform: PLAT_B, orderBy: { field: MONTHLY_FOLLOWER_CHANGE_PERCENT }')),
    ).toContain('sortColumn=fdiff_percent_month')
  })

  test('115, 116, 117: defaults hold, false is sent, filters are passed on', async () => {
    expect(await pairsOf(list('platform: PLAT_B'))).toEqual(
      expect.arrayContaining(['editorial=true', 'sortOrderDesc=true']),
    )
    expect(
      await pairsOf(
        list(
          'platform: PLAT_B, filter: { editorialOnly: false, topPlaylistsOnly: true, countryCode: "GB", descriptionSearch: "a&b" }',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        'editorial=false',
        'topPlaylist=true',
        'code2=GB',
        'descriptionSearch=a&b',
      ]),
    )
  })

  test('118: shortlist ids are sent once each', async () => {
    const pairs = await pairsOf(list('platform: PLAT_B, filter: { shortlistIds: [4, 4, 2] }'))
    expect(pairs?.filter((pair) => pair.startsWith('userListIds'))).toEqual([
      'userListIds[]=2',
      'userListIds[]=4',
    ])
  })

  test('119: curators and labels are filters of platB only', async () => {
    const filter =
      'filter: { curatorIds: ["a&b"], excludedCuratorListIds: ["c"], isIndie: false, majorCuratorsOnly: true }'
    expect(await pairsOf(list(`platform: PLAT_B, ${filter}`))).toEqual(
      expect.arrayContaining([
        'curatorIds[]=a&b',
        'excludedCuratorListIds[]=c',
        'indie=false',
        'majorCurator=true',
      ]),
    )
    expect(
      (await refusal(list('platform: PLAT_C, filter: { isIndie: true }')))?.extensions.argument,
    ).toBe('isIndie')
  })

  test('120, 121, 122: followers are exact, codes may be null, changes keep sign and fraction', async () => {
    const { data } = await ask(
      '{ playlists(platform: PLAT_B) { nodes { followers countryCode genres weeklyFollowerChange weeklyFollowerChangePercent activeRatio } } }',
      giving({
        obj: [
          {
            id: 1,
            followers: 4999999999999,
            code2: null,
            genre: 'pop, rock',
            fdiff_week: -12,
            fdiff_percent_week: -0.25,
            active_ratio: 0.125,
          },
        ],
        offset: 0,
        total: 1,
      }),
    )
    expect(data.playlists.nodes).toEqual([
      {
        followers: 4999999999999,
        countryCode: null,
        genres: ['pop', 'rock'],
        weeklyFollowerChange: -12,
        weeklyFollowerChangePercent: -0.25,
        activeRatio: 0.125,
      },
    ])
  })
})
