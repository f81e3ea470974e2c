import { describe, expect, test } from 'vitest'
import { ask, obj, refusal } from './ask.ts'

describe('H. track and album metadata', () => {
  test('95: track and album ids begin at 0, which is not missing', async () => {
    const { sent } = await ask('{ track(cmId: 0) { name } album(cmId: 0) { name } }')
    expect(sent.map(({ path }) => path).sort()).toEqual(['/api/album/0', '/api/track/0'])
    for (const field of ['track', 'album'])
      expect((await refusal(`{ ${field}(cmId: -1) { name } }`))?.message).toContain(
        '0 to 2147483647',
      )
  })

  test('96, 97, 98: what may be null of a track is null or an empty list', async () => {
    const { data, errors } = await ask(
      '{ track(cmId: 5) { name localName localNameLocale imageUrl previewUrl composerName trackTier moods { name } activities { name } genres { name } songwriters cmSongwriters score albumCredits { popularity } } }',
      obj({
        id: 5,
        name: null,
        local_name: null,
        local_name_locale: null,
        image_url: null,
        preview_url: null,
        composer_name: null,
        track_tier: null,
        moods: null,
        activities: null,
        genres: null,
        songwriters: null,
        cm_songwriters: null,
        score: null,
        albums: [{ id: 1, popularity: null }],
      }),
    )
    expect(errors).toEqual([])
    expect(data.track).toEqual({
      name: null,
      localName: null,
      localNameLocale: null,
      imageUrl: null,
      previewUrl: null,
      composerName: null,
      trackTier: null,
      moods: [],
      activities: [],
      genres: [],
      songwriters: [],
      cmSongwriters: null,
      score: null,
      albumCredits: [{ popularity: null }],
    })
  })

  test('99, 100, 101: tags are a list, counters keep every digit, unknown members are kept', async () => {
    const { data } = await ask(
      '{ track(cmId: 5) { tags statistics { platAStreams platJViews } additionalFields } }',
      () => ({
        text: '{"obj":{"id":5,"tags":"indie pop,dream pop","cm_statistics":{"sp_streams":"9007199254740993","platJ_views":9007199254740995},"future":{"any":["thing"]}}}',
      }),
    )
    expect(data.track).toEqual({
      tags: ['indie pop', 'dream pop'],
      statistics: { platAStreams: '9007199254740993', platJViews: '9007199254740995' },
      additionalFields: { future: { any: ['thing'] } },
    })
  })

  test('102, 103, 104, 105, 106, 107: the loose values of an album are read', async () => {
    const { data, errors } = await ask(
      '{ album(cmId: 8001) { cmId name localName localNameLocale description createdAt modifiedAt trackCount platAAlbumIds platBAlbumIds platHAlbumIds artists { cmId name } releaseDate } track(cmId: 5) { releaseDate } }',
      ({ path }) => ({
        body: {
          obj: path.startsWith('/api/album')
            ? {
                id: null,
                cm_album: 8001,
                name: null,
                local_name: null,
                local_name_locale: null,
                description: null,
                created_at: null,
                modified_at: null,
                num_track: '12',
                platA_album_ids: ['a1'],
                platB_album_ids: null,
                platH_album_ids: null,
                artists: [{ cm_artist: 3301, name: 'Ada' }],
                release_date: '2025-04-23',
              }
            : { id: 5, release_date: '2025-04-23T07:00:00.000Z' },
        },
      }),
    )
    expect(errors).toEqual([])
    expect(data).toEqual({
      album: {
        cmId: 8001,
        name: null,
        localName: null,
        localNameLocale: null,
        description: null,
        createdAt: null,
        modifiedAt: null,
        trackCount: 12,
        platAAlbumIds: ['a1'],
        platBAlbumIds: [],
        platHAlbumIds: [],
        artists: [{ cmId: 3301, name: 'Ada' }],
        releaseDate: '2025-04-23',
      },
      track: { releaseDate: '2025-04-23' },
    })
  })
})
