import { known } from '../loaders/entity.ts'
import { type AlbumRecord, foundAlbum } from '../upstream/endpoints/album.ts'
import type { ArtistRecord } from '../upstream/endpoints/artist.ts'
import { bucket, type FoundArtist, foundArtist } from '../upstream/endpoints/search.ts'
import { foundTrack, type TrackRecord } from '../upstream/endpoints/track.ts'
import { Album } from './album.ts'
import { Artist } from './artist.ts'
import { builder } from './builder.ts'
import { City } from './city.ts'
import { connectionOf, forward } from './connection.ts'
import { pagedField } from './listing.ts'
import {
  Curator,
  PlaylistSearchRow,
  SearchCuratorPlatform,
  SearchPlaylistPlatform,
  Songwriter,
} from './search-row.ts'
import { purely } from './spends.ts'
import { Track } from './track.ts'

/** What is searched for; nothing is sent until a list is asked for. */
interface SearchSource {
  readonly query: string
  readonly triggerCitiesOnly?: boolean | null | undefined
}

const artists = connectionOf('Artist', Artist, 'Artists found by search; ends by a short page.')
const tracks = connectionOf('Track', Track, 'Tracks found by search; ends by a short page.')
const albums = connectionOf('Album', Album, 'Albums found by search; ends by a short page.')
const playlists = connectionOf(
  'PlaylistSearch',
  PlaylistSearchRow,
  'Playlists found by search; ends by a short page.',
)
const curators = connectionOf('Curator', Curator, 'Curators found by search; ends by a short page.')
const cities = connectionOf('City', City, 'Cities found by search; ends by a short page.')
const songwriters = connectionOf(
  'Songwriter',
  Songwriter,
  'Songwriters found by search; ends by a short page.',
)
const rows = connectionOf<unknown>(
  'JSON',
  'JSON',
  'Rows whose shape is not documented, as they came; ends by a short page.',
)

const isFound = (row: object | undefined): row is FoundArtist =>
  row !== undefined && 'platAFollowers' in row

builder.objectFields(artists.edge, (t) => ({
  platAFollowers: t.field({
    type: 'BigInt',
    description: 'Followers on platA. Wire: sp_followers',
    resolve: ({
      item: {
        row: { row },
      },
    }) => (isFound(row) ? row.platAFollowers : null),
  }),
  platAMonthlyListeners: t.field({
    type: 'BigInt',
    description: 'Listeners of a month on platA. Wire: sp_monthly_listeners',
    resolve: ({
      item: {
        row: { row },
      },
    }) => (isFound(row) ? row.platAMonthlyListeners : null),
  }),
}))

const SearchResult = builder.objectRef<SearchSource>('SearchResult').implement({
  description:
    'What was found, by kind. One request asks for all kinds, so a later one of the same words is free.',
  fields: (t) => ({
    artists: pagedField(t, {
      type: artists.connection,
      description:
        'Artists, with score, platAFollowers, platAMonthlyListeners of the row. Wire: artists',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.artists, args: { ...search }, paging }),
      node: (row) => known<ArtistRecord>(row.cmId ?? 0, row),
      tells: foundArtist.columns,
    }),
    tracks: pagedField(t, {
      type: tracks.connection,
      description: 'Tracks. Wire: tracks',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.tracks, args: { ...search }, paging }),
      node: (row) => known<TrackRecord>(row.cmId ?? 0, row),
      tells: foundTrack.columns,
    }),
    albums: pagedField(t, {
      type: albums.connection,
      description: 'Albums. Wire: albums',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.albums, args: { ...search }, paging }),
      node: (row) => known<AlbumRecord>(row.cmId ?? 0, row),
      tells: foundAlbum.columns,
    }),
    playlists: pagedField(t, {
      type: playlists.connection,
      description: 'Playlists of one platform. Wire: playlists.<platform>',
      args: {
        platform: t.arg({ type: SearchPlaylistPlatform, required: true, description: 'Platform.' }),
        ...forward(t.arg),
      },
      ask: (search, { platform, ...paging }) => ({
        view: bucket.playlists(platform),
        args: { ...search },
        paging,
      }),
      node: (row) => row,
    }),
    curators: pagedField(t, {
      type: curators.connection,
      description: 'Curators of one platform. Wire: curators.<platform>',
      args: {
        platform: t.arg({ type: SearchCuratorPlatform, required: true, description: 'Platform.' }),
        ...forward(t.arg),
      },
      ask: (search, { platform, ...paging }) => ({
        view: bucket.curators(platform),
        args: { ...search },
        paging,
      }),
      node: (row) => row,
    }),
    cities: pagedField(t, {
      type: cities.connection,
      description: 'Cities. Wire: cities',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.cities, args: { ...search }, paging }),
      node: (row) => row,
    }),
    songwriters: pagedField(t, {
      type: songwriters.connection,
      description: 'Songwriters. Wire: songwriters',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.songwriters, args: { ...search }, paging }),
      node: (row) => row,
    }),
    stations: pagedField(t, {
      type: rows.connection,
      description: 'Radio stations. Wire: stations',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.stations, args: { ...search }, paging }),
      node: (row) => row,
    }),
    labels: pagedField(t, {
      type: rows.connection,
      description: 'Labels. Wire: labels',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.labels, args: { ...search }, paging }),
      node: (row) => row,
    }),
    countries: pagedField(t, {
      type: rows.connection,
      description: 'Countries. Wire: countries',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.countries, args: { ...search }, paging }),
      node: (row) => row,
    }),
    genres: pagedField(t, {
      type: rows.connection,
      description: 'Genres. Wire: genres',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.genres, args: { ...search }, paging }),
      node: (row) => row,
    }),
    festivals: pagedField(t, {
      type: rows.connection,
      description: 'Festivals. Wire: festivals',
      args: forward(t.arg),
      ask: (search, paging) => ({ view: bucket.festivals, args: { ...search }, paging }),
      node: (row) => row,
    }),
  }),
})

builder.queryField('search', (t) =>
  t.field({
    type: SearchResult,
    nullable: false,
    description:
      'Search by text or by a streaming or social URL; buckets of one page share one credit. Wire: GET /api/search',
    args: {
      query: t.arg.string({
        required: true,
        description: 'Text or URL, 1 to 100 characters. Wire: q',
      }),
      triggerCitiesOnly: t.arg.boolean({
        description: 'Only trigger cities in `cities`. Wire: triggerCitiesOnly',
      }),
    },
    resolve: purely((_query: object, args: SearchSource): SearchSource => args),
  }),
)
