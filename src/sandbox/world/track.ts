import type { Albums } from './album.ts'
import type { LocalName } from './artist.ts'
import { dateOf } from './day.ts'
import type { Dice } from './dice.ts'
import { type GenreSet, genresOf } from './genre.ts'
import { remembered, shuffle } from './shuffle.ts'
import { SIZE } from './size.ts'
import { ADJECTIVES, EMOJI, FIRST, LAST, NOUNS, VERBS } from './words.ts'

/** Versions that a track's cluster can hold, by the words of the track filter. */
const CLUSTERS = [
  { words: ['remix'], share: 0.06, suffix: ' (Remix)' },
  { words: ['edit'], share: 0.04, suffix: ' (Radio Edit)' },
  { words: ['acoustic'], share: 0.03, suffix: ' (Acoustic)' },
  { words: ['edit', 'acoustic'], share: 0.01, suffix: ' (Acoustic Edit)' },
  { words: ['original', 're_release'], share: 0.06, suffix: ' (2024 Remaster)' },
] as const
const ORIGINAL = { words: ['original'], suffix: '' } as const

/** What is the same about a track in every payload that names it. */
export interface Tracks {
  exists(id: number): boolean
  /** 1 is the best known. */
  rank(id: number): number
  byRank(rank: number): number
  name(id: number): string
  localName(id: number): LocalName
  isrc(id: number): string
  image(id: number): string
  duration(id: number): number
  explicit(id: number): boolean
  versions(id: number): readonly string[]
  genres(id: number): GenreSet
  songwriters(id: number): string[]
  /** Home album first, then at times another of its artist's. */
  albums(id: number): number[]
  /** Main artist first. */
  artists(id: number): number[]
}

export const createTracks = (dice: Dice, albums: Albums): Tracks => {
  const ranks = shuffle(SIZE.tracks, dice.bits('track rank', 0))
  const rankOf = remembered(SIZE.tracks, ranks.at)
  const cluster = (id: number) => {
    let left = dice.roll('track version', id)
    const found = CLUSTERS.find(({ share }) => {
      left -= share
      return left < 0
    })
    return found ?? ORIGINAL
  }
  const title = (id: number): string => {
    const noun = dice.pick('track noun', id, NOUNS)
    const adjective = dice.pick('track adjective', id, ADJECTIVES)
    const form = dice.roll('track form', id)
    if (form < 0.35) return `${adjective} ${noun}`
    if (form < 0.6) return `${dice.pick('track verb', id, VERBS)} the ${noun}`
    if (form < 0.8) return `${noun} ${dice.pick('track noun', id, NOUNS, 1)}`
    if (form < 0.9) return noun
    if (form < 0.94) return `Corazón de ${noun}`
    if (form < 0.96) return `${noun} ${dice.pick('track emoji', id, EMOJI)}`
    if (form < 0.98) return `50% "${adjective}" #${dice.int('track number', id, 1, 9)}`
    return '夜のラジオ'
  }

  return {
    exists: (id) => Number.isInteger(id) && id >= 0 && id < SIZE.tracks,
    rank: (id) => rankOf(id) + 1,
    byRank: (rank) => ranks.of(rank - 1),
    name: (id) => `${title(id)}${cluster(id).suffix}`,
    localName: (id) =>
      title(id) === '夜のラジオ'
        ? { local_name: '夜のラジオ', local_name_locale: 'ja' }
        : { local_name: null, local_name_locale: null },
    isrc(id) {
      const year = dateOf(albums.released(albums.ofTrack(id))).slice(2, 4)
      return `ZZSBX${year}${String(id).padStart(5, '0')}`
    },
    image: (id) => `https://img.example.invalid/track/${id}.jpg`,
    duration: (id) => dice.int('track duration', id, 95_000, 390_000),
    explicit: (id) => dice.chance('track explicit', id, 0.2),
    versions: (id) => cluster(id).words,
    genres: (id) => genresOf(dice, 'track genre', id),
    songwriters: (id) =>
      Array.from(
        { length: dice.int('track songwriters', id, 1, 3) },
        (_, i) =>
          `${dice.pick('songwriter first', id, FIRST, i)} ${dice.pick('songwriter last', id, LAST, i)}`,
      ),
    albums(id) {
      const home = albums.ofTrack(id)
      if (!dice.chance('track other album', id, 0.15)) return [home]
      const main = albums.mainArtist(home)
      const others = albums.ofArtist(main).filter((album) => album !== home)
      const own = others.filter((album) => albums.artists(album).every((one) => one === main))
      return [home, ...own]
    },
    artists(id) {
      const home = albums.ofTrack(id)
      const credited = [albums.mainArtist(home), ...albums.artists(home)]
      const guests = dice.chance('track guest', id, 0.25)
        ? dice.chance('track guest', id, 0.15, 1)
          ? 2
          : 1
        : 0
      for (let i = 0; i < guests; i++)
        credited.push(dice.int('track guest', id, 2, SIZE.artists + 1, 2 + i))
      return [...new Set(credited)]
    },
  }
}
