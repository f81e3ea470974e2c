import type { Taught } from '../facts.ts'

interface Numbered {
  readonly cmId?: number | string | null | undefined
}

/** What rows say of things whose records are those of an endpoint; a row without a number says nothing. */
const taught = (of: string, parts: readonly (Numbered | null)[]): Taught[] =>
  parts.flatMap((part) =>
    part === null || part.cmId === null || part.cmId === undefined
      ? []
      : [[of, part.cmId, part] as const],
  )

/** What rows say of artists, tracks, albums and venues. */
export const ofArtists = (...parts: (Numbered | null)[]) => taught('artist', parts)
export const ofTracks = (...parts: (Numbered | null)[]) => taught('track', parts)
export const ofAlbums = (...parts: (Numbered | null)[]) => taught('album', parts)
export const ofVenues = (...parts: (Numbered | null)[]) => taught('venueEvents', parts)
