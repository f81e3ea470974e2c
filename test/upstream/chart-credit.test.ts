import { describe, expect, it } from 'vitest'
import { platUChart } from '../../src/upstream/endpoints/chart-plat-u.ts'

const recording = {
  id: 'u-1',
  name: 'Low Tide Radio',
  isrc: 'ZZA012300001',
  image_url: 'https://img.example.invalid/t/501.jpg',
  cm_track: 501,
  cm_artist: [3301, 3302],
  artist_names: ['The Paper Lanterns', 'Ada Ferro'],
  code2s: ['GB', null],
  artist_images: ['https://img.example.invalid/a/3301.jpg', 'None'],
  artist_covers: [null, 'https://img.example.invalid/c/3302.jpg'],
  album_ids: [8001],
  album_names: ['Glass Orchard'],
  album_upc: ['000000000011'],
  album_label: ['Kestrel Yard Records'],
  release_dates: ['2025-04-23T07:00:00.000Z'],
}

const rowOf = (change: object, drift: string[] = []) => {
  const body = { obj: { length: 1, data: [{ ...recording, ...change }] } }
  const opened = platUChart.open(body, { note: (path) => drift.push(path) })
  return opened?.rows[0] ?? expect.fail('no row')
}

describe('the credits of a row', () => {
  const credits = (change: object) => rowOf(change).artistCredits

  it('pair names, numbers and what runs beside them; a hole is the answer that there is nothing', () => {
    expect(credits({}).named).toMatchObject([
      {
        cmId: 3301,
        name: 'The Paper Lanterns',
        countryCode: 'GB',
        imageUrl: 'https://img.example.invalid/a/3301.jpg',
        coverUrl: null,
      },
      {
        cmId: 3302,
        name: 'Ada Ferro',
        countryCode: null,
        imageUrl: null,
        coverUrl: 'https://img.example.invalid/c/3302.jpg',
      },
    ])
    expect(credits({}).matched).toEqual(credits({}).named)
  })

  it('do not pair an array of another length', () => {
    const { named } = credits({ code2s: ['GB'] })
    expect(named.map(({ cmId, countryCode }) => [cmId, countryCode])).toEqual([
      [3301, undefined],
      [3302, undefined],
    ])
  })

  it('keep names without a number and numbers without a name where their lengths differ', () => {
    const { named, matched } = credits({ cm_artist: [3302] })
    expect(named.map(({ cmId, name, countryCode }) => [cmId, name, countryCode])).toEqual([
      [undefined, 'The Paper Lanterns', 'GB'],
      [undefined, 'Ada Ferro', null],
    ])
    expect(matched.map(({ cmId, name }) => [cmId, name])).toEqual([[3302, undefined]])
  })

  it('leave out of the matched whom the service did not match', () => {
    const { named, matched } = credits({ cm_artist: [null, 3302] })
    expect(named.map(({ name }) => name)).toEqual(['The Paper Lanterns', 'Ada Ferro'])
    expect(matched.map(({ cmId, name }) => [cmId, name])).toEqual([[3302, 'Ada Ferro']])
  })

  it('pair albums likewise', () => {
    const albums = (change: object) => rowOf(change).albumCredits
    expect(albums({}).named).toMatchObject([
      {
        cmId: 8001,
        name: 'Glass Orchard',
        upc: '000000000011',
        label: 'Kestrel Yard Records',
        releaseDate: '2025-04-23',
      },
    ])
    const unpaired = albums({ album_ids: [8001, 8002] })
    expect(unpaired.named.map(({ cmId, name }) => [cmId, name])).toEqual([
      [undefined, 'Glass Orchard'],
    ])
    expect(unpaired.matched.map(({ cmId, label }) => [cmId, label])).toEqual([
      [8001, undefined],
      [8002, undefined],
    ])
  })
})

describe('the track of a row', () => {
  const trackOf = (change: object) => rowOf(change).track

  it('carries what the row tells of it', () => {
    const track = trackOf({})
    expect(track).toMatchObject({
      cmId: 501,
      name: 'Low Tide Radio',
      isrc: 'ZZA012300001',
      imageUrl: 'https://img.example.invalid/t/501.jpg',
    })
    expect(track?.artists?.map(({ cmId, name }) => [cmId, name])).toEqual([
      [3301, 'The Paper Lanterns'],
      [3302, 'Ada Ferro'],
    ])
    expect(track?.albums?.map(({ cmId, label }) => [cmId, label])).toEqual([
      [8001, 'Kestrel Yard Records'],
    ])
  })

  it('is absent where the service matched none, without drift, and with drift where it is no number', () => {
    const drift: string[] = []
    expect(rowOf({ cm_track: null }, drift).track).toBeNull()
    expect(drift).toEqual([])
    expect(rowOf({ cm_track: 'x' }, drift).track).toBeNull()
    expect(drift).toEqual(['track'])
  })

  it('is told that there is nothing by null, and is not told what the row leaves out', () => {
    const said = (change: object) => {
      const { isrc, imageUrl, name } = trackOf(change) ?? expect.fail('no track')
      return [isrc, imageUrl, name]
    }
    expect(said({ isrc: null, image_url: '', name: null })).toEqual([null, null, null])
    const out = { isrc: undefined, image_url: undefined, name: undefined }
    expect(said(out)).toEqual([undefined, undefined, undefined])
  })

  it.each([
    ['names without numbers', { cm_artist: [] }],
    ['numbers without names', { artist_names: null }],
    ['more names than numbers', { cm_artist: [3301] }],
    ['a name missing', { artist_names: ['The Paper Lanterns', null] }],
  ])('is not told its artists by %s', (_what, change) => {
    expect(trackOf(change)?.artists).toBeUndefined()
  })

  it('is not told its albums by names without numbers', () => {
    expect(trackOf({ album_ids: [] })?.albums).toBeUndefined()
  })
})
