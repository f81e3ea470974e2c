import { describe, expect, it } from 'vitest'
import { additionalFields, counters } from '../../src/upstream/decode.ts'
import { tracksByFilter } from '../../src/upstream/endpoints/track-stat.ts'
import type { JsonObject } from '../../src/upstream/envelopes.ts'

const open = (body: JsonObject, drift: string[] = []) =>
  tracksByFilter.open(body, { note: (path) => drift.push(path) })

const rowOf = (change: object = {}) => ({
  cm_track: 501,
  album: [
    {
      id: 8001,
      label: 'Kestrel Yard Records',
      name: 'Glass Orchard',
      release_date: '2025-04-23',
      upc: '000000000011',
    },
  ],
  artist: [{ id: 3301, name: 'The Paper Lanterns' }],
  explicit: false,
  genre: ['indie pop'],
  image_url: 'https://img.example.invalid/t/501.jpg',
  isrc: 'ZZA012300001',
  name: 'Low Tide Radio',
  score: 61.5,
  songwriter: ['Ada Quill'],
  moods: ['wistful'],
  latest: { platA_plays: 3000000000 },
  ...change,
})
const one = (change: object = {}, drift: string[] = []) =>
  open({ obj: [rowOf(change)], offset: 0, total: 1 }, drift)?.rows[0] ?? expect.fail('no row')

describe('a row of the track filter', () => {
  it('tells the track, its artists and albums, and the statistics asked for', () => {
    const drift: string[] = []
    const row = one({}, drift)
    expect(row.track).toMatchObject({
      cmId: 501,
      name: 'Low Tide Radio',
      isrc: 'ZZA012300001',
      imageUrl: 'https://img.example.invalid/t/501.jpg',
      isExplicit: false,
    })
    expect(row.artistCredits).toMatchObject([{ cmId: 3301, name: 'The Paper Lanterns' }])
    expect(row.albumCredits).toMatchObject([
      {
        cmId: 8001,
        name: 'Glass Orchard',
        label: 'Kestrel Yard Records',
        releaseDate: '2025-04-23',
        upc: '000000000011',
      },
    ])
    expect(row).toMatchObject({ genres: ['indie pop'], songwriters: ['Ada Quill'], score: 61.5 })
    expect(row.moods).toMatchObject([{ cmId: null, name: 'wistful' }])
    expect(row.latest?.platAPlays).toBe(3_000_000_000)
    expect(row.latest?.platJViews).toBeNull()
    expect(row.weeklyDiff).toBeNull()
    expect(additionalFields(row)).toBeNull()
    expect(drift).toEqual([])
  })

  it('has null for a period without a map, and for text that is no number', () => {
    const drift: string[] = []
    const bare = one({ latest: undefined }, drift)
    for (const period of ['latest', 'weeklyDiff', 'monthlyDiff', 'bimonthlyDiff'] as const)
      expect(bare[period]).toBeNull()
    expect(drift).toEqual([])
    const percent = one(
      { weekly_diff_percent: { platA_plays: '12.5', platJ_views: 'Infinity' } },
      drift,
    ).weeklyDiffPercent
    expect(percent?.platAPlays).toBe(12.5)
    expect(percent?.platJViews).toBeNull()
    expect(drift).toEqual(['weeklyDiffPercent.platJViews'])
    expect(counters(percent)).toEqual([
      { name: 'platA_plays', value: '12.5' },
      { name: 'platJ_views', value: 'Infinity' },
    ])
  })

  it('keeps each of the seven periods and each statistic apart', () => {
    const wire = {
      latest: 1,
      weekly_diff: 2,
      monthly_diff: 3,
      bimonthly_diff: 4,
      weekly_diff_percent: 5,
      monthly_diff_percent: 6,
      bimonthly_diff_percent: 7,
    }
    const row = one(
      Object.fromEntries(Object.entries(wire).map(([period, rank]) => [period, { rank }])),
    )
    expect(
      [
        row.latest,
        row.weeklyDiff,
        row.monthlyDiff,
        row.bimonthlyDiff,
        row.weeklyDiffPercent,
        row.monthlyDiffPercent,
        row.bimonthlyDiffPercent,
      ].map((period) => period?.rank),
    ).toEqual([1, 2, 3, 4, 5, 6, 7])
    const all = {
      rank: 1,
      airplay_streams: 2,
      platA_plays: 3,
      platA_popularity: 4,
      platA_playlist_count: 5,
      platA_playlist_total_reach: 6,
      platA_ed_playlist_count: 7,
      platA_ed_playlist_total_reach: 8,
      platB_playlist_count: 9,
      platC_playlist_count: 10,
      platD_posts: 11,
      platD_top_videos_likes: 12,
      platD_top_videos_views: 13,
      platE_plays: 14,
      platG_count: 15,
      platH_playlist_count: 16,
      platJ_likes: 17,
      platJ_playlist_count: 18,
      platJ_views: 19,
      platK_popularity: 20,
      platV_streams: 21,
    }
    const stats = one({ latest: all }).latest
    expect(stats?.platAEditorialPlaylistTotalReach).toBe(8)
    expect(stats?.platDTopVideosViews).toBe(13)
    expect(stats?.platVStreams).toBe(21)
    expect(counters(stats, ['rank', 'nothing'])).toEqual([{ name: 'rank', value: 1 }])
  })

  it('lets artists and albums be without a number, and lists be missing', () => {
    const drift: string[] = []
    const row = one(
      {
        artist: [{ id: null, name: 'A' }, { name: 'B' }],
        album: null,
        genre: null,
        songwriter: null,
        moods: null,
      },
      drift,
    )
    expect(row.artistCredits.map(({ cmId, name }) => [cmId ?? null, name])).toEqual([
      [null, 'A'],
      [null, 'B'],
    ])
    expect(row).toMatchObject({ albumCredits: [], genres: [], songwriters: [], moods: [] })
    expect(drift).toEqual([])
  })
})

describe('an answer of the track filter', () => {
  it.each([
    ['beside its total', { obj: [rowOf()], offset: 0, total: 1 }],
    ['one level down', { obj: { obj: [rowOf()], offset: 0, total: 1 } }],
    ['under data with a count', { obj: { data: [rowOf()], count: 1 } }],
  ])('is the same page with rows %s', (_where, body) => {
    const page = open(body)
    expect(page?.total).toBe(1)
    expect(page?.rows.map((row) => row?.track?.cmId)).toEqual([501])
  })

  it('in an unknown wrapper is no empty page', () => {
    expect(open({ obj: { rows_v2: [rowOf()] } })).toBeUndefined()
  })
})
