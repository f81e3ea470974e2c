import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import { album } from '../../src/upstream/endpoints/album.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import { artistsByStat } from '../../src/upstream/endpoints/artist-stat.ts'
import { streamEstimates } from '../../src/upstream/endpoints/estimate.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { playlistsPlatB, playlistsPlatC } from '../../src/upstream/endpoints/playlist.ts'
import { premium } from '../../src/upstream/endpoints/premium.ts'
import { track } from '../../src/upstream/endpoints/track.ts'
import type { Args } from '../../src/upstream/params.ts'
import { request } from '../../src/upstream/request.ts'

const TRACK_STATS = `score release_date airplay_streams platC_playlist_count platB_playlist_count platH_playlist_count
  platG_count platV_streams platE_plays platA_playlist_count platA_playlist_total_reach platA_plays platA_popularity
  platA_ed_playlist_count platA_ed_playlist_total_reach platK_popularity platD_posts platD_top_videos_likes
  platD_top_videos_views platJ_likes platJ_playlist_count platJ_views rank album.release_date rank.rank_overall`
const RANGES = TRACK_STATS.split(/\s+/).flatMap((stat) => [`min_${stat}`, `max_${stat}`])

const PLAYLISTS =
  'offset limit tagIds[] sortColumn sortOrderDesc code2 editorial topPlaylist descriptionSearch userListIds[]'
const SEARCH = 'q limit offset type triggerCitiesOnly'

/** Every route of the specification with all that may be sent to it: path parameters are in the route. */
const DOCUMENTED: readonly (readonly [route: string, query: string])[] = [
  ['GET /api/artist/{type}/list', 'min max code2 genreId subGenreId city offset limit unsigned'],
  ['GET /api/playlist/platC/lists', PLAYLISTS],
  [
    'GET /api/playlist/platB/lists',
    `${PLAYLISTS} curatorIds[] excludedCuratorListIds[] indie majorCurator`,
  ],
  ['GET /api/search', SEARCH],
  ['GET /api/search', `${SEARCH} beta platforms[]`],
  ['GET /api/artist/{id}', ''],
  ['GET /api/charts/platD/tracks', 'date interval limit offset countryChart code2 latest'],
  ['GET /api/charts/platU', 'date latest'],
  ['GET /api/charts/platA/artists', 'date interval type latest offset'],
  ['GET /api/charts/platB', 'country_code date latest'],
  ['GET /api/track/{id}', ''],
  ['GET /api/charts/platF', 'genre date offset latest'],
  ['GET /api/charts/genres/platF', ''],
  ['GET /api/album/{id}', ''],
  [
    'GET /api/venue',
    'code2 cityId minCapacity maxCapacity venueType search sortColumn sortOrderDesc includeFutureShows limit offset',
  ],
  [
    'GET /api/track/list/filter',
    `offset limit sortOrderDesc sortColumn genres[] artists[] shortListIds[] range_period originalsOnly
     version_only[] version_and[] version_or[] version_not[] ${RANGES.join(' ')}`,
  ],
  ['GET /api/charts/platE', 'country_code kind genre date offset raw chart_type latest'],
  ['GET /api/charts/platG', 'country_code date city offset latest genre'],
  ['GET /api/charts/platG/{country_code}/cities', ''],
  [
    'GET /api/festival/list',
    'code2s[] genreIds[] sortColumn sortOrderDesc name limit offset eventSizes[]',
  ],
  ['POST /api/track/playlist-stream-estimates', 'date since until'],
  ['GET /api/radio/station-list', 'code2'],
  ['GET /api/artist/{id}/{status}/events', 'fromDaysAgo toDaysAgo cityId limit offset'],
  ['GET /api/event/venue/{id}', 'limit offset'],
]

const placed = ({ params }: Endpoint, place: string) =>
  Object.values(params)
    .filter((param) => param.place === place)
    .map(({ wire, many }) => `${wire}${many && place === 'query' ? '[]' : ''}`)
    .sort()

const isPremium = (endpoint: Endpoint) => Object.values<Endpoint>(premium).includes(endpoint)
const known = Object.values<Endpoint>(endpoints).filter((endpoint) => !isPremium(endpoint))

describe('the routes of the specification', () => {
  it('are those of the registry, each with its documented parameters and no other', () => {
    const ours = known.map((endpoint) => [endpoint.route, placed(endpoint, 'query').join(' ')])
    const theirs = DOCUMENTED.map(([route, query]) => [
      route,
      query
        .split(/\s+/)
        .filter((name) => name !== '')
        .sort()
        .join(' '),
    ])
    expect(ours.sort()).toEqual(theirs.sort())
  })

  it('take one header and one body between them', () => {
    const withHeader = known.filter((endpoint) => placed(endpoint, 'header').length > 0)
    expect(withHeader.map((one) => [one.route, placed(one, 'header')])).toEqual([
      ['GET /api/artist/{id}', ['x-accept-partial-data']],
    ])
    const withBody = known.filter((endpoint) => placed(endpoint, 'body').length > 0)
    expect(withBody.map((one) => [one.route, placed(one, 'body')])).toEqual([
      ['POST /api/track/playlist-stream-estimates', ['ids']],
    ])
  })
})

const STAT = { stat: 'sp_followers', min: 5000, max: 100_000 }

describe('metadata, the stat list and playlists on the wire', () => {
  it.each<[Endpoint, Args, string]>([
    [artist, { cmId: 3301 }, '/api/artist/3301'],
    [artist, { cmId: 2 }, '/api/artist/2'],
    [artist, { cmId: 2_147_483_647 }, '/api/artist/2147483647'],
    [track, { cmId: 0 }, '/api/track/0'],
    [track, { cmId: 2_147_483_647 }, '/api/track/2147483647'],
    [album, { cmId: 0 }, '/api/album/0'],
    [album, { cmId: 8001 }, '/api/album/8001'],
    [
      artistsByStat,
      { ...STAT, offset: 0, limit: 200 },
      '/api/artist/sp_followers/list?limit=200&max=100000&min=5000&offset=0&unsigned=false',
    ],
    [
      artistsByStat,
      {
        stat: 'cm_artist_rank',
        min: 0,
        max: '100000000000',
        countryCode: 'gb',
        genreId: 11,
        subGenreId: 0,
        city: 'São Paulo',
        unsignedOnly: true,
        offset: 100_000,
        limit: 200,
      },
      '/api/artist/cm_artist_rank/list?city=S%C3%A3o%20Paulo&code2=GB&genreId=11&limit=200&max=100000000000&min=0&offset=100000&subGenreId=0&unsigned=true',
    ],
    [
      artistsByStat,
      { ...STAT, countryCode: null, genreId: null, subGenreId: null, city: null },
      '/api/artist/sp_followers/list?max=100000&min=5000&unsigned=false',
    ],
    [
      playlistsPlatB,
      { offset: 0, limit: 100 },
      '/api/playlist/platB/lists?editorial=true&limit=100&offset=0&sortOrderDesc=true',
    ],
    [
      playlistsPlatC,
      { offset: 9000, limit: 1000, orderBy: 'rank', isDescending: false },
      '/api/playlist/platC/lists?editorial=true&limit=1000&offset=9000&sortColumn=rank&sortOrderDesc=false',
    ],
    [
      playlistsPlatB,
      {
        tagIds: [9, 3, 9],
        countryCode: 'US',
        editorialOnly: false,
        topPlaylistsOnly: false,
        descriptionSearch: 'drum & bass',
        shortlistIds: [7, 7],
        orderBy: 'fdiff_percent_week',
        curatorIds: ['a&b', 'c'],
        excludedCuratorListIds: ['d/e'],
        isIndie: true,
        majorCuratorsOnly: false,
      },
      '/api/playlist/platB/lists?code2=US&curatorIds[]=a%26b&curatorIds[]=c&descriptionSearch=drum%20%26%20bass&editorial=false&excludedCuratorListIds[]=d%2Fe&indie=true&majorCurator=false&sortColumn=fdiff_percent_week&sortOrderDesc=true&tagIds[]=3&tagIds[]=9&topPlaylist=false&userListIds[]=7',
    ],
  ])('%# is what the specification says', (endpoint, args, path) => {
    const { wire } = request(endpoint, args)
    expect(wire).toMatchObject({ method: 'GET', path, credits: 1, headers: {} })
    expect(wire.body).toBeUndefined()
  })

  it('ask for partial data by a header, and only where it is wanted', () => {
    expect(request(artist, { cmId: 5, allowPartial: true }).wire.headers).toEqual({
      'x-accept-partial-data': 'true',
    })
    const plain = request(artist, { cmId: 5 })
    expect(plain.wire.headers).toEqual({})
    expect(request(artist, { cmId: 5, allowPartial: true }).key).not.toBe(plain.key)
  })

  it('are known by a list in JSON of their method, target, body and headers', () => {
    for (const { key, wire } of [
      request(artist, { cmId: 5 }),
      request(artist, { cmId: 5, allowPartial: true }),
      request(playlistsPlatB, { descriptionSearch: '"\\"ü' }),
      request(streamEstimates, { trackCmIds: [5], date: '2026-01-02' }),
    ])
      expect(JSON.parse(key)).toEqual([
        wire.method,
        wire.path,
        wire.body ?? '',
        Object.entries(wire.headers ?? {}),
      ])
  })

  it('take every statistic and order that the specification lists', () => {
    const stats = `sp_followers sp_monthly_listeners sp_popularity sp_listeners_to_followers_ratio
      sp_followers_to_listeners_ratio platB_fans fs_likes fs_talks ins_followers ts_followers ts_retweets ycs_views
      ycs_subscribers platJ_daily_video_views platJ_monthly_video_views ws_views platE_followers bs_followers
      platD_followers platD_likes cm_artist_rank`.split(/\s+/)
    for (const stat of stats)
      expect(request(artistsByStat, { ...STAT, stat }).wire.path).toContain(`/${stat}/list?`)
    expect(stats).toHaveLength(21)

    const onC = ['active_ratio', 'last_updated', 'num_track', 'rank']
    const onB =
      'active_ratio fdiff_month fdiff_percent_month fdiff_percent_week fdiff_week followers last_updated num_track'
    for (const orderBy of onC)
      expect(request(playlistsPlatC, { orderBy }).wire.path).toContain(`sortColumn=${orderBy}&`)
    for (const orderBy of onB.split(' '))
      expect(request(playlistsPlatB, { orderBy }).wire.path).toContain(`sortColumn=${orderBy}&`)
  })

  it.each<[string, Endpoint, Args, RegExp]>([
    ['artist 1', artist, { cmId: 1 }, /^cmId must be an integer from 2 to 2147483647, got 1$/],
    ['an artist beyond 31 bits', artist, { cmId: 2_147_483_648 }, /^cmId must be/],
    ['track -1', track, { cmId: -1 }, /^cmId must be an integer from 0 to 2147483647, got -1$/],
    ['half an album', album, { cmId: 0.5 }, /^cmId must be/],
    ['another statistic', artistsByStat, { ...STAT, stat: 'sp_likes' }, /^stat must be one of/],
    ['no least value', artistsByStat, { ...STAT, min: null }, /^min must be an integer of 0/],
    ['a negative least value', artistsByStat, { ...STAT, min: -1 }, /^min must be/],
    ['no greatest value', artistsByStat, { ...STAT, max: undefined }, /^max must be/],
    ['201 artists', artistsByStat, { ...STAT, limit: 201 }, /^limit .* from 1 to 200/],
    ['no artist', artistsByStat, { ...STAT, limit: 0 }, /^limit .* from 1 to 200/],
    ['artists behind 100,000', artistsByStat, { ...STAT, offset: 100_001 }, /^offset .* to 100000/],
    ['a country of one letter', artistsByStat, { ...STAT, countryCode: 'G' }, /^countryCode must/],
    ['10,001 playlists', playlistsPlatB, { limit: 10_001 }, /^limit .* from 1 to 10000/],
    ['playlists behind 10,000', playlistsPlatC, { offset: 10_001 }, /^offset .* from 0 to 10000/],
    [
      'playlists beyond the cap',
      playlistsPlatB,
      { offset: 9951, limit: 50 },
      /^limit: offset \+ limit at most 10000/,
    ],
    ['the order of platC on platB', playlistsPlatB, { orderBy: 'rank' }, /^orderBy must be one of/],
    ['the order of platB on platC', playlistsPlatC, { orderBy: 'followers' }, /^orderBy must be/],
    ['a tag of text', playlistsPlatB, { tagIds: ['pop'] }, /^tagIds must be an integer/],
  ])('are not sent with %s', (_what, endpoint, args, message) => {
    expect(() => request(endpoint, args)).toThrow(message)
  })

  it('refuse on platC what only platB has', () => {
    for (const own of [
      { curatorIds: ['a'] },
      { excludedCuratorListIds: ['b'] },
      { isIndie: true },
      { majorCuratorsOnly: true },
    ])
      expect(() => request(playlistsPlatC, own)).toThrow('is not taken by playlistsPlatC')
  })
})
