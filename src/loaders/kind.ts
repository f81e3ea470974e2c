import { type AlbumRecord, album } from '../upstream/endpoints/album.ts'
import { type ArtistRecord, artist } from '../upstream/endpoints/artist.ts'
import { type TrackRecord, track } from '../upstream/endpoints/track.ts'
import { type VenueRecord, venueAt, venueEvents } from '../upstream/endpoints/venue.ts'
import { request } from '../upstream/request.ts'
import type { RecordKind } from './entity.ts'

/** The various artists: a number that rows credit and the service refuses. */
export const VARIOUS_ARTISTS = 1
/** The service's word for "asked for partial data, and none is ready". */
const NOT_ACCEPTABLE = 406

export const artists: RecordKind<ArtistRecord, number> = {
  endpoint: artist,
  requestOf: (cmId) => request(artist, { cmId }),
  isFetchable: (cmId) => cmId !== VARIOUS_ARTISTS,
}
export const partialArtists: RecordKind<ArtistRecord, number> = {
  endpoint: artist,
  requestOf: (cmId) => request(artist, { cmId, allowPartial: true }),
  instead: (cmId, { facts }) =>
    facts.status === NOT_ACCEPTABLE ? artists.requestOf(cmId) : undefined,
}
export const tracks: RecordKind<TrackRecord, number> = {
  endpoint: track,
  requestOf: (cmId) => request(track, { cmId }),
}
export const albums: RecordKind<AlbumRecord, number> = {
  endpoint: album,
  requestOf: (cmId) => request(album, { cmId }),
}
export const venues: RecordKind<VenueRecord, string> = {
  endpoint: venueEvents,
  requestOf: (cmId) => request(venueEvents, venueAt(cmId)),
}
