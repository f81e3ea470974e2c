import type { Track as TrackSource } from '../loaders/index.ts'
import { additionalFields, counters } from '../upstream/decode.ts'
import { albumCredit } from '../upstream/endpoints/album.ts'
import { creditedArtist } from '../upstream/endpoints/artist.ts'
import {
  type TrackStatistics as Statistics,
  type TrackRecord,
  track,
} from '../upstream/endpoints/track.ts'
import { Album } from './album.ts'
import { AlbumCredit, albumsOf } from './album-credit.ts'
import { Artist } from './artist.ts'
import { artistsOf } from './artist-credit.ts'
import { builder } from './builder.ts'
import { Counter } from './counter.ts'
import { BY_EITHER_ID, Node, telling } from './entity.ts'
import { Descriptor, Genre } from './genre.ts'

export const Track = builder.objectRef<TrackSource>('Track')
const { told, wholly } = telling<TrackRecord>(track, (loaders) => loaders.track)

const TrackStatistics = builder.objectRef<Statistics>('TrackStatistics').implement({
  description: 'Counters of a track.',
  fields: (t) => ({
    trackId: t.expose('trackId', {
      type: 'Int',
      description: 'Number of the track. Wire: cm_track',
    }),
    platAPopularity: t.expose('platAPopularity', {
      type: 'Int',
      description: 'Popularity on platA. Wire: sp_popularity',
    }),
    platAStreams: t.expose('platAStreams', {
      type: 'BigInt',
      description: 'Streams on platA. Wire: sp_streams',
    }),
    platDVideoCount: t.expose('platDVideoCount', {
      type: 'BigInt',
      description: 'Videos with the track on platD (`tt` read so, inferred). Wire: num_tt_videos',
    }),
    platJViews: t.expose('platJViews', {
      type: 'BigInt',
      description: 'Views on platJ. Wire: platJ_views',
    }),
    platWPageViews: t.expose('platWPageViews', {
      type: 'BigInt',
      description: 'Page views on platW. Wire: platW_page_views',
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

Track.implement({
  description: 'A track.',
  interfaces: [Node],
  extensions: { directives: { key: BY_EITHER_ID } },
  fields: (t) => ({
    cmId: t.exposeInt('cmId', {
      nullable: false,
      description: "The service's number. Wire: id, cm_track",
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
    isrc: t.field({
      type: 'String',
      description: 'Recording code. Wire: isrc',
      resolve: told('isrc'),
    }),
    imageUrl: t.field({
      type: 'URL',
      description: 'Picture. Wire: image_url',
      resolve: told('imageUrl'),
    }),
    previewUrl: t.field({
      type: 'URL',
      description: 'Sound sample. Wire: preview_url',
      resolve: told('previewUrl'),
    }),
    durationMs: t.field({
      type: 'Int',
      description: 'Length, milliseconds. Wire: duration_ms',
      resolve: told('durationMs'),
    }),
    composerName: t.field({
      type: 'String',
      description: 'Composers, as written. Wire: composer_name',
      resolve: told('composerName'),
    }),
    trackTier: t.field({
      type: 'String',
      description: 'Tier of the track. Wire: track_tier',
      resolve: told('trackTier'),
    }),
    artists: t.field({
      type: [Artist],
      description: 'Artists with an id. Wire: artists',
      resolve: told('artists', artistsOf, creditedArtist.columns),
    }),
    artistNames: t.field({
      type: ['String'],
      description: 'Names of all its artists, in order. Wire: artists.name, artist_names',
      resolve: told('artistNames'),
    }),
    albums: t.field({
      type: [Album],
      description: 'Albums with an id. Wire: albums',
      resolve: told('albums', albumsOf, albumCredit.columns),
    }),
    albumCredits: t.field({
      type: [AlbumCredit],
      description: 'All its albums as the track names them. Wire: albums',
      resolve: told('albumCredits'),
    }),
    albumLabel: t.field({
      type: 'String',
      description: 'Label of the album. Wire: album_label',
      resolve: told('albumLabel'),
    }),
    releaseDate: t.field({
      type: 'Date',
      description: 'Day of release. Wire: release_date',
      resolve: told('releaseDate'),
    }),
    isExplicit: t.field({
      type: 'Boolean',
      description: 'Whether lyrics are explicit. Wire: explicit',
      resolve: told('isExplicit'),
    }),
    tags: t.field({
      type: ['String'],
      description: 'Tags; comma-separated on the wire. Wire: tags',
      resolve: told('tags'),
    }),
    moods: t.field({
      type: [Descriptor],
      description: 'Moods; shape not documented: objects or plain names are read. Wire: moods',
      resolve: told('moods'),
    }),
    activities: t.field({
      type: [Descriptor],
      description: 'Activities; read likewise. Wire: activities',
      resolve: told('activities'),
    }),
    genres: t.field({
      type: [Genre],
      description: 'Genres; read likewise. Wire: genres',
      resolve: told('genres'),
    }),
    songwriters: t.field({
      type: ['String'],
      description: "Songwriters' names; read likewise. Wire: songwriters",
      resolve: told('songwriters'),
    }),
    cmSongwriters: t.field({
      type: 'JSON',
      description: 'Songwriters known to the service; shape not documented. Wire: cm_songwriters',
      resolve: told('cmSongwriters'),
    }),
    score: t.field({
      type: 'Float',
      description: 'Score of the service. Wire: score',
      resolve: told('score'),
    }),
    statistics: t.field({
      type: TrackStatistics,
      description: 'Counters now. Wire: cm_statistics',
      resolve: told('statistics'),
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: wholly(additionalFields),
    }),
  }),
})
