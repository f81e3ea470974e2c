/**
 * How many of each the sandbox holds. An id outside is unknown.
 * Artists have ids from 2 (1 is Various Artists), tracks and albums from 0, the rest from 1.
 */
export const SIZE = {
  artists: 6_000,
  tracks: 24_000,
  albums: 8_000,
  playlists: 30_000,
  venues: 3_000,
  festivals: 400,
  stations: 600,
} as const
