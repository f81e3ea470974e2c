import type { Dice } from './dice.ts'
import { type GenreSet, genresOf } from './genre.ts'
import type { Cities, City } from './place.ts'
import { remembered, shuffle } from './shuffle.ts'
import { SIZE } from './size.ts'
import {
  ADJECTIVES,
  EMOJI,
  FIRST,
  LABEL_WORDS,
  LAST,
  NOUNS,
  OWN_SCRIPT,
  RIGHT_TO_LEFT,
} from './words.ts'

export const VARIOUS_ARTISTS = 1
const FIRST_ID = 2

export interface LocalName {
  readonly local_name: string | null
  readonly local_name_locale: string | null
}

/** What is the same about an artist in every payload that names it. */
export interface Artists {
  exists(id: number): boolean
  /** 1 is the best known; every rank from 1 to 6000 is taken once. */
  rank(id: number): number
  byRank(rank: number): number
  name(id: number): string
  localName(id: number): LocalName
  image(id: number): string
  cover(id: number): string
  isni(id: number): string | null
  city(id: number): City
  code2(id: number): string
  genres(id: number): GenreSet
  signed(id: number): boolean
  label(id: number): string
}

export const createArtists = (dice: Dice, cities: Cities): Artists => {
  const ranks = shuffle(SIZE.artists, dice.bits('artist rank', 0))
  const rankOf = remembered(SIZE.artists, ranks.at)
  const person = (id: number): string =>
    `${dice.pick('artist first', id, FIRST)} ${dice.pick('artist last', id, LAST)}`
  const own = (id: number) =>
    dice.chance('artist script', id, 0.03) ? dice.pick('artist own', id, OWN_SCRIPT) : undefined
  const city = (id: number): City => cities.draw('artist city', id)

  const latinName = (id: number): string => {
    const adjective = dice.pick('artist adjective', id, ADJECTIVES)
    const noun = dice.pick('artist noun', id, NOUNS)
    const form = dice.roll('artist form', id)
    if (form < 0.3) return `The ${adjective} ${noun}s`
    if (form < 0.6) return person(id)
    if (form < 0.82) return `${adjective} ${noun}`
    if (form < 0.9) return `${noun} & ${dice.pick('artist noun', id, NOUNS, 1)}`
    if (form < 0.94) return `${noun} ${dice.pick('artist emoji', id, EMOJI)}`
    if (form < 0.955) return dice.pick('artist right-to-left', id, RIGHT_TO_LEFT)
    return form < 0.975 ? String(dice.int('artist number', id, 1900, 2099)) : noun.toUpperCase()
  }

  return {
    exists: (id) => Number.isInteger(id) && id >= FIRST_ID && id < FIRST_ID + SIZE.artists,
    rank: (id) => rankOf(id - FIRST_ID) + 1,
    byRank: (rank) => ranks.of(rank - 1) + FIRST_ID,
    name(id) {
      if (id === VARIOUS_ARTISTS) return 'Various Artists'
      const script = own(id)
      if (script === undefined) return latinName(id)
      return dice.chance('artist latin', id, 0.5) ? script.latin : script.local
    },
    localName(id) {
      const script = own(id)
      return { local_name: script?.local ?? null, local_name_locale: script?.locale ?? null }
    },
    image: (id) => `https://img.example.invalid/artist/${id}.jpg`,
    cover: (id) => `https://img.example.invalid/artist-cover/${id}.jpg`,
    isni: (id) =>
      dice.chance('artist isni', id, 0.12) ? null : `99990${String(id).padStart(11, '0')}`,
    city,
    code2: (id) => (id === VARIOUS_ARTISTS ? 'US' : city(id).code2),
    genres: (id) => genresOf(dice, 'artist genre', id),
    signed: (id) => dice.chance('artist signed', id, 0.6),
    label: (id) =>
      `${dice.pick('artist label', id, ADJECTIVES)} ${dice.pick('artist label', id, NOUNS, 1)} ${dice.pick('artist label', id, LABEL_WORDS, 2)}`,
  }
}
