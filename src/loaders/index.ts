import type { Upstream } from '../upstream/client.ts'
import { type AlbumRecord, album } from '../upstream/endpoints/album.ts'
import { type ArtistRecord, artist } from '../upstream/endpoints/artist.ts'
import { type TrackRecord, track } from '../upstream/endpoints/track.ts'
import { type VenueRecord, venueAt, venueEvents } from '../upstream/endpoints/venue.ts'
import type { Operation } from '../upstream/operation.ts'
import { request } from '../upstream/request.ts'
import { createArtistTracks } from './artist-track.ts'
import { createEntityLoader, type Known } from './entity.ts'
import { createEstimates } from './estimate.ts'
import { createPages } from './page.ts'

export type Artist = Known<ArtistRecord>
export type Track = Known<TrackRecord>
export type Album = Known<AlbumRecord>
export type Venue = Known<VenueRecord, string>

/** The various artists: a number that rows credit and the service refuses. */
export const VARIOUS_ARTISTS = 1
/** The service's word for "asked for partial data, and none is ready". */
const NOT_ACCEPTABLE = 406

/** The loaders of one operation; they forget when it ends. */
export const createLoaders = (upstream: Upstream, operation: Operation) => {
  const artistOf = (cmId: number) => request(artist, { cmId })
  const page = createPages(upstream, operation)
  return {
    artist: createEntityLoader(upstream, operation, artist, artistOf, {
      fetchable: (cmId) => cmId !== VARIOUS_ARTISTS,
    }),
    partialArtist: createEntityLoader(
      upstream,
      operation,
      artist,
      (cmId: number) => request(artist, { cmId, allowPartial: true }),
      {
        instead: (cmId, { facts }) =>
          facts.status === NOT_ACCEPTABLE ? artistOf(cmId) : undefined,
      },
    ),
    track: createEntityLoader(upstream, operation, track, (cmId: number) =>
      request(track, { cmId }),
    ),
    album: createEntityLoader(upstream, operation, album, (cmId: number) =>
      request(album, { cmId }),
    ),
    venue: createEntityLoader(upstream, operation, venueEvents, (cmId: string) =>
      request(venueEvents, venueAt(cmId)),
    ),
    estimate: createEstimates(upstream, operation),
    page,
    artistTracks: createArtistTracks(upstream, operation, page),
  }
}

export type Loaders = ReturnType<typeof createLoaders>
