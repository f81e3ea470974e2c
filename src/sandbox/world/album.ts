import type { Artists } from './artist.ts'
import { VARIOUS_ARTISTS } from './artist.ts'
import { dayOf } from './day.ts'
import type { Dice } from './dice.ts'
import { shuffle } from './shuffle.ts'
import { SIZE } from './size.ts'
import { ADJECTIVES, NOUNS, VERBS } from './words.ts'

/** Tracks of the eight albums of a block, singles to long players: 24 in all, so three a mean album. */
const PATTERN = [1, 2, 1, 5, 1, 10, 1, 3] as const
const BLOCK_TRACKS = 24
const BLOCK_ALBUMS = PATTERN.length

/** For each turn of the pattern, where its albums begin. */
const STARTS = PATTERN.map((_, turn) => {
  const turned = [...PATTERN.slice(turn), ...PATTERN.slice(0, turn)]
  return [
    ...turned.map((_size, place) => turned.slice(0, place).reduce((a, b) => a + b, 0)),
    BLOCK_TRACKS,
  ]
})

const FIRST_RELEASE = dayOf('1998-01-01')
const LAST_RELEASE = dayOf('2025-12-31')

/** How much of the catalogue is out by a day; the later years hold more. */
export const releasedBy = (day: number): number =>
  Math.min(1, Math.max(0, (day - FIRST_RELEASE) / (LAST_RELEASE - FIRST_RELEASE))) ** 2

export interface Albums {
  exists(id: number): boolean
  name(id: number): string
  upc(id: number): string
  label(id: number): string
  image(id: number): string
  /** Day of release. */
  released(id: number): number
  tracks(id: number): number[]
  ofTrack(track: number): number
  /** The artist whose record it is, also where the album is credited to Various Artists. */
  mainArtist(id: number): number
  /** As credited. */
  artists(id: number): number[]
  /** Albums whose main artist it is: one, or two for the better known third. */
  ofArtist(artist: number): number[]
}

export const createAlbums = (dice: Dice, artists: Artists): Albums => {
  const owners = shuffle(SIZE.albums, dice.bits('album owner', 0))
  const anyArtist = (noun: string, id: number, turn?: number): number =>
    dice.int(noun, id, 2, SIZE.artists + 1, turn)
  const starts = (block: number): readonly number[] => dice.pick('album block', block, STARTS)
  const mainArtist = (id: number): number => {
    const owner = owners.at(id)
    return owner < SIZE.artists ? owner + 2 : artists.byRank(owner - SIZE.artists + 1)
  }

  return {
    exists: (id) => Number.isInteger(id) && id >= 0 && id < SIZE.albums,
    name(id) {
      const noun = dice.pick('album noun', id, NOUNS)
      const form = dice.roll('album form', id)
      if (form < 0.5) return `${dice.pick('album adjective', id, ADJECTIVES)} ${noun}`
      if (form < 0.8) return `${dice.pick('album verb', id, VERBS)} the ${noun}`
      return form < 0.95 ? noun : `${noun} / ${dice.pick('album noun', id, NOUNS, 1)}, Vol. 2`
    },
    upc: (id) => `00099${String(id).padStart(8, '0')}`,
    label: (id) => artists.label(mainArtist(id)),
    image: (id) => `https://img.example.invalid/album/${id}.jpg`,
    released: (id) =>
      FIRST_RELEASE +
      Math.floor(Math.sqrt(dice.roll('album release', id)) * (LAST_RELEASE - FIRST_RELEASE)),
    tracks(id) {
      const block = Math.floor(id / BLOCK_ALBUMS)
      const place = id % BLOCK_ALBUMS
      const [first = 0, end = 0] = starts(block).slice(place, place + 2)
      return Array.from({ length: end - first }, (_, i) => block * BLOCK_TRACKS + first + i)
    },
    ofTrack(track) {
      const block = Math.floor(track / BLOCK_TRACKS)
      const within = track % BLOCK_TRACKS
      const after = starts(block).findIndex((start) => start > within)
      return block * BLOCK_ALBUMS + after - 1
    },
    mainArtist,
    artists(id) {
      if (dice.chance('album compilation', id, 0.01)) return [VARIOUS_ARTISTS]
      const main = mainArtist(id)
      const second = anyArtist('album second', id)
      return dice.chance('album duo', id, 0.05) && second !== main ? [main, second] : [main]
    },
    ofArtist(artist) {
      const rank = artists.rank(artist)
      const more = rank <= SIZE.albums - SIZE.artists ? [owners.of(SIZE.artists + rank - 1)] : []
      return [owners.of(artist - 2), ...more]
    },
  }
}
