import { hours } from '../calendar.ts'
import { part, type RowOf, record, row, type Told } from '../decode.ts'
import { resource } from '../endpoint.ts'
import { object } from '../envelopes.ts'
import { entityId, path } from '../params.ts'
import {
  bool,
  commaList,
  count,
  day,
  float,
  id,
  int,
  isrc,
  json,
  list,
  named,
  text,
  url,
} from '../values.ts'
import { albumCredit } from './album.ts'
import { creditedArtist, creditedNames } from './artist.ts'
import { descriptors, genres } from './genre.ts'
import { current } from './statistics.ts'
import { ofAlbums, ofArtists } from './taught.ts'

export const trackId = entityId(0)

const statistics = row({
  trackId: ['cm_track', id],
  platAPopularity: ['sp_popularity', int],
  platAStreams: ['sp_streams', count],
  platDVideoCount: ['num_tt_videos', count],
  platJViews: ['platJ_views', count],
  platWPageViews: ['platW_page_views', count],
} as const)
export type TrackStatistics = NonNullable<ReturnType<typeof statistics>>

const trackTable = {
  cmId: ['id', id],
  name: ['name', text],
  localName: ['local_name', text],
  localNameLocale: ['local_name_locale', text],
  isrc: ['isrc', isrc],
  imageUrl: ['image_url', url],
  previewUrl: ['preview_url', url],
  durationMs: ['duration_ms', int],
  composerName: ['composer_name', text],
  trackTier: ['track_tier', text],
  artists: ['artists', named(creditedArtist)],
  artistNames: ['artists', creditedNames],
  albums: ['albums', named(albumCredit)],
  albumCredits: ['albums', named(albumCredit)],
  albumLabel: ['album_label', text],
  releaseDate: ['release_date', day],
  isExplicit: ['explicit', bool],
  tags: ['tags', commaList],
  moods: ['moods', descriptors],
  activities: ['activities', descriptors],
  genres: ['genres', genres],
  songwriters: ['songwriters', commaList],
  cmSongwriters: ['cm_songwriters', json],
  score: ['score', float],
  statistics: ['cm_statistics', current(statistics)],
} as const

/** A track's metadata. */
export interface TrackRecord extends RowOf<typeof trackTable> {}
/** What another payload tells of a track. */
export type TrackPart = Told<TrackRecord>

const trackRecord = record(trackTable)

export const track = resource({
  name: 'track',
  doc: 'Metadata and statistics of one track.',
  route: 'GET /api/track/{id}',
  params: { cmId: path('id', trackId) },
  envelope: object,
  read: trackRecord,
  nothing: null,
  timeless: ['name', 'isrc', 'imageUrl'],
  repeats: ['cmId'],
  teaches: (told) =>
    told === null ? [] : [...ofArtists(...told.artists), ...ofAlbums(...told.albums)],
  freshFor: hours(6),
})

/** A track of the track filter. */
export const filteredTrack = part(
  {
    cmId: ['cm_track', id],
    name: ['name', text],
    isrc: ['isrc', isrc],
    imageUrl: ['image_url', url],
    isExplicit: ['explicit', bool],
  } as const,
  'cmId',
)
/** A track found by search. */
export const foundTrack = part(
  {
    cmId: ['id', id],
    name: ['name', text],
    isrc: ['isrc', isrc],
    imageUrl: ['image_url', url],
    artistNames: ['artist_names', list(text)],
  } as const,
  'cmId',
)
