import type { Taught } from '../facts.ts'

interface Numbered {
  readonly cmId?: number | string | null | undefined
}

/** What rows say of things whose records are those of an endpoint; a row without a number says nothing. */
const taught = (of: string, parts: readonly (Numbered | null)[]): Taught[] => {
  const told: Taught[] = []
  for (const part of parts) {
    const id = part?.cmId ?? undefined
    if (part !== null && id !== undefined) told.push([of, id, part])
  }
  return told
}

/** What rows say of artists, tracks, albums and venues. */
export const ofArtists = (...parts: (Numbered | null)[]) => taught('artist', parts)
export const ofTracks = (...parts: (Numbered | null)[]) => taught('track', parts)
export const ofAlbums = (...parts: (Numbered | null)[]) => taught('album', parts)
export const ofVenues = (...parts: (Numbered | null)[]) => taught('venueEvents', parts)
