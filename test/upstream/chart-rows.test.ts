import { describe, expect, it } from 'vitest'
import { additionalFields } from '../../src/upstream/decode.ts'
import type { Listing } from '../../src/upstream/endpoint.ts'
import { platAArtistChart } from '../../src/upstream/endpoints/chart-plat-a.ts'
import { platBChart } from '../../src/upstream/endpoints/chart-plat-b.ts'
import { platDTrackChart } from '../../src/upstream/endpoints/chart-plat-d.ts'
import { platEChart } from '../../src/upstream/endpoints/chart-plat-e.ts'
import { platFChart, platFGenres } from '../../src/upstream/endpoints/chart-plat-f.ts'
import { platGChart, platGCities } from '../../src/upstream/endpoints/chart-plat-g.ts'

const rowsOf = <R>(
  listing: Listing<R>,
  obj: unknown,
  drift: string[] = [],
): readonly (R | null)[] =>
  listing.open({ obj }, { note: (path) => drift.push(path) })?.rows ?? expect.fail('no rows')

const rowOf = <R>(listing: Listing<R>, wire: object, drift: string[] = []): R => {
  const [row] = rowsOf(listing, { length: 1, data: [wire] }, drift)
  return row ?? expect.fail('no row')
}

const base = {
  id: 990001,
  name: 'Low Tide Radio',
  isrc: 'ZZA012300001',
  cm_track: 501,
  cm_artist: [3301],
  artist_names: ['The Paper Lanterns'],
  tags: 'indie pop',
  rank: 1,
}

describe('the rows of each chart', () => {
  it('platA: artists, with the counters of the day beside them', () => {
    const drift: string[] = []
    const row = rowOf(
      platAArtistChart,
      {
        id: '3301',
        name: 'The Paper Lanterns',
        image_url: 'https://img.example.invalid/a/3301.jpg',
        isni: null,
        code2: 'GB',
        hometown_city: 'Westharbour',
        current_city: null,
        sp_followers: 88123,
        sp_popularity: 41,
        sp_monthly_listeners: 312045,
        platB_fans: '12045',
        tags: 'indie pop,dream pop',
        platA_artist_ids: [1],
        platH_artist_ids: [55503, null],
        platB_artist_ids: ['7701'],
        platC_artist_ids: null,
        cm_artist_rank: 18231,
        cm_artist_score: 54.2,
        timestp: '2026-01-02T00:00:00.000Z',
        monthly_playlist_reach: 5100000000,
        rank: 1,
        change: '+2',
        streak: 3,
        peak_date: '2025-12-29',
        peak_rank: 1,
        time_on_chart: 40,
        rankStats: [{ date: '2026-01-02', rank: '1' }],
      },
      drift,
    )
    expect(row).toMatchObject({
      date: '2026-01-02',
      change: '+2',
      streak: 3,
      artistRank: 18231,
      artistScore: 54.2,
      platAFollowers: 88123,
      platAPopularity: 41,
      platAMonthlyListeners: 312045,
      monthlyPlaylistReach: 5100000000,
      platBFans: 12045,
      tags: ['indie pop', 'dream pop'],
      platAArtistIds: ['1'],
      platBArtistIds: ['7701'],
      platCArtistIds: [],
      platHArtistIds: ['55503'],
      previousRank: null,
      addedAt: null,
      velocity: null,
      timeOnChart: 40,
      peakDate: '2025-12-29',
    })
    expect(row.rankHistory.map(({ date, rank }) => [date, rank])).toEqual([['2026-01-02', 1]])
    const { artist } = row
    expect([artist?.cmId, artist?.name, artist?.countryCode]).toEqual([
      3301,
      'The Paper Lanterns',
      'GB',
    ])
    expect([artist?.hometownCity, artist?.currentCity, artist?.isni]).toEqual([
      'Westharbour',
      null,
      null,
    ])
    expect(additionalFields(row)).toBeNull()
    expect(drift).toEqual([])
  })

  it('platB: ids are text, whatever they come as', () => {
    const drift: string[] = []
    const wire = {
      ...base,
      id: '990100',
      platB: 77001,
      platB_album: '77000',
      platB_artist_names: ['The Paper Lanterns'],
      platB_artist_ids: ['7701'],
      platB_album_ids: ['77000'],
      code2: 'US',
      time_on_chart: 9,
    }
    const row = rowOf(platBChart, wire, drift)
    expect(row).toMatchObject({
      rowId: '990100',
      platB: '77001',
      platBAlbum: '77000',
      countryCode: 'US',
      platBArtistIds: ['7701'],
      platBAlbumIds: ['77000'],
      timeOnChart: 9,
      platATrackIds: [],
    })
    expect(drift).toEqual([])
  })

  it('platD: posts and views exactly, names without numbers, no artists', () => {
    const drift: string[] = []
    const wire = {
      id: 991001,
      platD_track_id: '6900000000000000001',
      platD: 881,
      name: 'Low Tide Radio',
      isrc: 'zza012300001',
      image_url: 'https://img.example.invalid/t/501.jpg',
      cm_track: 501,
      platD_artist_names: ['The Paper Lanterns'],
      platD_track_ids: ['6900000000000000001'],
      album_ids: [8001],
      album_names: ['Glass Orchard'],
      album_upc: ['000000000011'],
      album_label: ['Kestrel Yard Records'],
      release_dates: ['2025-04-23T07:00:00.000Z'],
      rank: 1,
      weekly_posts: 120331,
      time_on_chart: '3',
      rankStats: [{ rank: 1, posts: 120331, timestp: '2026-01-02T00:00:00.000Z' }],
      views: 4100000000,
      views_prev: null,
    }
    const row = rowOf(platDTrackChart, wire, drift)
    expect(row).toMatchObject({
      platD: '881',
      platDTrackId: '6900000000000000001',
      posts: 120331,
      views: 4100000000,
      previousViews: null,
      timeOnChart: 3,
    })
    expect(row.rankHistory.map(({ posts }) => posts)).toEqual([120331])
    expect(row.artistCredits.named.map(({ cmId, name }) => [cmId, name])).toEqual([
      [undefined, 'The Paper Lanterns'],
    ])
    expect(row.artistCredits.matched).toEqual([])
    expect([row.isrc, row.track?.isrc]).toEqual(['ZZA012300001', 'ZZA012300001'])
    expect(row.track?.artists).toBeUndefined()
    expect(row.track?.albums).toHaveLength(1)
    expect(additionalFields(row)).toBeNull()
    expect(drift).toEqual([])
  })

  it('platE: its own members, and the user of the platform as it came', () => {
    const user = { id: 4411, full_name: '', visuals: null, badges: { pro_unlimited: false } }
    const row = rowOf(platEChart, {
      ...base,
      country: 'GLOBAL',
      genre: 'latin',
      kind: 'top',
      platE_track_id: '330001',
      playcount_all: '3000000000',
      playcount_weekly: '120331',
      artwork_url: 'https://img.example.invalid/w/1.jpg',
      permalink_url: 'https://plate.example.invalid/paperlanterns/low-tide',
      public: true,
      publisher: null,
      writer_composer: 'A % B',
      artist: 'The Paper Lanterns',
      album_title: null,
      platE_user: user,
    })
    expect(row).toMatchObject({
      peakRank: null,
      peakDate: null,
      country: 'GLOBAL',
      genre: 'latin',
      kind: 'top',
      platETrackId: '330001',
      playcountAll: 3000000000,
      playcountWeekly: 120331,
      artworkUrl: 'https://img.example.invalid/w/1.jpg',
      permalinkUrl: 'https://plate.example.invalid/paperlanterns/low-tide',
      isPublic: true,
      publisher: null,
      writerComposer: 'A % B',
      artistName: 'The Paper Lanterns',
      albumTitle: null,
    })
    expect(row.platEUser).toBe(user)
    expect(additionalFields(row)).toBeNull()
  })

  it('platF: its own members', () => {
    const row = rowOf(platFChart, {
      ...base,
      genre: 'techno',
      platF: 880001,
      remixers: null,
      bc_label: 'Kestrel Yard Records',
      track_name: 'Low Tide Radio (Night Mix)',
      artist_name: 'The Paper Lanterns',
    })
    expect(row).toMatchObject({
      genre: 'techno',
      platF: '880001',
      remixers: null,
      bcLabel: 'Kestrel Yard Records',
      trackName: 'Low Tide Radio (Night Mix)',
      artistName: 'The Paper Lanterns',
    })
    expect(additionalFields(row)).toBeNull()
  })

  it('platG: no country on GLOBAL, without drift', () => {
    const drift: string[] = []
    const row = rowOf(platGChart, { ...base, code2: 'GLOBAL', countries_charting_count: 3 }, drift)
    expect([row.countryCode, row.countriesChartingCount, row.platGCount]).toEqual([null, 3, null])
    expect(drift).toEqual([])
  })

  it('platG: a row with little in it is kept, with the id of its raw data', () => {
    const drift: string[] = []
    const sparse = {
      raw_data: { id: 'g-17' },
      name: null,
      rank: 40,
      platG_track_id: '660017',
      cm_track: null,
      cm_artist: [],
    }
    const row = rowOf(platGChart, sparse, drift)
    expect(row).toMatchObject({ rowId: 'g-17', name: null, rank: 40, track: null, tags: [] })
    expect([row.artistCredits.named, row.artistCredits.matched]).toEqual([[], []])
    expect([row.albumCredits.named, row.rankHistory, row.artistIds]).toEqual([[], [], []])
    expect(additionalFields(row)).toEqual({ raw_data: { id: 'g-17' } })
    expect(drift).toEqual([])
  })

  it('are counted by themselves, whatever their length says', () => {
    expect(rowsOf(platGChart, { length: null, data: [base, base] })).toHaveLength(2)
    expect(rowsOf(platGChart, { length: 200, data: [base, base] })).toHaveLength(2)
    expect(
      platGChart.open({ obj: { length: 200, data: [base] } }, { note: () => {} })?.total,
    ).toBeNull()
    expect(rowsOf(platBChart, { length: 0, data: [] })).toEqual([])
  })

  it('what can be asked for comes as it came', () => {
    const quiet = { note: () => {} }
    expect(platFGenres.open({ obj: ['techno', { id: 1 }] }, quiet)).toEqual(['techno', { id: 1 }])
    expect(platGCities.open({ obj: { DE: ['Berlin'] } }, quiet)).toEqual({ DE: ['Berlin'] })
  })
})
