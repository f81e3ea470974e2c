import { describe, expect, test } from 'vitest'
import { ask, giving, obj, PREMIUM, refusal } from './ask.ts'

describe('O. premium endpoints, in detail', () => {
  test('197: the platform and the status of the playlists are a part of the path, and stay one', async () => {
    const text = (platform: string, status: string) =>
      `{ artist(cmId: 7) { premium { playlists(platform: "${platform}", status: "${status}") } } }`
    const { sent, credits } = await ask(text('platJ', 'past'), obj([]))
    expect([sent[0]?.path, credits.spent]).toEqual(['/api/artist/7/platJ/past/playlists', 2])
    for (const [platform, status] of [
      ['..', 'past'],
      ['platA/..', 'past'],
      ['platA', 'past?x=1'],
      ['', 'past'],
      ['platA', 'x'.repeat(33)],
    ] as const) {
      const refused = await ask(text(platform, status))
      expect([refused.sent, refused.codes], `${platform} ${status}`).toEqual([
        [],
        ['BAD_USER_INPUT'],
      ])
    }
  })

  test('198: an answer of any shape comes through as it is', async () => {
    for (const shape of [
      null,
      [],
      [[1, null]],
      {},
      { a: { b: [false, 0, ''] } },
      'text',
      0,
      false,
    ]) {
      const { data, errors } = await ask(
        '{ track(cmId: 6) { premium { topVideos } } }',
        giving({ obj: shape }),
      )
      expect([data.track.premium.topVideos, errors]).toEqual([shape, []])
    }
  })

  test('199: the first and the last id of each kind are sent, those beyond are not', async () => {
    const artist = (id: string) => `{ artist(cmId: ${id}) { premium { platDTopVideos } } }`
    const track = (id: string) => `{ track(cmId: ${id}) { premium { topVideos } } }`
    for (const [text, path] of [
      [artist('2'), '/api/artist/2/platD-top-videos'],
      [artist('2147483647'), '/api/artist/2147483647/platD-top-videos'],
      [track('0'), '/api/track/0/topVideos'],
      [track('2147483647'), '/api/track/2147483647/topVideos'],
    ] as const)
      expect((await ask(text, obj({}))).sent.map((seen) => seen.path)).toEqual([path])
    for (const text of [
      artist('0'),
      artist('1'),
      artist('-2'),
      artist('2147483648'),
      track('-1'),
      track('2147483648'),
    ]) {
      const { sent, errors } = await ask(text)
      expect([sent, errors.length], text).toEqual([[], 1])
    }
  })

  test('200: a premium field that is skipped is not paid, one that is asked for costs two', async () => {
    const text = `query ($deep: Boolean!) { artist(cmId: 7) {
      name premium { wherePeopleListen @include(if: $deep) } } }`
    const reply = obj({ id: 7, name: 'Ada' })
    const shallow = await ask(text, reply, { deep: false })
    expect([shallow.sent.map(({ path }) => path), shallow.credits.spent]).toEqual([
      ['/api/artist/7'],
      1,
    ])
    const deep = await ask(text, reply, { deep: true })
    expect([deep.sent.map(({ path }) => path).sort(), deep.credits.spent]).toEqual([
      ['/api/artist/7', '/api/artist/7/where-people-listen'],
      3,
    ])
  })
})

describe('O. premium endpoints', () => {
  test('197, 198, 200: all fifteen are reachable, passed on as they came, and asked for only when selected', async () => {
    const { sent, data, credits } = await ask(
      `{ artist(cmId: 5) { premium { ${PREMIUM.artist.join(' ')} } } track(cmId: 6) { premium { ${PREMIUM.track.join(' ')} } } brand(cmId: "7") { audience } }`,
      obj({ any: [null, 'shape'] }),
    )
    expect(sent.map(({ path }) => path).sort()).toEqual([
      '/api/artist/5/platA/current/playlists',
      '/api/artist/5/platD-audience-stats',
      '/api/artist/5/platD-influencer-stats',
      '/api/artist/5/platD-top-influencers',
      '/api/artist/5/platD-top-videos',
      '/api/artist/5/platJ-audience-stats',
      '/api/artist/5/platN-audience-stats',
      '/api/artist/5/platN-audience-stats/dates',
      '/api/artist/5/social-audience-stats',
      '/api/artist/5/where-people-listen',
      '/api/brand/v2/7/audience',
      '/api/track/6/platD-influencer-stats',
      '/api/track/6/platD-top-influencers',
      '/api/track/6/platD-top-sounds',
      '/api/track/6/topVideos',
    ])
    expect(credits.spent).toBe(30)
    expect(data.brand.audience).toEqual({ any: [null, 'shape'] })
    expect((await ask('{ artist(cmId: 5) { premium { __typename } } }')).sent).toHaveLength(0)
  })

  test('199: their ids have the bounds of artists and tracks', async () => {
    await refusal('{ artist(cmId: 1) { premium { platDTopVideos } } }')
    await refusal('{ track(cmId: -1) { premium { topVideos } } }')
    expect((await ask('{ track(cmId: 0) { premium { topVideos } } }')).sent[0]?.path).toBe(
      '/api/track/0/topVideos',
    )
  })
})
