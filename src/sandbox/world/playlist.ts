import type { Dice } from './dice.ts'
import { type GenreSet, genresOf, MOODS } from './genre.ts'
import { shuffle } from './shuffle.ts'
import { SIZE } from './size.ts'
import { ADJECTIVES, NOUNS } from './words.ts'

/** Platforms that search knows playlists of; only platB and platC have a listing. */
export const PLAYLIST_PLATFORMS = ['platA', 'platI', 'platB', 'platC', 'platJ', 'platE'] as const
export type PlaylistPlatform = (typeof PLAYLIST_PLATFORMS)[number]
export const CURATOR_PLATFORMS = ['platA', 'platI', 'platB', 'platC', 'platJ'] as const
/** Curators of a platform, ids from 1. */
export const CURATORS = 200
const EDITORS = 40

export interface Curators {
  name(platform: string, id: number): string
  image(platform: string, id: number): string | null
  isEditorial(id: number): boolean
}

/** One platform's playlists, by position 0 … 29999. */
export interface Playlists {
  id(position: number): number
  platformId(position: number): string
  name(position: number): string
  description(position: number): string
  image(position: number): string
  /** 1 is the most followed. */
  rank(position: number): number
  byRank(rank: number): number
  owner(position: number): number
  genres(position: number): GenreSet
}

export const createCurators = (dice: Dice): Curators => {
  const isEditorial = (id: number): boolean => id <= EDITORS
  return {
    isEditorial,
    name: (platform, id) =>
      isEditorial(id)
        ? `${dice.pick(`${platform} curator`, id, NOUNS)} Editors`
        : `${dice.pick(`${platform} curator`, id, ADJECTIVES).toLowerCase()}_${dice.pick(`${platform} curator`, id, NOUNS, 1).toLowerCase()}${id}`,
    image: (platform, id) =>
      dice.chance(`${platform} curator image`, id, 0.2)
        ? null
        : `https://img.example.invalid/curator/${platform}/${id}.jpg`,
  }
}

export const createPlaylists = (dice: Dice, platform: PlaylistPlatform): Playlists => {
  const noun = `${platform} playlist`
  const first = (PLAYLIST_PLATFORMS.indexOf(platform) + 1) * 1_000_000
  const [genreNoun, moodNoun, ownerNoun] = [`${noun} genre`, `${noun} mood`, `${noun} owner`]
  const ranks = shuffle(SIZE.playlists, dice.bits(noun, 0))
  const genres = (position: number): GenreSet => genresOf(dice, genreNoun, position)
  const mood = (position: number): string => dice.pick(moodNoun, position, MOODS).name
  return {
    id: (position) => first + position,
    platformId: (position) =>
      platform === 'platC' ? `pl.sbx${first + position}` : String(9_000_000_000 + first + position),
    name(position) {
      const word = dice.pick(`${noun} noun`, position, NOUNS)
      const form = dice.roll(`${noun} form`, position)
      if (form < 0.4) return `${dice.pick(`${noun} adjective`, position, ADJECTIVES)} ${word}s`
      if (form < 0.7) return `${genres(position).primary.name} & ${mood(position)}`
      return form < 0.95 ? `${word} Radio` : `¡${word} caliente! 🔥`
    },
    description: (position) =>
      `A ${mood(position)} mix of ${genres(position).primary.name}. Invented for the Refrain sandbox.`,
    image: (position) => `https://img.example.invalid/playlist/${platform}/${position}.jpg`,
    rank: (position) => ranks.at(position) + 1,
    byRank: (rank) => ranks.of(rank - 1),
    owner: (position) => 1 + Math.floor(dice.roll(ownerNoun, position) ** 1.2 * CURATORS),
    genres,
  }
}
