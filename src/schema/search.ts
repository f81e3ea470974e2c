import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import { known } from '../loaders/entity.ts'
import type { AlbumRecord } from '../upstream/endpoints/album.ts'
import type { ArtistRecord } from '../upstream/endpoints/artist.ts'
import {
  bucket,
  type FoundArtist,
  SEARCH_KIND,
  type SearchKind,
} from '../upstream/endpoints/search.ts'
import type { TrackRecord } from '../upstream/endpoints/track.ts'
import type { View } from '../upstream/window.ts'
import { Album } from './album.ts'
import { Artist } from './artist.ts'
import { builder } from './builder.ts'
import { City } from './city.ts'
import { connect, connectionOf, forward, type PagingArgs } from './connection.ts'
import {
  Curator,
  PlaylistSearchRow,
  SearchCuratorPlatform,
  SearchPlaylistPlatform,
  Songwriter,
} from './search-row.ts'
import { selected } from './selection.ts'
import { Track } from './track.ts'

/** What is searched for; nothing is sent until a list is asked for. */
interface SearchSource {
  readonly query: string
  readonly triggerCitiesOnly?: boolean | null | undefined
  readonly kind: SearchKind
}

/** The kind to ask for: that of the one kind of list that is selected, if the service has such a kind, else all. */
const kindOf = (info: GraphQLResolveInfo): SearchKind => {
  const [only, ...more] = [...selected(info).keys()].filter((name) => name in bucket)
  const own = Object.values(SEARCH_KIND).find((kind) => kind === only)
  return more.length === 0 && own !== undefined ? own : SEARCH_KIND.ALL
}

const found = <V, R, N>(
  search: SearchSource,
  view: View<V, R>,
  paging: PagingArgs,
  context: Context,
  nodeOf: (row: R) => N,
) => connect(context, view, { ...search }, paging, nodeOf)

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
    'What was found, by kind. One kind selected asks for its kind only, several for all.',
  fields: (t) => ({
    artists: t.field({
      type: artists.connection,
      description:
        'Artists, with score, platAFollowers, platAMonthlyListeners of the row. Wire: artists',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.artists, paging, context, (row) =>
          known<ArtistRecord>(row.cmId ?? 0, row),
        ),
    }),
    tracks: t.field({
      type: tracks.connection,
      description: 'Tracks. Wire: tracks',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.tracks, paging, context, (row) =>
          known<TrackRecord>(row.cmId ?? 0, row),
        ),
    }),
    albums: t.field({
      type: albums.connection,
      description: 'Albums. Wire: albums',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.albums, paging, context, (row) =>
          known<AlbumRecord>(row.cmId ?? 0, row),
        ),
    }),
    playlists: t.field({
      type: playlists.connection,
      description: 'Playlists of one platform. Wire: playlists.<platform>',
      args: {
        platform: t.arg({ type: SearchPlaylistPlatform, required: true, description: 'Platform.' }),
        ...forward(t.arg),
      },
      resolve: (search, { platform, ...paging }, context) =>
        found(search, bucket.playlists(platform), paging, context, (row) => row),
    }),
    curators: t.field({
      type: curators.connection,
      description: 'Curators of one platform. Wire: curators.<platform>',
      args: {
        platform: t.arg({ type: SearchCuratorPlatform, required: true, description: 'Platform.' }),
        ...forward(t.arg),
      },
      resolve: (search, { platform, ...paging }, context) =>
        found(search, bucket.curators(platform), paging, context, (row) => row),
    }),
    cities: t.field({
      type: cities.connection,
      description: 'Cities. Wire: cities',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.cities, paging, context, (row) => row),
    }),
    songwriters: t.field({
      type: songwriters.connection,
      description: 'Songwriters. Wire: songwriters',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.songwriters, paging, context, (row) => row),
    }),
    stations: t.field({
      type: rows.connection,
      description: 'Radio stations. Wire: stations',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.stations, paging, context, (row) => row),
    }),
    labels: t.field({
      type: rows.connection,
      description: 'Labels; only in an answer for all kinds. Wire: labels',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.labels, paging, context, (row) => row),
    }),
    countries: t.field({
      type: rows.connection,
      description: 'Countries; only in an answer for all kinds. Wire: countries',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.countries, paging, context, (row) => row),
    }),
    genres: t.field({
      type: rows.connection,
      description: 'Genres; only in an answer for all kinds. Wire: genres',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.genres, paging, context, (row) => row),
    }),
    festivals: t.field({
      type: rows.connection,
      description: 'Festivals; only in an answer for all kinds. Wire: festivals',
      args: forward(t.arg),
      resolve: (search, paging, context) =>
        found(search, bucket.festivals, paging, context, (row) => row),
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
    resolve: (_query, args, _context, info) => ({ ...args, kind: kindOf(info) }),
  }),
)
