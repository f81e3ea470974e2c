import { hours } from '../calendar.ts'
import { columnsOf, part, type RowOf, record, row, type Told } from '../decode.ts'
import { resource } from '../endpoint.ts'
import { object } from '../envelopes.ts'
import { entityId, path } from '../params.ts'
import { count, day, id, int, key, list, moment, named, text, url } from '../values.ts'
import { albumArtist, creditedNames } from './artist.ts'
import { current } from './statistics.ts'
import { ofArtists } from './taught.ts'

const albumId = entityId(0)

const statistics = row({
  platAPopularity: ['sp_popularity', int],
  platAPlaylistCount: ['num_sp_playlists', count],
  platAPlaylistTotalReach: ['sp_playlist_total_reach', count],
  platAEditorialPlaylistCount: ['num_sp_editorial_playlists', count],
  platAEditorialPlaylistTotalReach: ['sp_editorial_playlist_total_reach', count],
} as const)
export type AlbumStatistics = NonNullable<ReturnType<typeof statistics>>

const albumTable = {
  cmId: ['cm_album', id],
  rowId: ['id', id],
  name: ['name', text],
  localName: ['local_name', text],
  localNameLocale: ['local_name_locale', text],
  description: ['description', text],
  upc: ['upc', text],
  imageUrl: ['image_url', url],
  releaseDate: ['release_date', day],
  label: ['label', text],
  labelId: ['cm_label', id],
  trackCount: ['num_track', int],
  platAPopularity: ['platA_popularity', int],
  platAAlbumIds: ['platA_album_ids', list(key)],
  platBAlbumIds: ['platB_album_ids', list(key)],
  platHAlbumIds: ['platH_album_ids', list(key)],
  artists: ['artists', named(albumArtist)],
  artistNames: ['artists', creditedNames],
  statistics: ['cm_statistics', current(statistics)],
  createdAt: ['created_at', moment],
  modifiedAt: ['modified_at', moment],
} as const

/** An album's metadata. */
export interface AlbumRecord extends RowOf<typeof albumTable> {}
/** What another payload tells of an album. */
export type AlbumPart = Told<AlbumRecord>

const albumRecord = record(albumTable)

export const album = resource({
  name: 'album',
  doc: 'Metadata and statistics of one album.',
  route: 'GET /api/album/{id}',
  params: { cmId: path('id', albumId) },
  envelope: object,
  read: albumRecord,
  nothing: null,
  timeless: ['name', 'upc', 'imageUrl'],
  repeats: ['cmId', 'rowId'],
  teaches: (told) => (told === null ? [] : ofArtists(...told.artists)),
  freshFor: hours(24),
})

/** An album as a track or a filter row names it; the number may be missing. */
export const albumCredit = part({
  cmId: ['id', id],
  name: ['name', text],
  upc: ['upc', text],
  label: ['label', text],
  releaseDate: ['release_date', day],
  imageUrl: ['image_url', url],
  popularity: ['popularity', int],
} as const)

/** What every row that names an album by number tells of it. */
export const NAMED_ALBUM = columnsOf(['name', 'upc', 'label', 'releaseDate'])

/** An album found by search. */
export const foundAlbum = part(
  {
    cmId: ['id', id],
    name: ['name', text],
    imageUrl: ['image_url', url],
    label: ['label', text],
  } as const,
  'cmId',
)
