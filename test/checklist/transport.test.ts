import { describe, expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'
import { ask, giving, obj } from './ask.ts'

const ARTIST = '{ artist(cmId: 5) { name } }'
const NAMED = obj({ id: 5, name: 'Ada' })

describe('A. transport and envelopes', () => {
  test('1: every path is appended to the one base address, a prefix in it included', async () => {
    const upstream = await openScript(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
    const { gateway, query } = openGateway(`${upstream.url}/v`)
    await query(ARTIST)
    expect([...upstream.tokens, ...upstream.requests].map(({ path }) => path)).toEqual([
      '/v/api/token',
      '/v/api/artist/5',
    ])
    await gateway.close()
    await upstream.close()
  })

  test('2: a 200 that is not JSON is an upstream error, never data', async () => {
    const { data, codes } = await ask(ARTIST, () => ({
      text: '<html>fine</html>',
      headers: { 'content-type': 'text/html' },
    }))
    expect(data).toEqual({ artist: null })
    expect(codes).toEqual(['UPSTREAM_BAD_RESPONSE'])
  })

  test('3: a 200 without `obj` is an upstream error, not an empty result', async () => {
    const { codes } = await ask(
      '{ festivals { nodes { name } } }',
      giving({ error: 'Something went wrong' }),
    )
    expect(codes).toEqual(['UPSTREAM_BAD_RESPONSE'])
  })

  test('4, 5: charts and the stat list are read from obj.data; a length of null is no count', async () => {
    const chart = await ask(
      '{ charts { platU { nodes { rank } totalCount } } }',
      obj({ length: null, data: [{ id: 1, rank: 1 }] }),
    )
    expect(chart.data.charts.platU).toEqual({ nodes: [{ rank: 1 }], totalCount: 1 })
    const stats = await ask(
      '{ artistsByStat(stat: RANK, min: 1, max: 9) { nodes { rank } totalCount } }',
      obj({ length: null, data: [{ cm_artist_id: 7, cpp_rank: 3 }] }),
    )
    expect(stats.data.artistsByStat).toEqual({ nodes: [{ rank: 3 }], totalCount: null })
  })

  test('6: venues are read from obj.data and obj.total', async () => {
    const { data } = await ask(
      '{ venues { nodes { venue { name } } totalCount } }',
      obj({ data: [{ id: 1, name: 'Hall' }], total: 1 }),
    )
    expect(data.venues).toEqual({ nodes: [{ venue: { name: 'Hall' } }], totalCount: 1 })
  })

  test('7, 123: playlists and the track filter are read from the array obj and its siblings', async () => {
    const playlists = await ask(
      '{ playlists(platform: PLAT_B) { nodes { name } totalCount } }',
      giving({ obj: [{ id: 1, name: 'Morning' }], offset: 0, total: 1 }),
    )
    expect(playlists.data.playlists).toEqual({ nodes: [{ name: 'Morning' }], totalCount: 1 })
    const tracks = await ask(
      '{ tracksByStat { nodes { track { name } } totalCount } }',
      giving({ obj: [{ cm_track: 1, name: 'Tide' }], offset: 0, total: 1 }),
    )
    expect(tracks.data.tracksByStat).toEqual({
      nodes: [{ track: { name: 'Tide' } }],
      totalCount: 1,
    })
  })

  test('8: festivals, radio stations, live events and stream estimates are read from the array obj', async () => {
    expect(
      (await ask('{ festivals { nodes { name } } }', obj([{ id: 1, name: 'Salt' }]))).data.festivals
        .nodes,
    ).toEqual([{ name: 'Salt' }])
    expect(
      (await ask('{ radioStations { nodes { name } } }', obj([{ id: 1, name: 'FM' }]))).data
        .radioStations.nodes,
    ).toEqual([{ name: 'FM' }])
    const events = await ask(
      '{ artist(cmId: 5) { events(status: PAST, fromDaysAgo: 9, toDaysAgo: 0) { nodes { name } } } }',
      obj([{ id: 1, event_name: 'Night' }]),
    )
    expect(events.data.artist.events.nodes).toEqual([{ name: 'Night' }])
    const estimates = await ask(
      '{ streamEstimates(trackCmIds: [5]) { status } }',
      obj([{ cm_track: 5, status: 'available', estimates: [] }]),
    )
    expect(estimates.data.streamEstimates).toEqual([{ status: 'AVAILABLE' }])
  })

  test('9: artist, track, album, search and venue events are read from the object obj', async () => {
    expect((await ask(ARTIST, NAMED)).data.artist.name).toBe('Ada')
    expect((await ask('{ track(cmId: 5) { name } }', NAMED)).data.track.name).toBe('Ada')
    expect((await ask('{ album(cmId: 5) { name } }', NAMED)).data.album.name).toBe('Ada')
    expect(
      (
        await ask(
          '{ search(query: "a") { artists { nodes { name } } } }',
          obj({ artists: [{ id: 5, name: 'Ada' }] }),
        )
      ).data.search.artists.nodes,
    ).toEqual([{ name: 'Ada' }])
    expect(
      (
        await ask(
          '{ venue(cmId: "9") { name } }',
          obj({ venueInfo: [{ doc_id: 9, name: 'Hall' }], events: [] }),
        )
      ).data.venue.name,
    ).toBe('Hall')
  })

  test('10: platform words stand unchanged in paths and values', async () => {
    const { sent } = await ask(
      '{ playlists(platform: PLAT_C) { nodes { name } } suggestions(query: "a", platforms: [PLAT_K]) { nodes { target } } charts { platDTracks { nodes { rank } } } }',
    )
    expect(sent.map(({ path }) => path).sort()).toEqual([
      '/api/charts/platD/tracks',
      '/api/playlist/platC/lists',
      '/api/search',
    ])
    expect(sent.flatMap(({ pairs }) => pairs)).toContain('platforms[]=platK')
  })

  test('11: only GET is used, except POST for the token and the stream estimates', async () => {
    const { sent, tokens } = await ask(
      '{ artist(cmId: 5) { name } streamEstimates(trackCmIds: [5]) { status } charts { platU { nodes { rank } } } }',
    )
    expect(tokens.map(({ method }) => method)).toEqual(['POST'])
    expect(sent.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /api/artist/5',
      'GET /api/charts/platU',
      'POST /api/track/playlist-stream-estimates',
    ])
  })

  test('12: no path carries a version, but that of a brand', async () => {
    const { sent } = await ask(
      '{ brand(cmId: "7") { audience } artist(cmId: 5) { name premium { platDTopVideos } } }',
    )
    expect(sent.map(({ path }) => path).filter((path) => /\/v\d/.test(path))).toEqual([
      '/api/brand/v2/7/audience',
    ])
  })
})
