import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

const ROW = {
  cm_track: 501,
  album: [
    {
      id: 8001,
      name: 'Glass Orchard',
      label: 'Kestrel Yard',
      release_date: '2025-04-23',
      upc: '1',
    },
    { name: 'Without a number' },
  ],
  artist: [{ id: 3301, name: 'The Paper Lanterns' }, { name: 'Unmatched' }],
  explicit: false,
  genre: ['indie pop'],
  image_url: 'https://img.example.invalid/t/501.jpg',
  isrc: 'ZZA012300001',
  name: 'Low Tide Radio',
  score: 61.5,
  songwriter: ['Ada Quill'],
  moods: ['wistful'],
  weekly_diff: { platA_plays: -12, new_stat: 4 },
  new_member: { a: 1 },
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.close()))
})
const run = async (
  answer: (seen: Seen) => Scripted = () => ({ body: { obj: [ROW], offset: 0, total: 1 } }),
) => {
  const started = await openScripted(answer)
  open.push(started)
  return started
}
const queryOf = ([seen]: readonly Seen[]) => Object.fromEntries(seen?.query ?? [])

describe('tracks by statistics', () => {
  it('are filtered, ordered and windowed as asked', async () => {
    const { query, upstream } = await run()
    const { errors, credits } = await query(
      `{ tracksByStat(
          filter: {
            genreIds: [12], artistIds: [3301], shortlistIds: [4]
            ranges: [{ stat: PLAT_A_PLAYS, min: -1.5 }, { stat: RANK_OVERALL, min: 1, max: 500 }]
            releaseDate: { min: "2024-01-01" }
            originalsOnly: false, versionOr: [RE_RELEASE]
          }
          orderBy: { field: PLAT_J_VIEWS, direction: ASC }
          period: WEEKLY_DIFF
        ) { totalCount } }`,
    )
    expect(errors).toEqual([])
    expect(credits.spent).toBe(1)
    expect(upstream.requests[0]?.path).toBe('/api/track/list/filter')
    expect(queryOf(upstream.requests)).toEqual({
      'genres[]': '12',
      'artists[]': '3301',
      'shortListIds[]': '4',
      min_platA_plays: '-1.5',
      'min_rank.rank_overall': '1',
      'max_rank.rank_overall': '500',
      min_release_date: '2024-01-01',
      originalsOnly: 'false',
      'version_or[]': 're_release',
      range_period: 'weekly_diff',
      sortColumn: 'weekly_diff.platJ_views',
      sortOrderDesc: 'false',
      offset: '0',
      limit: '100',
    })
  })

  it.each([
    ['', 'score'],
    ['orderBy: {}', 'score'],
    ['orderBy: { field: ALBUM_RELEASE_DATE }', 'album.release_date'],
    ['orderBy: { field: RANK }', 'rank'],
    ['period: MONTHLY_DIFF, orderBy: { field: AIRPLAY_STREAMS }', 'airplay_streams'],
    ['orderBy: { field: RANK, period: LATEST }', 'latest.rank'],
    ['orderBy: { field: PLAT_A_PLAYS }', 'latest.platA_plays'],
    ['period: null, orderBy: { field: PLAT_A_PLAYS }', 'latest.platA_plays'],
    ['period: MONTHLY_DIFF, orderBy: { field: PLAT_A_PLAYS }', 'monthly_diff.platA_plays'],
    [
      'period: MONTHLY_DIFF, orderBy: { field: PLAT_A_PLAYS, period: WEEKLY_DIFF_PERCENT }',
      'weekly_diff_percent.platA_plays',
    ],
  ])('with (%s) are ordered by %s', async (args, column) => {
    const { query, upstream } = await run()
    const { errors } = await query(`{ tracksByStat(first: 1, ${args}) { totalCount } }`)
    expect(errors).toEqual([])
    expect(queryOf(upstream.requests).sortColumn).toBe(column)
  })

  it.each([
    ['filter: { ranges: [{ stat: SCORE, min: 1 }, { stat: SCORE, max: 2 }] }', /ranges: SCORE/],
    ['filter: { ranges: [{ stat: RELEASE_DATE, min: 1 }] }', /ranges: RELEASE_DATE/],
    ['filter: { ranges: [{ stat: PLAT_A_PLAYS }] }', /ranges: PLAT_A_PLAYS needs/],
    ['filter: { ranges: [{ stat: PLAT_A_PLAYS, min: null }] }', /ranges: PLAT_A_PLAYS needs/],
    [
      'filter: { ranges: [{ stat: PLAT_A_PLAYS, min: 2, max: 1 }] }',
      /ranges: PLAT_A_PLAYS needs min at most max, got 2 and 1/,
    ],
    ['filter: { releaseDate: { min: "2025-02-30" } }', /releaseDate: min must be a day/],
    [
      'filter: { releaseDate: { min: "2025-02-02", max: "2025-02-01" } }',
      /releaseDate: .*2025-02-02/,
    ],
    ['filter: { versionNot: [REMIX] }', /versionNot: .*originalsOnly false/],
    ['filter: { originalsOnly: false, versionAnd: [EDIT], versionOr: [REMIX] }', /versionAnd/],
    ['filter: { artistIds: [-1] }', /artistIds must be/],
    ['orderBy: { field: RELEASE_DATE }', /orderBy: RELEASE_DATE/],
    ['orderBy: { field: SCORE, period: LATEST }', /orderBy: SCORE takes no period/],
    ['orderBy: { field: RANK_OVERALL, period: WEEKLY_DIFF }', /orderBy: RANK_OVERALL/],
  ])('with (%s) are refused before anything is sent', async (args, message) => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      `{ tracksByStat(${args}) { totalCount } __typename }`,
    )
    expect(data).toEqual({ tracksByStat: null, __typename: 'Query' })
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(errors[0]?.message).toMatch(message)
    expect(credits.spent).toBe(0)
    expect(upstream.requests).toEqual([])
  })

  it('give what the row tells for one credit', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      `{ tracksByStat { nodes {
          track { id name isrc imageUrl isExplicit }
          artistCredits { name artist { cmId } } artists { id name }
          albumCredits { name label album { cmId } } albums { id upc releaseDate }
          genres songwriters moods { name } score
          latest { rank } weeklyDiff { platAPlays platJViews counters { name value } }
          additionalFields
      } } }`,
    )
    expect(errors).toEqual([])
    expect(data.tracksByStat.nodes).toEqual([
      {
        track: {
          id: 'Track:501',
          name: 'Low Tide Radio',
          isrc: 'ZZA012300001',
          imageUrl: 'https://img.example.invalid/t/501.jpg',
          isExplicit: false,
        },
        artistCredits: [
          { name: 'The Paper Lanterns', artist: { cmId: 3301 } },
          { name: 'Unmatched', artist: null },
        ],
        artists: [{ id: 'Artist:3301', name: 'The Paper Lanterns' }],
        albumCredits: [
          { name: 'Glass Orchard', label: 'Kestrel Yard', album: { cmId: 8001 } },
          { name: 'Without a number', label: null, album: null },
        ],
        albums: [{ id: 'Album:8001', upc: '1', releaseDate: '2025-04-23' }],
        genres: ['indie pop'],
        songwriters: ['Ada Quill'],
        moods: [{ name: 'wistful' }],
        score: 61.5,
        latest: null,
        weeklyDiff: {
          platAPlays: -12,
          platJViews: null,
          counters: [
            { name: 'platA_plays', value: -12 },
            { name: 'new_stat', value: 4 },
          ],
        },
        additionalFields: { new_member: { a: 1 } },
      },
    ])
    expect(credits).toMatchObject({ spent: 1, saved: 3, savedBy: { hydrated: 3 } })
    expect(upstream.requests).toHaveLength(1)
  })

  it('ask for the track where the row does not tell', async () => {
    const { query, upstream } = await run(({ path }) =>
      path === '/api/track/501'
        ? { body: { obj: { id: 501, name: 'Other words', score: 3 } } }
        : { body: { obj: [ROW], offset: 0, total: 1 } },
    )
    const { data, credits } = await query(
      '{ tracksByStat { nodes { score track { name score } } } }',
    )
    expect(data.tracksByStat.nodes).toEqual([
      { score: 61.5, track: { name: 'Low Tide Radio', score: 3 } },
    ])
    expect(credits.spent).toBe(2)
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      '/api/track/list/filter',
      '/api/track/501',
    ])
  })
})

describe('tracks of an artist', () => {
  it('are the same listing, and the artist itself is not paid for', async () => {
    const { query, upstream } = await run()
    const { data, credits } = await query(
      '{ artist(cmId: 3301) { cmId tracks(first: 1, orderBy: { field: PLAT_A_PLAYS }) { totalCount nodes { track { name } } } } }',
    )
    expect(data.artist).toEqual({
      cmId: 3301,
      tracks: { totalCount: 1, nodes: [{ track: { name: 'Low Tide Radio' } }] },
    })
    expect(credits.spent).toBe(1)
    expect(queryOf(upstream.requests)).toMatchObject({
      'artists[]': '3301',
      sortColumn: 'latest.platA_plays',
      sortOrderDesc: 'true',
    })
  })
})
