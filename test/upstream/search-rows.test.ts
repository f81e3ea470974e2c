import { describe, expect, it } from 'vitest'
import { additionalFields } from '../../src/upstream/decode.ts'
import { bucket, search } from '../../src/upstream/endpoints/search.ts'
import { suggestions } from '../../src/upstream/endpoints/search-suggestion.ts'

const opened = (obj: unknown, drift: string[] = []) =>
  search.open({ obj }, { note: (path) => drift.push(path) })
const found = (obj: unknown, drift: string[] = []) => {
  const answer = opened(obj, drift)
  return answer === undefined ? expect.fail('unreadable') : answer
}

const ARTIST = {
  id: 3301,
  name: 'The Paper Lanterns',
  image_url: 'https://img.example.invalid/a/3301.jpg',
  isni: '0000000000000331',
  sp_followers: 88123,
  sp_monthly_listeners: 312045,
  cm_artist_score: 54.2,
}

describe('what search finds', () => {
  it('is told by kind', () => {
    const drift: string[] = []
    const answer = found(
      {
        artists: [ARTIST],
        playlists: {
          platA: [{ id: '37i9dQ', name: 'Dusk', image_url: null, owner_name: 'Ada' }],
          platB: [{ id: 3012260, name: 'Dawn', image_url: null, owner_name: null }],
        },
        tracks: [
          {
            id: '501',
            name: 'Low Tide Radio',
            image_url: 'https://img.example.invalid/t/501.jpg',
            isrc: 'ZZA012300001',
            artist_names: ['The Paper Lanterns'],
          },
        ],
        curators: { platJ: [{ id: 12, name: 'Channel', image_url: null }] },
        albums: [{ id: 8001, name: 'Glass Orchard', image_url: null, label: 'Kestrel Yard' }],
        cities: [
          {
            id: 78,
            name: 'Västerhamn',
            name_ascii: 'Vasterhamn',
            population: 3000000000,
            country: 'Sweden',
            code2: 'SE',
            province: null,
            trigger_city: true,
          },
        ],
        songwriters: [{ name: 'Ada Quill', doc_id: 44, artistName: 'Quill', image_url: null }],
        stations: [{ id: 31, name: 'Harbour FM' }],
        labels: ['Kestrel Yard'],
        countries: [],
        genres: [],
        festivals: [{ id: 450 }],
      },
      drift,
    )
    expect(bucket.artists.rows(answer).rows).toMatchObject([
      {
        cmId: 3301,
        name: 'The Paper Lanterns',
        imageUrl: 'https://img.example.invalid/a/3301.jpg',
        isni: '0000000000000331',
        score: 54.2,
        platAFollowers: 88123,
        platAMonthlyListeners: 312045,
      },
    ])
    expect(bucket.playlists('platA').rows(answer).rows).toMatchObject([
      { platform: 'platA', cmId: '37i9dQ', name: 'Dusk', ownerName: 'Ada' },
    ])
    expect(bucket.playlists('platB').rows(answer).rows).toMatchObject([
      { platform: 'platB', cmId: '3012260' },
    ])
    expect(bucket.playlists('platE').rows(answer).rows).toEqual([])
    expect(bucket.tracks.rows(answer).rows).toMatchObject([
      { cmId: 501, name: 'Low Tide Radio', isrc: 'ZZA012300001' },
    ])
    expect(bucket.curators('platJ').rows(answer).rows).toMatchObject([
      { platform: 'platJ', cmId: 12, name: 'Channel', imageUrl: null },
    ])
    expect(bucket.albums.rows(answer).rows).toMatchObject([
      { cmId: 8001, name: 'Glass Orchard', imageUrl: null, label: 'Kestrel Yard' },
    ])
    expect(bucket.cities.rows(answer).rows).toMatchObject([
      {
        cmId: 78,
        name: 'Västerhamn',
        nameAscii: 'Vasterhamn',
        population: 3_000_000_000,
        country: 'Sweden',
        countryCode: 'SE',
        province: null,
        isTriggerCity: true,
      },
    ])
    expect(bucket.songwriters.rows(answer).rows).toMatchObject([
      { cmId: 44, name: 'Ada Quill', artistName: 'Quill', imageUrl: null },
    ])
    expect(bucket.stations.rows(answer).rows).toEqual([{ id: 31, name: 'Harbour FM' }])
    expect(bucket.labels.rows(answer).rows).toEqual(['Kestrel Yard'])
    expect(bucket.festivals.rows(answer).rows).toEqual([{ id: 450 }])
    expect(drift).toEqual([])
  })

  it('is nothing in the kinds that are not there', () => {
    const answers = [{ artists: [ARTIST] }, { artists: [], tracks: [], playlists: {} }, {}, null]
    for (const answer of answers.map((obj) => found(obj))) {
      expect(bucket.tracks.rows(answer).rows).toEqual([])
      expect(bucket.playlists('platA').rows(answer).rows).toEqual([])
      expect(bucket.genres.rows(answer).rows).toEqual([])
    }
  })

  it('has ids of either type, and no row without the id that it needs', () => {
    const drift: string[] = []
    const answer = found(
      {
        artists: [{ ...ARTIST, id: '3301', sp_followers: '88123' }],
        tracks: [{ id: 501, name: 'Low Tide Radio', artist_names: null }],
        albums: [{ id: null, name: 'Glass Orchard', image_url: null, label: null }],
      },
      drift,
    )
    expect(bucket.artists.rows(answer).rows).toMatchObject([{ cmId: 3301, platAFollowers: 88123 }])
    expect(bucket.tracks.rows(answer).rows).toMatchObject([{ cmId: 501 }])
    expect(bucket.albums.rows(answer).rows).toEqual([null])
    expect(drift).toEqual(['albums.[]'])
  })

  it('keeps the order of the service and every namesake', () => {
    const namesakes = [3390, 3391, 3392].map((id) => ({ ...ARTIST, id, name: '1975' }))
    const { rows } = bucket.artists.rows(found({ artists: namesakes }))
    expect(rows.slice().map((row) => row?.cmId)).toEqual([3390, 3391, 3392])
  })

  it('is counted where a keyed kind is a list', () => {
    const drift: string[] = []
    const answer = found({ playlists: [{ id: 1 }] }, drift)
    expect(bucket.playlists('platA').rows(answer).rows).toEqual([])
    expect(drift).toEqual(['playlists'])
  })

  it('is unreadable where no kind is known', () => {
    expect(opened({ hits: [ARTIST] })).toBeUndefined()
    expect(opened('artists')).toBeUndefined()
  })
})

describe('suggestions of the beta engine', () => {
  const listed = (obj: unknown) =>
    suggestions.open({ obj }, { note: () => expect.fail('drift') })?.rows

  it('are read from the list of that name, or from the bare list', () => {
    const items = [
      { id: 3301, name: 'The Paper Lanterns', target: 'artist', match_strength: 0.98 },
      { id: 501, name: 'Low Tide Radio', target: 'track', match_strength: null },
      { id: 9, name: '???', target: 'new_kind', match_strength: '0.2' },
    ]
    for (const rows of [listed({ suggestions: items }), listed(items)]) {
      expect(rows).toMatchObject([
        { target: 'artist', matchStrength: 0.98 },
        { target: 'track', matchStrength: null },
        { target: 'new_kind', matchStrength: 0.2 },
      ])
      expect(additionalFields(rows?.[0])).toEqual({ id: 3301, name: 'The Paper Lanterns' })
    }
  })

  it('may be none at all, but not buckets', () => {
    for (const nothing of [[], null, {}, { suggestions: [] }, { suggestions: null }])
      expect(listed(nothing)).toEqual([])
    expect(listed({ artists: [ARTIST] })).toBeUndefined()
  })
})
