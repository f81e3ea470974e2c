import { describe, expect, test } from 'vitest'
import { ask, obj, refusal } from './ask.ts'

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

  test('91: every counter and rank that is shown comes through under its name', async () => {
    const { data, errors } = await ask(
      `{ artist(cmId: 5) { statistics {
        countryRank { countryCode country rank percentile }
        platAFollowers platAFollowersRank platAPopularity platAPopularityRank
        platAMonthlyListeners platAMonthlyListenersRank
        platAWherePeopleListen { countryCode listeners name }
        rank fanBaseRank engagementRank platGCount platWPageViews } } }`,
      obj({
        id: 5,
        cm_statistics: {
          countryRank: { code2: 'GB', country: 'United Kingdom', rank: 12, percentile: 96.2 },
          sp_followers: 1,
          sp_followers_rank: 2,
          sp_popularity: 3,
          sp_popularity_rank: 4,
          sp_monthly_listeners: 5_000_000_000,
          sp_monthly_listeners_rank: 6,
          sp_where_people_listen: [{ code2: 'GB', listeners: 20411, name: 'Westharbour' }],
          cm_artist_rank: 7,
          fan_base_rank: 8,
          engagement_rank: 9,
          platG_count: 10,
          platW_pageviews: 11,
        },
      }),
    )
    expect(errors).toEqual([])
    expect(data.artist.statistics).toEqual({
      countryRank: { countryCode: 'GB', country: 'United Kingdom', rank: 12, percentile: 96.2 },
      platAFollowers: 1,
      platAFollowersRank: 2,
      platAPopularity: 3,
      platAPopularityRank: 4,
      platAMonthlyListeners: 5_000_000_000,
      platAMonthlyListenersRank: 6,
      platAWherePeopleListen: [{ countryCode: 'GB', listeners: 20411, name: 'Westharbour' }],
      rank: 7,
      fanBaseRank: 8,
      engagementRank: 9,
      platGCount: 10,
      platWPageViews: 11,
    })
  })

  test.each([
    ['null', null, []],
    [
      'an object keyed by city',
      { Westharbour: { code2: 'gb', listeners: '20411' } },
      ['GB', 20411],
    ],
    ['numbers keyed by city', { Westharbour: 20411 }, [null, 20411]],
    ['rows that say city', [{ city: 'Westharbour', code2: 'gb', listeners: 7 }, null], ['GB', 7]],
  ])('91: where people listen, as %s', async (_, wire, [countryCode, listeners]) => {
    const { data, errors } = await ask(
      '{ artist(cmId: 5) { statistics { platAWherePeopleListen { name countryCode listeners } } } }',
      obj({ id: 5, cm_statistics: { sp_where_people_listen: wire } }),
    )
    expect(errors).toEqual([])
    expect(data.artist.statistics.platAWherePeopleListen).toEqual(
      wire === null ? [] : [{ name: 'Westharbour', countryCode, listeners }],
    )
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
