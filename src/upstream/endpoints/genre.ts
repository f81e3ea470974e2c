import { deep, type Reader, type RowOf, row } from '../decode.ts'
import { isObject, listOf } from '../envelopes.ts'
import { id, list, named, one, text } from '../values.ts'

const genreTable = {
  cmId: ['id', id],
  name: ['name', text],
  type: ['type', text],
  source: ['source', text],
} as const

/** A genre as its parent names it. */
export type Genre = RowOf<typeof genreTable>
const genreRow = row(genreTable)

/** Genres that come as objects or as plain names. */
export const genres = named(genreRow)

const weighed = {
  primary: ['primary', one((value, reading) => genres([value], reading)?.[0] ?? null)],
  secondary: ['secondary', genres],
  sub: ['sub', genres],
} as const

/** Genres of an artist by weight. */
export type ArtistGenres = RowOf<typeof weighed>
const weighedRow = row(weighed)

/** The documented object, or an older list whose entries say their weight themselves. */
export const artistGenres: Reader<ArtistGenres | null> = deep((value, reading) => {
  const plain = typeof value === 'string' ? [value] : listOf(value)
  if (plain === undefined) return weighedRow(value, reading)
  const all = genres(plain, reading) ?? []
  if (all.length === 0) return null
  const ofWeight = (type: string) => all.filter((genre) => genre.type === type)
  return {
    primary: ofWeight('primary')[0] ?? null,
    secondary: all.filter((genre) => genre.type !== 'primary' && genre.type !== 'sub'),
    sub: ofWeight('sub'),
  }
})

/** Genres in the order of their ordinals, with the names that `genres` of the same row gives. */
export const orderedGenres: Reader<Genre[]> = deep(
  (value, reading) => {
    if (!isObject(value)) return []
    const known = artistGenres(value.genres ?? null, { note: () => {} })
    const byId = new Map(
      [known?.primary ?? null, ...(known?.secondary ?? []), ...(known?.sub ?? [])].flatMap(
        (genre) => (genre === null ? [] : [[genre.cmId, genre] as const]),
      ),
    )
    return (list(ordinals)(value.genre_smart_ordered ?? null, reading) ?? [])
      .flat()
      .sort((a, b) => a.ordinal - b.ordinal)
      .map(({ cmId }) => byId.get(cmId) ?? { cmId, name: null, type: null, source: null })
  },
  ['genre_smart_ordered'],
)

const ordinals: Reader<{ ordinal: number; cmId: number }[]> = (value, reading) =>
  isObject(value)
    ? Object.entries(value).flatMap(([ordinal, genre]) => {
        const cmId = id(genre, reading)
        return cmId === null || cmId === undefined ? [] : [{ ordinal: Number(ordinal), cmId }]
      })
    : undefined

const descriptor = row({ cmId: ['id', id], name: ['name', text] } as const)

/** Moods and activities: objects or plain names. */
export const descriptors = named(descriptor)
export type Descriptor = NonNullable<ReturnType<typeof descriptors>>[number]
