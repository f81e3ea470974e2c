import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.close()))
})
const echo = ({ path, query }: Seen): Scripted => ({ body: { obj: { path, query } } })
const run = async (script: (seen: Seen) => Scripted = echo) => {
  const started = await openScripted(script)
  open.push(started)
  return started
}

describe('premium answers', () => {
  it('of an artist are ten, and each that is asked for costs two credits', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      `{ artist(cmId: 7) { premium {
          platNAudienceStats platNAudienceStatsDates socialAudienceStats platDAudienceStats platDInfluencerStats
          platDTopInfluencers platDTopVideos wherePeopleListen platJAudienceStats
          playlists(platform: "platA", status: "current")
      } } }`,
    )
    expect(errors).toEqual([])
    const paths = Object.fromEntries(
      Object.entries(data.artist.premium as Record<string, { path: string }>).map(
        ([name, { path }]) => [name, path],
      ),
    )
    expect(paths).toEqual({
      platNAudienceStats: '/api/artist/7/platN-audience-stats',
      platNAudienceStatsDates: '/api/artist/7/platN-audience-stats/dates',
      socialAudienceStats: '/api/artist/7/social-audience-stats',
      platDAudienceStats: '/api/artist/7/platD-audience-stats',
      platDInfluencerStats: '/api/artist/7/platD-influencer-stats',
      platDTopInfluencers: '/api/artist/7/platD-top-influencers',
      platDTopVideos: '/api/artist/7/platD-top-videos',
      wherePeopleListen: '/api/artist/7/where-people-listen',
      platJAudienceStats: '/api/artist/7/platJ-audience-stats',
      playlists: '/api/artist/7/platA/current/playlists',
    })
    expect(upstream.requests).toHaveLength(10)
    expect(credits.spent).toBe(20)
  })

  it('of a track are four, of a brand one', async () => {
    const { query, upstream } = await run()
    const { data, credits } = await query(
      `{ track(cmId: 0) { premium { platDInfluencerStats platDTopInfluencers platDTopSounds topVideos } }
         brand(cmId: "b-1") { id cmId audience } }`,
    )
    expect(data.brand).toMatchObject({ id: 'Brand:b-1', cmId: 'b-1' })
    expect(upstream.requests.map(({ path }) => path).sort()).toEqual([
      '/api/brand/v2/b-1/audience',
      '/api/track/0/platD-influencer-stats',
      '/api/track/0/platD-top-influencers',
      '/api/track/0/platD-top-sounds',
      '/api/track/0/topVideos',
    ])
    expect(credits.spent).toBe(10)
  })

  it('are not asked for unless selected', async () => {
    const { query, upstream } = await run()
    const { data, credits } = await query(
      '{ artist(cmId: 7) { cmId premium { __typename } } brand(cmId: "b-1") { id } node(id: "Brand:x") { id } }',
    )
    expect(data).toEqual({
      artist: { cmId: 7, premium: { __typename: 'ArtistPremium' } },
      brand: { id: 'Brand:b-1' },
      node: { id: 'Brand:x' },
    })
    expect(upstream.requests).toEqual([])
    expect(credits.spent).toBe(0)
  })

  it('take flat parameters, from the document or from variables', async () => {
    const { query, upstream } = await run()
    const text = `query ($p: JSON) { artist(cmId: 7) { premium {
      a: wherePeopleListen(params: { latest: true, tags: ["x", 2], q: "a b&c" })
      b: wherePeopleListen(params: $p)
      c: wherePeopleListen(params: {})
    } } }`
    const params = { q: 'a b&c', tags: ['x', 2], latest: true }
    const { data, errors, credits } = await query(text, { p: params })
    expect(errors).toEqual([])
    const pairs = [
      ['latest', 'true'],
      ['q', 'a b&c'],
      ['tags[]', '2'],
      ['tags[]', 'x'],
    ]
    expect(data.artist.premium.a.query).toEqual(pairs)
    expect(data.artist.premium.b.query).toEqual(pairs)
    expect(data.artist.premium.c.query).toEqual([])
    expect(upstream.requests).toHaveLength(2)
    expect(credits).toMatchObject({ spent: 4, savedBy: { merged: 2 } })
  })

  it.each([
    ['{ a: { b: 1 } }'],
    ['{ a: null }'],
    ['[1]'],
    ['"a=1"'],
    ['{ a: [[1]] }'],
    [`{ ${Array.from({ length: 21 }, (_, i) => `m${i}: 1`).join(' ')} }`],
  ])('with params %s are refused before anything is sent', async (params) => {
    const { query, upstream } = await run()
    const { data, errors } = await query(
      `{ artist(cmId: 7) { premium { wherePeopleListen(params: ${params}) __typename } } }`,
    )
    expect(data.artist.premium).toEqual({
      wherePeopleListen: null,
      __typename: 'ArtistPremium',
    })
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'params' })
    expect(upstream.requests).toEqual([])
  })

  it('are given as they came, null as null', async () => {
    for (const obj of [null, [], { cities: [], countries: null }, 'text', 7]) {
      const { query } = await run(() => ({ body: { obj } }))
      const { data, errors } = await query('{ brand(cmId: "b") { audience } }')
      expect(errors).toEqual([])
      expect(data.brand.audience).toEqual(obj)
    }
  })

  it('that the plan does not give are asked for once, and the rest is served', async () => {
    const { query, upstream, gateway } = await run(({ path }) =>
      path.endsWith('/where-people-listen')
        ? { status: 403, body: { error: 'no' } }
        : { body: { obj: { fine: true } } },
    )
    const text = (id: number) =>
      `{ artist(cmId: ${id}) { premium { wherePeopleListen platDTopVideos } } }`
    const first = await query(text(7))
    expect(first.data.artist.premium).toEqual({
      wherePeopleListen: null,
      platDTopVideos: { fine: true },
    })
    expect(first.errors).toMatchObject([
      {
        path: ['artist', 'premium', 'wherePeopleListen'],
        extensions: { code: 'UPSTREAM_FORBIDDEN' },
      },
    ])
    const second = await query(text(8))
    expect(second.errors[0]?.extensions.code).toBe('UPSTREAM_FORBIDDEN')
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      '/api/artist/7/where-people-listen',
      '/api/artist/7/platD-top-videos',
      '/api/artist/8/platD-top-videos',
    ])
    expect(gateway.upstream.book.spent).toBe(6)
  })

  it.each(['', '..', 'a/b', 'a b', 'x'.repeat(65)])('of brand %j are refused', async (id) => {
    const { query, upstream } = await run()
    const { data, errors } = await query('query ($id: ID!) { brand(cmId: $id) { audience } }', {
      id,
    })
    expect(data).toEqual({ brand: null })
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'cmId' })
    expect(upstream.requests).toEqual([])
  })
})
