import { describe, expect, it } from 'vitest'
import { additionalFields } from '../../src/upstream/decode.ts'
import type { Listing } from '../../src/upstream/endpoint.ts'
import { platGChart } from '../../src/upstream/endpoints/chart-plat-g.ts'
import { platUChart } from '../../src/upstream/endpoints/chart-plat-u.ts'

const rowOf = <R>(listing: Listing<R>, wire: object, drift: string[] = []): R => {
  const body = { obj: { length: 1, data: [wire] } }
  return listing.open(body, { note: (path) => drift.push(path) })?.rows[0] ?? expect.fail('no row')
}

/** The chart row base of the specification. */
const base = {
  id: 990001,
  name: 'Low Tide Radio',
  isrc: 'ZZA012300001',
  image_url: 'https://img.example.invalid/t/501.jpg',
  description: null,
  tags: 'indie pop, dream pop',
  cm_track: 501,
  cm_artist: [3301, 3302],
  artist_names: ['The Paper Lanterns', 'Ada Ferro'],
  code2s: ['GB', null],
  artist_images: ['https://img.example.invalid/a/3301.jpg', 'None'],
  artist_covers: [null, 'https://img.example.invalid/c/3302.jpg'],
  platA_track_ids: ['A1'],
  platA_album_ids: ['AA1'],
  platA_duration_ms: 201000,
  platH_track_ids: ['1600000001'],
  platH_album_ids: ['1600000000'],
  platH_artist_ids: [55501],
  platH_artist_names: ['The Paper Lanterns'],
  storefronts: ['us', 'gb'],
  platB_track_ids: ['77001'],
  platB_album_ids: [77000],
  platB_duration: 201,
  platC_track_ids: ['B0Z1'],
  platC_album_ids: ['B0Z0'],
  album_ids: [8001],
  album_names: ['Glass Orchard'],
  album_upc: ['000000000011'],
  album_label: ['Kestrel Yard Records'],
  release_dates: ['2025-04-23T07:00:00.000Z'],
  created_at: '2025-04-24T02:11:09.000Z',
  modified_at: '2025-12-01T02:11:09.000Z',
  rank: 1,
  pre_rank: 2,
  peak_rank: 1,
  peak_date: '2025-12-29T00:00:00.000Z',
  added_at: '2026-01-02T00:00:00.000Z',
  velocity: 0.4,
  time_on_chart: '12',
  rankStats: [
    { rank: 2, timestp: '2026-01-01T00:00:00.000Z' },
    { rank: 1, timestp: '2026-01-02T00:00:00.000Z' },
  ],
}

describe('a row of the chart base', () => {
  it('tells its place, with days as written and the time on the chart as a number', () => {
    const row = rowOf(platUChart, { ...base, platU: 550001 })
    expect(row).toMatchObject({
      rank: 1,
      previousRank: 2,
      peakRank: 1,
      peakDate: '2025-12-29',
      addedAt: '2026-01-02',
      velocity: 0.4,
      timeOnChart: 12,
      platU: '550001',
    })
    expect(row.rankHistory.map(({ date, rank, posts }) => [date, rank, posts])).toEqual([
      ['2026-01-01', 2, null],
      ['2026-01-02', 1, null],
    ])
  })

  it('tells its recording and every documented array', () => {
    const drift: string[] = []
    const row = rowOf(platUChart, base, drift)
    expect(row).toMatchObject({
      rowId: '990001',
      name: 'Low Tide Radio',
      isrc: 'ZZA012300001',
      imageUrl: 'https://img.example.invalid/t/501.jpg',
      description: null,
      tags: ['indie pop', 'dream pop'],
      platADurationMs: 201000,
      platBDuration: 201,
      createdAt: '2025-04-24T02:11:09.000Z',
      modifiedAt: '2025-12-01T02:11:09.000Z',
      artistIds: [3301, 3302],
      artistNames: ['The Paper Lanterns', 'Ada Ferro'],
      artistCountryCodes: ['GB'],
      artistImageUrls: ['https://img.example.invalid/a/3301.jpg'],
      artistCoverUrls: ['https://img.example.invalid/c/3302.jpg'],
      albumIds: [8001],
      albumNames: ['Glass Orchard'],
      albumUpcs: ['000000000011'],
      albumLabels: ['Kestrel Yard Records'],
      releaseDates: ['2025-04-23'],
      storefronts: ['us', 'gb'],
      platATrackIds: ['A1'],
      platAAlbumIds: ['AA1'],
      platBTrackIds: ['77001'],
      platBAlbumIds: ['77000'],
      platBArtistIds: [],
      platBArtistNames: [],
      platCTrackIds: ['B0Z1'],
      platCAlbumIds: ['B0Z0'],
      platDTrackIds: [],
      platDArtistNames: [],
      platHTrackIds: ['1600000001'],
      platHAlbumIds: ['1600000000'],
      platHArtistIds: ['55501'],
      platHArtistNames: ['The Paper Lanterns'],
    })
    expect(drift).toEqual([])
  })

  it('has no member that is not named', () => {
    expect(additionalFields(rowOf(platUChart, { ...base, platU: '550001' }))).toBeNull()
    expect(additionalFields(rowOf(platUChart, { ...base, mood: 'calm' }))).toEqual({ mood: 'calm' })
  })

  it('is read from rank_stats, days under date and a single thing where a list is meant', () => {
    const { rankStats: _, ...rest } = base
    const row = rowOf(platUChart, {
      ...rest,
      cm_artist: '3301',
      artist_names: 'The Paper Lanterns',
      rank_stats: [{ rank: '4', date: '2026-01-02', plays: 7 }],
    })
    expect(row.rankHistory.map(({ date, rank }) => [date, rank])).toEqual([['2026-01-02', 4]])
    expect(row.artistCredits.matched).toMatchObject([{ cmId: 3301, name: 'The Paper Lanterns' }])
    expect(additionalFields(row)).toBeNull()
  })

  it('reads numbers as strings, and empty strings as nothing', () => {
    const drift: string[] = []
    const row = rowOf(
      platGChart,
      {
        ...base,
        id: '990001',
        isrc: '',
        image_url: '',
        cm_track: '501',
        cm_artist: ['3301', '3302'],
        rank: '1',
        pre_rank: '2.0',
        peak_date: '',
        velocity: '',
        time_on_chart: 12,
        code2: 'US ',
        platH_id: '',
        platH_track_id: '1600000001',
        platH_album_id: '',
        num_of_platGs: '4021',
      },
      drift,
    )
    expect(row).toMatchObject({
      isrc: null,
      imageUrl: null,
      rank: 1,
      previousRank: 2,
      peakDate: null,
      velocity: null,
      timeOnChart: 12,
      countryCode: 'US',
      platHId: null,
      ownPlatHTrackIds: ['1600000001'],
      ownPlatHAlbumIds: [],
      platGCount: 4021,
    })
    expect(row.track?.cmId).toBe(501)
    expect(row.artistCredits.matched.map(({ cmId }) => cmId)).toEqual([3301, 3302])
    expect(drift).toEqual([])
  })
})
