import { describe, expect, it } from 'vitest'
import { tracksByFilter } from '../../src/upstream/endpoints/track-stat.ts'
import type { Args } from '../../src/upstream/params.ts'
import { request } from '../../src/upstream/request.ts'

const pathOf = (args: Args) => request(tracksByFilter, args).wire.path
const DEFAULTS = 'originalsOnly=true&range_period=latest&sortColumn=score&sortOrderDesc=true'

/** The 23 statistics of the specification and the two that are filterable beside them, as it lists them. */
const STATS =
  'score, release_date, airplay_streams, platC_playlist_count, platB_playlist_count, platH_playlist_count, platG_count, platV_streams, platE_plays, platA_playlist_count, platA_playlist_total_reach, platA_plays, platA_popularity, platA_ed_playlist_count, platA_ed_playlist_total_reach, platK_popularity, platD_posts, platD_top_videos_likes, platD_top_videos_views, platJ_likes, platJ_playlist_count, platJ_views, rank, album.release_date, rank.rank_overall'.split(
    ', ',
  )
const PERIODS =
  'latest, weekly_diff, monthly_diff, bimonthly_diff, weekly_diff_percent, monthly_diff_percent, bimonthly_diff_percent'.split(
    ', ',
  )
const BARE = ['score', 'album.release_date', 'rank.rank_overall', 'rank', 'airplay_streams']

describe('the track filter on the wire', () => {
  it('sends the defaults of the specification', () => {
    expect(request(tracksByFilter, { offset: 0, limit: 100 }).wire).toEqual({
      method: 'GET',
      path: `/api/track/list/filter?limit=100&offset=0&${DEFAULTS}`,
      credits: 1,
      endpoint: 'tracksByFilter',
      headers: {},
    })
  })

  it('takes bounds of every statistic, negative and fractional ones too, the dot as it is', () => {
    for (const stat of STATS.filter((name) => name !== 'release_date'))
      expect(pathOf({ [`min_${stat}`]: -1.5, [`max_${stat}`]: 0 })).toBe(
        `/api/track/list/filter?max_${stat}=0&min_${stat}=-1.5&${DEFAULTS}`,
      )
  })

  it('takes days as the bounds of the release date', () => {
    expect(pathOf({ min_release_date: '2024-02-29', max_release_date: '2025-01-01' })).toBe(
      `/api/track/list/filter?max_release_date=2025-01-01&min_release_date=2024-02-29&${DEFAULTS}`,
    )
    expect(() => pathOf({ min_release_date: '2025-02-29' })).toThrow(
      /^min_release_date must be a day/,
    )
    expect(() => pathOf({ max_release_date: 20250101 })).toThrow(/^max_release_date must be a day/)
  })

  it('orders by five columns alone and by every other as <period>.<stat>', () => {
    const withPeriod = STATS.filter(
      (stat) =>
        !['score', 'release_date', 'album.release_date', 'rank.rank_overall'].includes(stat),
    )
    const columns = [
      ...BARE,
      ...PERIODS.flatMap((period) => withPeriod.map((s) => `${period}.${s}`)),
    ]
    for (const orderBy of columns) expect(pathOf({ orderBy })).toContain(`sortColumn=${orderBy}&`)
    for (const orderBy of [
      'release_date',
      'platA_plays',
      'latest.score',
      'latest.release_date',
      'latest.rank.rank_overall',
      'daily_diff.platA_plays',
    ])
      expect(() => pathOf({ orderBy }), orderBy).toThrow(/^orderBy must be one of score/)
  })

  it('writes lists as repeated names, in one order and without repeats', () => {
    const lists = { genreIds: [9, 3, 9], artistIds: [3301], shortlistIds: [2, 1] }
    expect(pathOf(lists)).toBe(
      '/api/track/list/filter?artists[]=3301&genres[]=3&genres[]=9&originalsOnly=true&range_period=latest&shortListIds[]=1&shortListIds[]=2&sortColumn=score&sortOrderDesc=true',
    )
    expect(request(tracksByFilter, lists).key).toBe(
      request(tracksByFilter, { ...lists, genreIds: [3, 9] }).key,
    )
  })

  it('sends versions with originalsOnly=false', () => {
    expect(
      pathOf({ originalsOnly: false, versionAnd: ['remix', 'edit'], versionNot: ['acoustic'] }),
    ).toBe(
      '/api/track/list/filter?originalsOnly=false&range_period=latest&sortColumn=score&sortOrderDesc=true&version_and[]=edit&version_and[]=remix&version_not[]=acoustic',
    )
    expect(pathOf({ originalsOnly: false, versionOnly: ['re_release', 'original'] })).toContain(
      '&version_only[]=original&version_only[]=re_release',
    )
  })

  it.each<[string, Args, RegExp]>([
    [
      'a version and originals only',
      { versionNot: ['remix'] },
      /^versionNot: .*originalsOnly false/,
    ],
    [
      'version_only and another',
      { originalsOnly: false, versionOnly: ['remix'], versionNot: ['edit'] },
      /^versionOnly: .*excludes/,
    ],
    [
      'version_and and version_or',
      { originalsOnly: false, versionAnd: ['remix'], versionOr: ['edit'] },
      /^versionAnd: .*excludes/,
    ],
    [
      'an unknown version',
      { originalsOnly: false, versionOr: ['live'] },
      /^versionOr must be one of/,
    ],
    [
      'a least value above the greatest',
      { min_platA_plays: 2, max_platA_plays: 1 },
      /^min_platA_plays/,
    ],
    [
      'a last day before the first',
      { min_release_date: '2025-01-02', max_release_date: '2025-01-01' },
      /^min_release_date/,
    ],
    ['no number', { min_score: Number.NaN }, /^min_score must be a finite number/],
    ['an unknown period', { period: 'daily_diff' }, /^period must be one of/],
    ['rows behind 10,000', { offset: 9_950, limit: 51 }, /^limit: offset \+ limit at most 10000/],
  ])('is not sent with %s', (_what, args, message) => {
    expect(() => pathOf(args)).toThrow(message)
  })
})
