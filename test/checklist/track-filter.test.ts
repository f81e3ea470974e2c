import { describe, expect, test } from 'vitest'
import type { Scripted } from '../support/script.ts'
import { ask, giving, numberOf, pairsOf, refusal } from './ask.ts'

const list = (args: string, fields = 'nodes { score }') => `{ tracksByStat${args} { ${fields} } }`

const STATS = {
  SCORE: 'score',
  AIRPLAY_STREAMS: 'airplay_streams',
  PLAT_C_PLAYLIST_COUNT: 'platC_playlist_count',
  PLAT_B_PLAYLIST_COUNT: 'platB_playlist_count',
  PLAT_H_PLAYLIST_COUNT: 'platH_playlist_count',
  PLAT_G_COUNT: 'platG_count',
  PLAT_V_STREAMS: 'platV_streams',
  PLAT_E_PLAYS: 'platE_plays',
  PLAT_A_PLAYLIST_COUNT: 'platA_playlist_count',
  PLAT_A_PLAYLIST_TOTAL_REACH: 'platA_playlist_total_reach',
  PLAT_A_PLAYS: 'platA_plays',
  PLAT_A_POPULARITY: 'platA_popularity',
  PLAT_A_EDITORIAL_PLAYLIST_COUNT: 'platA_ed_playlist_count',
  PLAT_A_EDITORIAL_PLAYLIST_TOTAL_REACH: 'platA_ed_playlist_total_reach',
  PLAT_K_POPULARITY: 'platK_popularity',
  PLAT_D_POSTS: 'platD_posts',
  PLAT_D_TOP_VIDEOS_LIKES: 'platD_top_videos_likes',
  PLAT_D_TOP_VIDEOS_VIEWS: 'platD_top_videos_views',
  PLAT_J_LIKES: 'platJ_likes',
  PLAT_J_PLAYLIST_COUNT: 'platJ_playlist_count',
  PLAT_J_VIEWS: 'platJ_views',
  RANK: 'rank',
  ALBUM_RELEASE_DATE: 'album.release_date',
  RANK_OVERALL: 'rank.rank_overall',
}
const PERIODS = [
  'latest',
  'weekly_diff',
  'monthly_diff',
  'bimonthly_diff',
  'weekly_diff_percent',
  'monthly_diff_percent',
  'bimonthly_diff_percent',
]

describe('M. track filter, in detail', () => {
  test('180: a page that reaches row 10000 is cut there, and no request passes it', async () => {
    const { data, errors, sent } = await ask(
      list('(first: 10000)', 'nodes { score } pageInfo { hasNextPage truncated } totalCount'),
      (seen): Scripted => ({
        body: {
          obj: Array.from({ length: numberOf(seen, 'limit') }, (_, at) => ({
            cm_track: 1 + numberOf(seen, 'offset') + at,
            score: 1,
          })),
          offset: numberOf(seen, 'offset'),
          total: 20_000,
        },
      }),
    )
    expect(errors).toEqual([])
    expect(data.tracksByStat.nodes).toHaveLength(10_000)
    expect(data.tracksByStat.pageInfo).toEqual({ hasNextPage: false, truncated: true })
    expect(data.tracksByStat.totalCount).toBe(20_000)
    for (const seen of sent)
      expect(numberOf(seen, 'offset') + numberOf(seen, 'limit')).toBeLessThanOrEqual(10_000)
  })

  test('181: a statistic is ordered by in each period, and those without one take none', async () => {
    for (const period of PERIODS)
      expect(
        await pairsOf(list(`(orderBy: { field: PLAT_E_PLAYS, period: ${period.toUpperCase()} })`)),
      ).toContain(`sortColumn=${period}.platE_plays`)
    for (const [field, column] of [
      ['SCORE', 'score'],
      ['ALBUM_RELEASE_DATE', 'album.release_date'],
      ['RANK_OVERALL', 'rank.rank_overall'],
      ['RANK', 'rank'],
      ['AIRPLAY_STREAMS', 'airplay_streams'],
    ])
      expect(await pairsOf(list(`(orderBy: { field: ${field} }, period: MONTHLY_DIFF)`))).toContain(
        `sortColumn=${column}`,
      )
    const released = await ask(list('(orderBy: { field: RELEASE_DATE, period: LATEST })'))
    expect([released.sent, released.codes]).toEqual([[], ['BAD_USER_INPUT']])
  })

  test('182: each of the seven periods goes out as the service spells it', async () => {
    for (const period of PERIODS)
      expect(await pairsOf(list(`(period: ${period.toUpperCase()})`))).toContain(
        `range_period=${period}`,
      )
  })

  test('183: each statistic has both bounds, by the name that the service has for it', async () => {
    const ranges = Object.keys(STATS)
      .map((stat) => `{ stat: ${stat}, min: 1, max: 2 }`)
      .join(' ')
    const pairs = await pairsOf(
      list(
        `(filter: { ranges: [${ranges}], releaseDate: { min: "2024-01-01", max: "2024-02-01" } })`,
      ),
    )
    expect(pairs.filter((pair) => /^(min|max)_/.test(pair))).toEqual(
      [
        ...Object.values(STATS).flatMap((stat) => [`min_${stat}=1`, `max_${stat}=2`]),
        'min_release_date=2024-01-01',
        'max_release_date=2024-02-01',
      ].sort(),
    )
  })

  test('184: numbers are written plainly, 0 is one, and equal bounds are a range', async () => {
    for (const [min, written] of [
      ['0', '0'],
      ['-0.000001', '-0.000001'],
      ['0.0000001', '0.0000001'],
      ['3e9', '3000000000'],
      ['-12.5', '-12.5'],
    ])
      expect(
        await pairsOf(list(`(filter: { ranges: [{ stat: RANK, min: ${min}, max: 3e9 }] })`)),
      ).toEqual(expect.arrayContaining([`min_rank=${written}`, 'max_rank=3000000000']))
    const upside = await ask(list('(filter: { ranges: [{ stat: RANK, min: 2, max: 1 }] })'))
    expect([upside.sent, upside.codes]).toEqual([[], ['BAD_USER_INPUT']])
  })

  test('186, 187: versions that may go together do, none goes without originalsOnly false', async () => {
    expect(
      await pairsOf(
        list('(filter: { originalsOnly: false, versionOr: [ACOUSTIC], versionNot: [ORIGINAL] })'),
      ),
    ).toEqual(expect.arrayContaining(['version_or[]=acoustic', 'version_not[]=original']))
    for (const field of ['versionOnly', 'versionAnd', 'versionOr', 'versionNot'])
      for (const originals of ['', 'originalsOnly: true, ']) {
        const { sent, codes } = await ask(list(`(filter: { ${originals}${field}: [EDIT] })`))
        expect([sent, codes], field).toEqual([[], ['BAD_USER_INPUT']])
      }
  })

  test('189: the same filter is userListIds[] on playlist listings', async () => {
    const { sent } = await ask(
      '{ playlists(platform: PLAT_B, filter: { shortlistIds: [9, 3, 9] }) { nodes { name } } }',
      giving({ obj: [], offset: 0, total: 0 }),
    )
    expect(sent[0]?.pairs.filter((pair) => /list/i.test(pair))).toEqual([
      'userListIds[]=3',
      'userListIds[]=9',
    ])
  })

  test('190: each period is read from its own map, and a falling value stays negative', async () => {
    const row = Object.fromEntries(PERIODS.map((period, at) => [period, { rank: at - 3.5 }]))
    const { data, credits } = await ask(
      list(
        '',
        `nodes { latest { rank } weeklyDiff { rank } monthlyDiff { rank } bimonthlyDiff { rank }
          weeklyDiffPercent { rank } monthlyDiffPercent { rank } bimonthlyDiffPercent { rank platAPlays } }`,
      ),
      giving({ obj: [{ cm_track: 1, ...row }], offset: 0, total: 1 }),
    )
    expect(data.tracksByStat.nodes).toEqual([
      {
        latest: { rank: -3.5 },
        weeklyDiff: { rank: -2.5 },
        monthlyDiff: { rank: -1.5 },
        bimonthlyDiff: { rank: -0.5 },
        weeklyDiffPercent: { rank: 0.5 },
        monthlyDiffPercent: { rank: 1.5 },
        bimonthlyDiffPercent: { rank: 2.5, platAPlays: null },
      },
    ])
    expect(credits.spent).toBe(1)
  })
})

describe('M. track filter', () => {
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
