import { describe, expect, it } from 'vitest'
import { premium } from '../../src/upstream/endpoints/premium.ts'
import { request } from '../../src/upstream/request.ts'

/** The 15 premium endpoints of the specification, with 7, `b-1`, platA and current in their places. */
const PATHS = {
  artistPlatNAudienceStats: '/api/artist/7/platN-audience-stats',
  artistPlatNAudienceStatsDates: '/api/artist/7/platN-audience-stats/dates',
  artistSocialAudienceStats: '/api/artist/7/social-audience-stats',
  artistPlatDAudienceStats: '/api/artist/7/platD-audience-stats',
  artistPlatDInfluencerStats: '/api/artist/7/platD-influencer-stats',
  artistPlatDTopInfluencers: '/api/artist/7/platD-top-influencers',
  artistPlatDTopVideos: '/api/artist/7/platD-top-videos',
  artistWherePeopleListen: '/api/artist/7/where-people-listen',
  artistPlatJAudienceStats: '/api/artist/7/platJ-audience-stats',
  artistPlaylists: '/api/artist/7/platA/current/playlists',
  brandAudience: '/api/brand/v2/b-1/audience',
  trackPlatDInfluencerStats: '/api/track/7/platD-influencer-stats',
  trackPlatDTopInfluencers: '/api/track/7/platD-top-influencers',
  trackPlatDTopSounds: '/api/track/7/platD-top-sounds',
  trackTopVideos: '/api/track/7/topVideos',
} as const

const listen = (params: unknown) =>
  request(premium.artistWherePeopleListen, { cmId: 7, params }).wire.path.replace(
    '/api/artist/7/where-people-listen',
    '',
  )

describe('premium endpoints on the wire', () => {
  it('are the fifteen of the specification, 2 credits each', () => {
    expect(Object.keys(premium).sort()).toEqual(Object.keys(PATHS).sort())
    for (const [name, endpoint] of Object.entries(premium)) {
      const cmId = name === 'brandAudience' ? 'b-1' : 7
      const open = name === 'artistPlaylists' ? { platform: 'platA', status: 'current' } : {}
      const { wire } = request(endpoint, { cmId, ...open })
      expect(wire, name).toEqual({
        method: 'GET',
        path: PATHS[name as keyof typeof PATHS],
        credits: 2,
        endpoint: name,
        headers: {},
      })
    }
  })

  it('send flat parameters in one order, encoded, lists as repeated names', () => {
    expect(listen({ b: 'a b&c', a: 1, latest: true, c: ['y', 2, false], 'd.e-f_g': 0.5 })).toBe(
      '?a=1&b=a%20b%26c&c[]=2&c[]=false&c[]=y&d.e-f_g=0.5&latest=true',
    )
    expect(listen({ tiny: 1e-7, huge: 1e21 })).toBe('?huge=1000000000000000000000&tiny=0.0000001')
    expect(listen({ zero: 0, no: false, empty: '' })).toBe('?empty=&no=false&zero=0')
    for (const nothing of [{}, null, undefined, { list: [] }]) expect(listen(nothing)).toBe('')
  })

  it('are the same request however the parameters are ordered', () => {
    const key = (params: unknown) =>
      request(premium.artistWherePeopleListen, { cmId: 7, params }).key
    expect(key({ a: 1, b: 2 })).toBe(key({ b: 2, a: 1 }))
    expect(key({ a: 1 })).not.toBe(key({ a: 2 }))
    expect(key({ a: '1&b=2' })).not.toBe(key({ a: '1', b: '2' }))
  })

  it.each<[string, unknown]>([
    ['a list', ['a']],
    ['a text', 'a=1'],
    ['a number', 3],
    ['a nested object', { a: { b: 1 } }],
    ['a nested list', { a: [['b']] }],
    ['null in a member', { a: null }],
    ['null in a list', { a: [null] }],
    ['a number that is none', { a: Number.NaN }],
    ['half a character', { a: '\ud800' }],
    ['21 members', Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`m${i}`, i]))],
    ['a name with a bracket', { 'a[]': 1 }],
    ['a name with an ampersand', { 'a&b': 1 }],
    ['an empty name', { '': 1 }],
    ['a name of 65 letters', { ['a'.repeat(65)]: 1 }],
  ])('refuse %s', (_what, params) => {
    expect(() => listen(params)).toThrow(/^params must be a flat object of at most 20 members/)
  })

  it('hold ids and words to what stays in its place in a path', () => {
    const playlists = (args: object) =>
      request(premium.artistPlaylists, { cmId: 7, platform: 'platA', status: 'past', ...args })
    for (const word of ['', '..', 'a/b', 'a b', 'a?b', 'x'.repeat(33)]) {
      expect(() => playlists({ platform: word }), word).toThrow(/^platform must be/)
      expect(() => playlists({ status: word }), word).toThrow(/^status must be/)
    }
    expect(() => playlists({ cmId: 1 })).toThrow(/^cmId .* from 2/)
    expect(() => request(premium.brandAudience, { cmId: 'x'.repeat(65) })).toThrow(/^cmId must be/)
    expect(request(premium.trackTopVideos, { cmId: 0 }).wire.path).toBe('/api/track/0/topVideos')
  })
})

describe('a premium payload', () => {
  const opened = (obj: unknown) =>
    premium.artistWherePeopleListen.open({ obj }, { note: () => expect.fail('drift') })

  it('is given as it came, whatever its shape', () => {
    for (const obj of [{ cities: [], total: null }, [1, { a: [] }], 'text', 0, false, null])
      expect(opened(obj)).toEqual(obj)
  })
})
