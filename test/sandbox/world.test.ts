import { describe, expect, it } from 'vitest'
import { createSources } from '../../src/sandbox/source.ts'
import { shuffle } from '../../src/sandbox/world/shuffle.ts'
import { createWorld } from '../../src/sandbox/world.ts'

interface Named {
  readonly id: number | null
  readonly name: string
  readonly image_url?: string
  readonly code2?: string
}
interface Track {
  readonly name: string
  readonly isrc: string
  readonly image_url: string
  readonly artists: readonly Named[]
  readonly albums: readonly (Named & { readonly upc: string; readonly label: string })[]
  readonly cm_statistics: { readonly sp_streams: string }
}
interface Album {
  readonly id: number | null
  readonly cm_album: number
  readonly name: string
  readonly upc: string
  readonly label: string
  readonly image_url: string
  readonly artists: readonly { readonly cm_artist: number; readonly name: string }[]
}
interface Artist extends Named {
  readonly local_name: string | null
  readonly cm_statistics: Record<string, unknown>
}

const today = '2026-03-10'
const sources = createSources(createWorld(1))
const track = (id: number) => sources.track({ id, today }) as Track
const album = (id: number) => sources.album({ id }) as Album
const artist = (id: number) => sources.artist({ id }) as Artist
const some = (count: number, step: number) => Array.from({ length: count }, (_, i) => i * step)

describe('the invented world', () => {
  it('is the same for the same seed, whatever was asked before', () => {
    const again = createSources(createWorld(1))
    again.artist({ id: 4000 })
    again.playlistsPlatB({ today, offset: 0, limit: 5 })
    for (const id of [2, 77, 6001]) expect(again.artist({ id })).toEqual(artist(id))
    for (const id of [0, 77, 23_999]) expect(again.track({ id, today })).toEqual(track(id))
    expect(again.platBChart({ today, latest: true, country_code: 'GB' })).toEqual(
      sources.platBChart({ today, latest: true, country_code: 'GB' }),
    )
  })

  it('is another one for another seed', () => {
    const other = createSources(createWorld(2))
    const names = (of: typeof sources) =>
      some(20, 1).map((id) => (of.artist({ id: id + 2 }) as Artist).name)
    expect(names(other)).not.toEqual(names(sources))
  })

  it('knows ids up to its size and none beyond', () => {
    for (const id of [2, 6001]) expect(sources.artist({ id })).toBeDefined()
    for (const id of [0, 1, 6002, 2_147_483_647]) expect(sources.artist({ id })).toBeUndefined()
    for (const id of [0, 23_999]) expect(track(id)).toBeDefined()
    expect(track(24_000)).toBeUndefined()
    for (const id of [0, 7_999]) expect(album(id)).toBeDefined()
    expect(album(8_000)).toBeUndefined()
  })

  it('says of every text about an artist that it is invented, and shows pictures from nowhere', () => {
    const { description, image_url, cover_url } = sources.artist({ id: 5 }) as Record<
      string,
      string
    >
    expect(description).toContain('Invented for the Refrain sandbox.')
    expect(image_url).toMatch(/^https:\/\/img\.example\.invalid\//)
    expect(cover_url).toMatch(/^https:\/\/img\.example\.invalid\//)
  })

  it('holds what trips a client: a null album id, streams beyond 2^53, scripts, emoji, Various Artists', () => {
    const ids = some(24_000, 1)
    const world = createWorld(1)
    const streams = ids.slice(0, 24_000).filter((id) => world.tracks.rank(id) <= 4)
    for (const id of streams)
      expect(BigInt(track(id).cm_statistics.sp_streams)).toBeGreaterThan(2n ** 53n)
    expect(streams).toHaveLength(4)
    expect(some(400, 1).some((id) => album(id).id === null)).toBe(true)
    expect(some(400, 1).every((id) => album(id).cm_album === id)).toBe(true)
    expect(some(400, 1).some((id) => track(id).albums.some((one) => one.id === null))).toBe(true)
    expect(some(900, 1).some((id) => track(id).artists.some((one) => one.id === 1))).toBe(true)
    const names = some(3_000, 1).map((id) => artist(id + 2))
    expect(names.some(({ name }) => /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(name))).toBe(true)
    expect(names.some(({ name }) => /\p{Extended_Pictographic}/u.test(name))).toBe(true)
    expect(names.some(({ local_name }) => /\p{Script=Han}/u.test(local_name ?? ''))).toBe(true)
    expect(names.some(({ name }) => name.normalize('NFD') !== name)).toBe(true)
  })

  it('gives open counters beside the documented ones, some of them beyond 32 bits', () => {
    const world = createWorld(1)
    const { cm_statistics } = artist(world.artists.byRank(1))
    expect(cm_statistics).toHaveProperty('sp_followers_rank')
    expect(Object.keys(cm_statistics).length).toBeGreaterThan(30)
    const values = Object.values(cm_statistics).filter((value) => typeof value === 'number')
    expect(Math.max(...values)).toBeGreaterThan(2 ** 32)
  })
})

describe('relations', () => {
  it('hold between a track, its albums and its artists, with the same names on both sides', () => {
    for (const id of some(300, 79)) {
      const { albums, artists } = track(id)
      expect(artists.length).toBeGreaterThan(0)
      const credited = artists.map((one) => one.id)
      for (const one of albums) {
        if (one.id === null) continue
        const home = album(one.id)
        expect(home).toMatchObject({ name: one.name, upc: one.upc, label: one.label })
        expect(home.image_url).toBe(one.image_url)
        for (const { cm_artist } of home.artists) expect(credited).toContain(cm_artist)
      }
      for (const one of artists) {
        if (one.id === 1 || one.id === null) continue
        expect(artist(one.id)).toMatchObject({
          name: one.name,
          image_url: one.image_url,
          code2: one.code2,
        })
      }
    }
  })

  it('share the tracks out over the albums, each to one, and the albums over the artists', () => {
    const { albums } = createWorld(1)
    const held = some(8_000, 1).flatMap((id) => {
      const tracks = albums.tracks(id)
      for (const one of tracks) expect(albums.ofTrack(one)).toBe(id)
      return tracks
    })
    expect(held).toEqual(some(24_000, 1))
    const owned = some(6_000, 1).flatMap((id) => albums.ofArtist(id + 2))
    expect(owned.toSorted((a, b) => a - b)).toEqual(some(8_000, 1))
    for (const id of some(50, 119)) {
      const artist = albums.mainArtist(id)
      expect(albums.ofArtist(artist)).toContain(id)
    }
  })

  it('hold for the track filter: an artist has exactly the tracks that credit it', () => {
    const wanted = 1234
    const { rows, total } = sources.tracksByFilter({
      ...{ today, offset: 0, limit: 1000, artists: [wanted], originalsOnly: false },
    })
    expect(total).toBeGreaterThan(0)
    expect(rows).toHaveLength(total)
    for (const row of rows as { cm_track: number; name: string; isrc: string }[]) {
      const found = track(row.cm_track)
      expect(found.artists.map(({ id }) => id)).toContain(wanted)
      expect(found).toMatchObject({ name: row.name, isrc: row.isrc })
    }
    const named = some(24_000, 1).filter((id) => track(id).artists.some((one) => one.id === wanted))
    expect(total).toBe(named.length)
  })
})

describe('a shuffle', () => {
  it('is a bijection that can be walked both ways', () => {
    for (const size of [1, 7, 400, 6_000]) {
      const { at, of } = shuffle(size, 99)
      const values = some(size, 1).map(at)
      expect(new Set(values).size).toBe(size)
      expect(Math.max(...values)).toBe(size - 1)
      expect(values.map(of)).toEqual(some(size, 1))
    }
  })
})
