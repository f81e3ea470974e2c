import type { Album as AlbumSource } from '../loaders/index.ts'
import { additionalFields, counters } from '../upstream/decode.ts'
import {
  type AlbumRecord,
  album,
  type AlbumStatistics as Statistics,
} from '../upstream/endpoints/album.ts'
import { albumArtist } from '../upstream/endpoints/artist.ts'
import { Artist } from './artist.ts'
import { artistsOf } from './artist-credit.ts'
import { builder } from './builder.ts'
import { Counter } from './counter.ts'
import { BY_EITHER_ID, Node, telling } from './entity.ts'

export const Album = builder.objectRef<AlbumSource>('Album')
const { told, wholly } = telling<AlbumRecord>(album, (loaders) => loaders.album)

const AlbumStatistics = builder.objectRef<Statistics>('AlbumStatistics').implement({
  description: 'Counters of an album.',
  fields: (t) => ({
    platAPopularity: t.expose('platAPopularity', {
      type: 'Int',
      description: 'Popularity on platA. Wire: sp_popularity',
    }),
    platAPlaylistCount: t.expose('platAPlaylistCount', {
      type: 'BigInt',
      description: 'Playlists on platA. Wire: num_sp_playlists',
    }),
    platAPlaylistTotalReach: t.expose('platAPlaylistTotalReach', {
      type: 'BigInt',
      description: 'Reach of them. Wire: sp_playlist_total_reach',
    }),
    platAEditorialPlaylistCount: t.expose('platAEditorialPlaylistCount', {
      type: 'BigInt',
      description: 'Editorial playlists on platA. Wire: num_sp_editorial_playlists',
    }),
    platAEditorialPlaylistTotalReach: t.expose('platAEditorialPlaylistTotalReach', {
      type: 'BigInt',
      description: 'Reach of them. Wire: sp_editorial_playlist_total_reach',
    }),
    counters: t.field({
      type: [Counter],
      nullable: false,
      description: 'Every counter of the answer, by wire name.',
      args: { names: t.arg.stringList({ description: 'Only these wire names.' }) },
      resolve: (row, { names }) => counters(row, names),
    }),
  }),
})

Album.implement({
  description: 'An album.',
  interfaces: [Node],
  extensions: { directives: { key: BY_EITHER_ID } },
  fields: (t) => ({
    cmId: t.exposeInt('cmId', {
      nullable: false,
      description: "The service's number. Wire: cm_album, else the id asked for",
    }),
    rowId: t.field({
      type: 'ID',
      description: "The service's id of the record, null at times. Wire: id",
      resolve: told('rowId'),
    }),
    name: t.field({ type: 'String', description: 'Title. Wire: name', resolve: told('name') }),
    localName: t.field({
      type: 'String',
      description: 'Title in its own script. Wire: local_name',
      resolve: told('localName'),
    }),
    localNameLocale: t.field({
      type: 'String',
      description: 'Locale of that script. Wire: local_name_locale',
      resolve: told('localNameLocale'),
    }),
    description: t.field({
      type: 'String',
      description: 'Text about the album. Wire: description',
      resolve: told('description'),
    }),
    upc: t.field({ type: 'String', description: 'Product code. Wire: upc', resolve: told('upc') }),
    imageUrl: t.field({
      type: 'URL',
      description: 'Picture. Wire: image_url',
      resolve: told('imageUrl'),
    }),
    releaseDate: t.field({
      type: 'Date',
      description: 'Day of release. Wire: release_date',
      resolve: told('releaseDate'),
    }),
    label: t.field({ type: 'String', description: 'Label. Wire: label', resolve: told('label') }),
    labelId: t.field({
      type: 'Int',
      description: 'Number of the label. Wire: cm_label',
      resolve: told('labelId'),
    }),
    trackCount: t.field({
      type: 'Int',
      description: 'Tracks on it. Wire: num_track',
      resolve: told('trackCount'),
    }),
    platAPopularity: t.field({
      type: 'Int',
      description: 'Popularity on platA. Wire: platA_popularity',
      resolve: told('platAPopularity'),
    }),
    platAAlbumIds: t.field({
      type: ['ID'],
      description: 'Ids on platA. Wire: platA_album_ids',
      resolve: told('platAAlbumIds'),
    }),
    platBAlbumIds: t.field({
      type: ['ID'],
      description: 'Ids on platB. Wire: platB_album_ids',
      resolve: told('platBAlbumIds'),
    }),
    platHAlbumIds: t.field({
      type: ['ID'],
      description: 'Ids on platH. Wire: platH_album_ids',
      resolve: told('platHAlbumIds'),
    }),
    artists: t.field({
      type: [Artist],
      description: 'Artists with an id. Wire: artists',
      resolve: told('artists', artistsOf, albumArtist.columns),
    }),
    artistNames: t.field({
      type: ['String'],
      description: 'Names of all its artists, in order. Wire: artists.name',
      resolve: told('artistNames'),
    }),
    statistics: t.field({
      type: AlbumStatistics,
      description: 'Counters now. Wire: cm_statistics',
      resolve: told('statistics'),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the record was made. Wire: created_at',
      resolve: told('createdAt'),
    }),
    modifiedAt: t.field({
      type: 'DateTime',
      description: 'When it last changed. Wire: modified_at',
      resolve: told('modifiedAt'),
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: wholly(additionalFields),
    }),
  }),
})
