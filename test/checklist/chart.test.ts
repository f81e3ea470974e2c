import { describe, expect, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted } from '../support/script.ts'
import { ask, chartOf, nothingSent, numberOf, obj, pairsOf, refusal } from './ask.ts'

const chart = (field: string, fields = 'nodes { rank }') => `{ charts { ${field} { ${fields} } } }`

describe('K. charts, in detail', () => {
  test('137: each interval goes out as the service spells it', async () => {
    for (const interval of ['daily', 'weekly', 'monthly', 'semi-yearly', 'yearly']) {
      const word = interval.toUpperCase().replace('-', '_')
      expect(await pairsOf(chart(`platDTracks(date: "2025-01-01", interval: ${word})`))).toContain(
        `interval=${interval}`,
      )
    }
    await nothingSent(chart('platDTracks(interval: HOURLY)'))
  })

  test('137: the chart of platD is read to row 10000 and not beyond', async () => {
    const { data, errors, sent } = await ask(
      chart('platDTracks(first: 10000)', 'nodes { rank } pageInfo { hasNextPage truncated }'),
      (seen): Scripted =>
        chartOf(
          ...Array.from({ length: numberOf(seen, 'limit') }, (_, at) => ({
            id: 1 + numberOf(seen, 'offset') + at,
            rank: 1 + numberOf(seen, 'offset') + at,
          })),
        )(),
    )
    expect(errors).toEqual([])
    expect(sent).toHaveLength(100)
    for (const seen of sent) {
      expect(numberOf(seen, 'limit')).toBeLessThanOrEqual(100)
      expect(numberOf(seen, 'offset')).toBeLessThanOrEqual(9900)
    }
    expect(data.charts.platDTracks.nodes.at(-1)).toEqual({ rank: 10_000 })
    expect(data.charts.platDTracks.pageInfo).toEqual({ hasNextPage: false, truncated: true })
  })

  test('137: offset 9900 is the last that is asked for, whatever comes with a page', async () => {
    for (const [rows, last] of [
      [100, 9900],
      [99, 9900],
      [70, 9870],
    ] as const) {
      const run = await openScripted((seen) =>
        chartOf(
          ...Array.from({ length: rows }, (_, at) => ({ rank: numberOf(seen, 'offset') + at })),
        )(),
      )
      const page = async (after: string) => {
        const paging = `first: 2000${after && `, after: "${after}"`}`
        const fields = 'nodes { rank } pageInfo { endCursor hasNextPage truncated }'
        const { data, errors } = await run.query(chart(`platDTracks(${paging})`, fields))
        expect(errors).toEqual([])
        return data.charts.platDTracks
      }
      let [ranks, end, more] = [[] as number[], '', true]
      while (more) {
        const { nodes, pageInfo } = await page(end)
        ranks = [...ranks, ...nodes.map(({ rank }: { rank: number }) => rank)]
        ;[end, more] = [pageInfo.endCursor, pageInfo.hasNextPage]
      }
      expect(ranks).toEqual(Array.from({ length: Math.min(last + rows, 10_000) }, (_, at) => at))
      const sent = run.upstream.requests.length
      expect(await page(end)).toEqual({
        nodes: [],
        pageInfo: { endCursor: null, hasNextPage: false, truncated: true },
      })
      expect(run.upstream.requests).toHaveLength(sent)
      const offsets = run.upstream.requests.map((seen) => numberOf(seen, 'offset'))
      expect(Math.max(...offsets)).toBe(last)
      await run.close()
    }
  })

  test('138: without a country neither of the two is sent as if there were one', async () => {
    const pairs = await pairsOf(chart('platDTracks(date: "2025-01-01")'))
    expect(pairs.filter((pair) => /^(code2=|countryChart=true)/.test(pair))).toEqual([])
  })

  test('139: platU takes a day, or the latest, never both', async () => {
    expect(await pairsOf(chart('platU(date: "2025-01-02", first: 3)'))).toEqual(['date=2025-01-02'])
  })

  test('140: platA artists by each interval and each type', async () => {
    for (const interval of ['daily', 'weekly', 'monthly'])
      for (const type of [
        'monthly_listeners',
        'popularity',
        'followers',
        'playlist_count',
        'playlist_reach',
      ])
        expect(
          await pairsOf(
            chart(`platAArtists(interval: ${interval.toUpperCase()}, type: ${type.toUpperCase()})`),
          ),
        ).toEqual([`interval=${interval}`, 'latest=true', 'offset=0', `type=${type}`])
    await nothingSent(chart('platAArtists(type: FOLLOWERS)'))
    await nothingSent(chart('platAArtists(interval: YEARLY, type: FOLLOWERS)'))
  })

  test('141, 142: what is required is required', async () => {
    await nothingSent(chart('platB'))
    await nothingSent(chart('platB(countryCode: "U")'))
    await nothingSent(chart('platF'))
  })

  test('144, 147: platE needs all three, and has two kinds and two types', async () => {
    await nothingSent(chart('platE(kind: TOP, genre: "latin")'))
    await nothingSent(chart('platE(countryCode: "US", genre: "latin")'))
    await nothingSent(chart('platE(countryCode: "US", kind: TOP)'))
    await nothingSent(chart('platE(countryCode: "GLOBALS", kind: TOP, genre: "latin")'))
    await nothingSent(chart('platE(countryCode: "US", kind: NEW, genre: "latin")'))
    expect(
      await pairsOf(
        chart('platE(countryCode: "US", kind: TRENDING, genre: "latin", chartType: TRACK)'),
      ),
    ).toEqual(expect.arrayContaining(['kind=trending', 'chart_type=track']))
  })

  test('146: peaks that a fragment asks for are asked for, and read', async () => {
    const { data, sent, errors } = await ask(
      `${chart('platE(countryCode: "US", kind: TOP, genre: "latin")', 'nodes { ...Peak }')}
        fragment Peak on PlatEChartEntry { peakRank peakDate }`,
      chartOf({ id: 1, peak_rank: 2, peak_date: '2025-03-04T07:00:00.000Z' }),
    )
    expect(errors).toEqual([])
    expect(sent.map(({ pairs }) => pairs.includes('raw=false'))).toEqual([true])
    expect(data.charts.platE.nodes).toEqual([{ peakRank: 2, peakDate: '2025-03-04' }])
  })

  test('149, 151: a country that is none is refused, GLOBAL is one, for cities as for the chart', async () => {
    for (const country of ['USA', 'U', 'GLOBAL2', '']) {
      await nothingSent(chart(`platG(countryCode: "${country}")`))
      await nothingSent(`{ charts { platGCities(countryCode: "${country}") } }`)
    }
    expect(await pairsOf(chart('platG(countryCode: "global")'))).toContain('country_code=GLOBAL')
  })

  test('150, 152: a city and a genre that are left out are not sent', async () => {
    expect(await pairsOf(chart('platG(countryCode: "US")'))).toEqual([
      'country_code=US',
      'latest=true',
      'offset=0',
    ])
  })

  test('155: an unmatched row is not looked up, however much of its track is asked', async () => {
    const { data, credits, sent } = await ask(
      chart('platU', 'nodes { rank track { durationMs } artists { careerStatus { stage } } }'),
      chartOf(
        { id: 1, rank: 1, cm_track: null, cm_artist: [] },
        { id: 2, rank: 2, cm_track: null, cm_artist: null },
      ),
    )
    expect(data.charts.platU.nodes).toEqual([
      { rank: 1, track: null, artists: [] },
      { rank: 2, track: null, artists: [] },
    ])
    expect([sent.length, credits.spent]).toEqual([1, 1])
  })

  test('160: more of an artist of platA is asked for by the id of the row', async () => {
    const { data, sent } = await ask(
      chart(
        'platAArtists(interval: DAILY, type: FOLLOWERS)',
        'nodes { artist { cmId careerStatus { stage } } }',
      ),
      ({ path }): Scripted =>
        path === '/api/artist/3301'
          ? { body: { obj: { id: 3301, career_status: { stage: 'mid' } } } }
          : chartOf({ id: 3301, name: 'Ada' })(),
    )
    expect(sent.map(({ path }) => path)).toEqual(['/api/charts/platA/artists', '/api/artist/3301'])
    expect(data.charts.platAArtists.nodes).toEqual([
      { artist: { cmId: 3301, careerStatus: { stage: 'mid' } } },
    ])
  })

  test('162: pages of different lengths follow each other until an empty one, each row once', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => ({ id: at, rank: at + 1 }))
    const run = await openScripted((seen): Scripted => {
      const offset = numberOf(seen, 'offset')
      return chartOf(...rows.slice(offset, offset + (offset === 0 ? 3 : 5)))()
    })
    const ranks: number[] = []
    for (let after = ''; ; ) {
      const { data, errors } = await run.query(
        chart(
          `platF(genre: "techno"${after})`,
          'nodes { rank } pageInfo { hasNextPage endCursor }',
        ),
      )
      expect(errors).toEqual([])
      const { nodes, pageInfo } = data.charts.platF
      ranks.push(...nodes.map(({ rank }: { rank: number }) => rank))
      if (!pageInfo.hasNextPage) break
      after = `, after: "${pageInfo.endCursor}"`
    }
    expect(ranks).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(run.upstream.requests.map((seen) => numberOf(seen, 'offset'))).toEqual([0, 3, 8])
    await run.close()
  })
})

describe('K. charts', () => {
  test('137, 138: platD has its intervals, its bounds, and a chart by country', async () => {
    expect(await pairsOf(chart('platDTracks(interval: SEMI_YEARLY, date: "2025-01-01")'))).toEqual([
      'date=2025-01-01',
      'interval=semi-yearly',
      'limit=100',
      'offset=0',
    ])
    expect(await pairsOf(chart('platDTracks(countryCode: "GB")'))).toEqual(
      expect.arrayContaining(['code2=GB', 'countryChart=true']),
    )
    expect(await pairsOf(chart('platDTracks'))).toEqual(['latest=true', 'limit=100', 'offset=0'])
  })

  test('139: platU takes the day, and nothing else', async () => {
    expect(await pairsOf(chart('platU(first: 7)'))).toEqual(['latest=true'])
  })

  test('140: platA artists need interval and type, and take no limit', async () => {
    expect(
      await pairsOf(chart('platAArtists(interval: WEEKLY, type: PLAYLIST_REACH, first: 5)')),
    ).toEqual(['interval=weekly', 'latest=true', 'offset=0', 'type=playlist_reach'])
    expect((await ask(chart('platAArtists(interval: WEEKLY)'))).sent).toHaveLength(0)
  })

  test('141: platB needs a country of two letters, and takes no paging', async () => {
    expect(await pairsOf(chart('platB(countryCode: "US", first: 5)'))).toEqual([
      'country_code=US',
      'latest=true',
    ])
    await refusal(chart('platB(countryCode: "GLOBAL")'))
  })

  test('142, 143: platF genres arrive intact; their list is passed on as it came', async () => {
    expect(await pairsOf(chart('platF(genre: "drum & bass / jungle")'))).toEqual([
      'genre=drum & bass / jungle',
      'latest=true',
      'offset=0',
    ])
    const { data, sent } = await ask('{ charts { platFGenres } }', obj({ any: ['shape'] }))
    expect([data.charts.platFGenres, sent[0]?.path]).toEqual([
      { any: ['shape'] },
      '/api/charts/genres/platF',
    ])
  })

  test('144, 145, 146, 147: platE needs country, kind and genre in lower case, and has its peaks', async () => {
    const args = 'countryCode: "GLOBAL", kind: TOP, genre: "Latin"'
    expect(await pairsOf(chart(`platE(${args})`))).toEqual([
      'chart_type=track',
      'country_code=GLOBAL',
      'genre=latin',
      'kind=top',
      'latest=true',
      'offset=0',
      'raw=false',
    ])
    expect(
      await pairsOf(chart(`platE(${args}, chartType: TRENDING)`, 'nodes { peakRank }')),
    ).toEqual(expect.arrayContaining(['chart_type=trending', 'raw=false']))
    await refusal(chart('platE(countryCode: "G", kind: TOP, genre: "latin")'))
    const { data, errors } = await ask(
      chart(`platE(${args})`, 'edges { node { peakRank peakDate } }'),
      chartOf({ id: 1 }),
    )
    expect([data.charts.platE.edges, errors]).toEqual([
      [{ node: { peakRank: null, peakDate: null } }],
      [],
    ])
  })

  test('148: the user of platE is passed through as it came', async () => {
    const user = {
      id: 7,
      username: 'ada',
      city: null,
      badges: { pro_unlimited: false, verified: true },
      creator_subscriptions: [{ product: { id: 'free' } }],
    }
    const { data } = await ask(
      chart('platE(countryCode: "US", kind: TOP, genre: "latin")', 'nodes { platEUser }'),
      chartOf({ id: 1, platE_user: user }),
    )
    expect(data.charts.platE.nodes).toEqual([{ platEUser: user }])
  })

  test('149, 150, 151, 152: platG countries are upper case; city and genre are passed on; cities as they came', async () => {
    expect(
      await pairsOf(
        chart('platG(countryCode: "us", city: "Westharbour", genre: "film-tv-and-stage")'),
      ),
    ).toEqual([
      'city=Westharbour',
      'country_code=US',
      'genre=film-tv-and-stage',
      'latest=true',
      'offset=0',
    ])
    const { data, errors } = await ask(
      chart('platG(countryCode: "GLOBAL", city: "Nowhere")'),
      chartOf(),
    )
    expect([data.charts.platG.nodes, errors]).toEqual([[], []])
    const cities = await ask('{ charts { platGCities(countryCode: "US") } }', obj(['a', { b: 1 }]))
    expect([cities.data.charts.platGCities, cities.sent[0]?.path]).toEqual([
      ['a', { b: 1 }],
      '/api/charts/platG/US/cities',
    ])
  })

  test('153: open enumerations take values that are merely not shown', async () => {
    expect(
      await pairsOf(chart('platE(countryCode: "BR", kind: TRENDING, genre: "forró")')),
    ).toEqual(expect.arrayContaining(['country_code=BR', 'genre=forró']))
    expect(await pairsOf(chart('platG(countryCode: "JP", genre: "j-pop")'))).toContain(
      'genre=j-pop',
    )
  })
})
