import type { Dice } from './dice.ts'

export interface Genre {
  readonly id: number
  readonly name: string
}

const PRIMARY = [
  'pop',
  'rock',
  'hip-hop/rap',
  'electronic',
  'latin',
  'r&b/soul',
  'country',
  'jazz',
  'classical',
  'reggae',
  'folk',
  'metal',
  'afrobeats',
  'k-pop',
  'ambient',
  'soundtrack',
] as const
const FLAVOURS = ['indie', 'dream', 'dark', 'neo', 'garage', 'future'] as const

/** Primary genres, ids 1 to 16. */
export const GENRES: readonly Genre[] = PRIMARY.map((name, i) => ({ id: i + 1, name }))
/** Sub-genres, ids 101 to 196: six of each primary genre. */
const SUB_GENRES: readonly Genre[] = PRIMARY.flatMap((name, i) =>
  FLAVOURS.map((flavour, j) => ({ id: 101 + i * FLAVOURS.length + j, name: `${flavour} ${name}` })),
)
const subGenresOf = (genre: Genre): readonly Genre[] =>
  SUB_GENRES.slice((genre.id - 1) * FLAVOURS.length, genre.id * FLAVOURS.length)

const named = (names: string): readonly Genre[] =>
  names.split(' ').map((name, i) => ({ id: i + 1, name }))
export const MOODS = named('wistful bright tense dreamy defiant tender restless calm')
export const ACTIVITIES = named('driving running studying dancing cooking sleeping')

export interface GenreSet {
  readonly primary: Genre
  readonly secondary: readonly Genre[]
  readonly sub: readonly Genre[]
}

/** The genres of one artist, track or playlist. */
export const genresOf = (dice: Dice, noun: string, id: number): GenreSet => {
  const primary = dice.pick(noun, id, GENRES)
  const other = dice.pick(noun, id, GENRES, 1)
  const subs = subGenresOf(primary)
  const first = dice.int(noun, id, 0, subs.length - 1, 2)
  const count = dice.int(noun, id, 0, 2, 3)
  return {
    primary,
    secondary: other.id === primary.id ? [] : [other],
    sub: [...subs, ...subs].slice(first, first + count),
  }
}

/** Up to two of a list, in its order. */
export const someOf = (dice: Dice, noun: string, id: number, list: readonly Genre[]): Genre[] =>
  list.filter((one) => dice.chance(noun, id, 2 / list.length, one.id)).slice(0, 2)

/** Names joined as the service joins them: with a comma, at times with a space behind it. */
export const commaList = (dice: Dice, noun: string, id: number, names: readonly string[]): string =>
  names.join(dice.chance(`${noun} comma`, id, 0.3) ? ', ' : ',')

export const namesOf = (set: GenreSet): string[] =>
  [set.primary, ...set.secondary, ...set.sub].map((genre) => genre.name)
