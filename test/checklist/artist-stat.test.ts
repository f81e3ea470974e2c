import { describe, expect, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import { ask, chartOf, numberOf, obj, pairsOf, refusal } from './ask.ts'

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
  })

  test.each([
    ['PLAT_A_FOLLOWERS', 'sp_followers'],
    ['PLAT_A_MONTHLY_LISTENERS', 'sp_monthly_listeners'],
    ['PLAT_A_POPULARITY', 'sp_popularity'],
    ['PLAT_A_LISTENERS_TO_FOLLOWERS_RATIO', 'sp_listeners_to_followers_ratio'],
    ['PLAT_A_FOLLOWERS_TO_LISTENERS_RATIO', 'sp_followers_to_listeners_ratio'],
    ['PLAT_B_FANS', 'platB_fans'],
    ['PLAT_L_LIKES', 'fs_likes'],
    ['PLAT_L_TALKS', 'fs_talks'],
    ['PLAT_N_FOLLOWERS', 'ins_followers'],
    ['PLAT_M_FOLLOWERS', 'ts_followers'],
    ['PLAT_M_RETWEETS', 'ts_retweets'],
    ['PLAT_J_CHANNEL_VIEWS', 'ycs_views'],
    ['PLAT_J_SUBSCRIBERS', 'ycs_subscribers'],
    ['PLAT_J_DAILY_VIDEO_VIEWS', 'platJ_daily_video_views'],
    ['PLAT_J_MONTHLY_VIDEO_VIEWS', 'platJ_monthly_video_views'],
    ['PLAT_O_VIEWS', 'ws_views'],
    ['PLAT_E_FOLLOWERS', 'platE_followers'],
    ['PLAT_P_FOLLOWERS', 'bs_followers'],
    ['PLAT_D_FOLLOWERS', 'platD_followers'],
    ['PLAT_D_LIKES', 'platD_likes'],
    ['RANK', 'cm_artist_rank'],
  ])('72: %s is asked for as %s', async (stat, type) => {
    const { sent } = await ask(list(`stat: ${stat}, min: 1, max: 2`))
    expect(sent.map(({ path }) => path)).toEqual([`/api/artist/${type}/list`])
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

  test('76: no request passes offset 100000 or asks for more than 200 rows', async () => {
    const run = await openScripted(({ query }) => {
      const at = (name: string) => Number(query.find(([other]) => other === name)?.[1])
      const rows = Array.from({ length: at('limit') }, (_, row) => ({
        cm_artist_id: at('offset') + row + 2,
      }))
      return { body: { obj: { length: rows.length, data: rows } } }
    })
    let rows = 0
    let after: string | null = null
    let more = true
    for (let page = 0; more && page < 12; page++) {
      const { data, errors } = await run.query(
        `query ($after: String) { ${list('stat: RANK, min: 1, max: 2, first: 10000, after: $after', 'nodes { artist { cmId } } pageInfo { hasNextPage endCursor }').slice(2)}`,
        { after },
      )
      expect(errors).toEqual([])
      rows += data.artistsByStat.nodes.length
      after = data.artistsByStat.pageInfo.endCursor
      more = data.artistsByStat.pageInfo.hasNextPage
    }
    const asked = (name: string) =>
      run.upstream.requests.map(({ query }) => Number(query.find(([other]) => other === name)?.[1]))
    expect(more).toBe(false)
    expect(Math.max(...asked('offset'))).toBe(100_000)
    expect(new Set(asked('limit'))).toEqual(new Set([200]))
    expect(rows).toBe(100_200)
    await run.close()
  })

  test('73: a bound with a fraction is refused with its value', async () => {
    const { errors, sent } = await ask(list('stat: RANK, min: 1, max: 1.5'))
    expect(errors[0]?.message).toMatch(/whole number.* got 1\.5$/)
    expect(sent).toEqual([])
  })

  test.each([
    ['the sentence of no match', { length: -1, data: 'No artists found with given parameters.' }],
    ['the sentence with a text for a length', { length: '-1', data: 'Nothing was found' }],
    ['no match in other words', { length: -1, data: 'No artist found.' }],
    ['null for the rows', { length: null, data: null }],
    ['an object without members for the rows', { length: 0, data: {} }],
  ])('78: %s is an empty list', async (_, none) => {
    const { data, errors } = await ask(
      list('stat: RANK, min: 1, max: 1', 'nodes { rank } pageInfo { hasNextPage }'),
      obj(none),
    )
    expect([data.artistsByStat, errors]).toEqual([
      { nodes: [], pageInfo: { hasNextPage: false } },
      [],
    ])
  })

  test.each([
    ['an empty list', { length: 0, data: [] }],
    ['the sentence', { length: -1, data: 'No artists found with given parameters.' }],
  ])('78: %s behind the last row is an empty page, and the end', async (_, end) => {
    const run = await openScripted((seen) =>
      numberOf(seen, 'offset') === 0
        ? chartOf(...Array.from({ length: 200 }, (_, at) => ({ cm_artist_id: at + 2 })))()
        : obj(end)(),
    )
    const fields = 'nodes { artist { cmId } } totalCount pageInfo { hasNextPage endCursor }'
    const page = async (after: string) => {
      const paging = `first: 200${after && `, after: "${after}"`}`
      return (await run.query(list(`stat: RANK, min: 1, max: 9, ${paging}`, fields))).data
        .artistsByStat
    }
    const full = await page('')
    expect(full.nodes).toHaveLength(200)
    expect(full.pageInfo.hasNextPage).toBe(true)
    expect(await page(full.pageInfo.endCursor)).toEqual({
      nodes: [],
      totalCount: null,
      pageInfo: { hasNextPage: false, endCursor: null },
    })
    expect(run.upstream.requests.map((seen) => numberOf(seen, 'offset'))).toEqual([0, 200])
    await run.close()
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

  test.each([
    ['platL_likes', 'platLLikes'],
    ['platL_talks', 'platLTalks'],
    ['platM_followers', 'platMFollowers'],
    ['platM_retweets', 'platMRetweets'],
    ['platN_followers', 'platNFollowers'],
    ['platJ_channel_views', 'platJChannelViews'],
    ['platJ_subscribers', 'platJSubscribers'],
    ['platJ_daily_video_views', 'platJDailyVideoViews'],
    ['platJ_monthly_video_views', 'platJMonthlyVideoViews'],
    ['platO_views', 'platOViews'],
    ['platE_followers', 'platEFollowers'],
    ['platP_followers', 'platPFollowers'],
    ['platD_followers', 'platDFollowers'],
    ['platD_likes', 'platDLikes'],
  ])('80: %s may be null, and is a whole number where it is not', async (wire, field) => {
    const { data, errors } = await ask(
      list('stat: RANK, min: 1, max: 2', `nodes { ${field} }`),
      chartOf(
        { cm_artist_id: 5, [wire]: null },
        { cm_artist_id: 6, [wire]: 3_000_000_000 },
        { cm_artist_id: 7, [wire]: 0 },
      ),
    )
    expect(errors).toEqual([])
    expect(data.artistsByStat.nodes).toEqual([
      { [field]: null },
      { [field]: 3_000_000_000 },
      { [field]: 0 },
    ])
  })
})
