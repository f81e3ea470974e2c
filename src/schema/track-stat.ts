import { known } from '../loaders/entity.ts'
import { firstTracks } from '../loaders/shared-track.ts'
import { additionalFields } from '../upstream/decode.ts'
import { NAMED_ALBUM } from '../upstream/endpoints/album.ts'
import { namedArtist } from '../upstream/endpoints/artist.ts'
import { filteredTrack, type TrackPart, type TrackRecord } from '../upstream/endpoints/track.ts'
import {
  type TrackStatRow as Row,
  STAT_PERIOD,
  tracksByFilter,
} from '../upstream/endpoints/track-stat.ts'
import { viewOf } from '../upstream/window.ts'
import { Album } from './album.ts'
import { AlbumCredit, albumsOf } from './album-credit.ts'
import { Artist } from './artist.ts'
import { ArtistCredit, artistsOf } from './artist-credit.ts'
import { builder } from './builder.ts'
import { bothWays, connectionOf } from './connection.ts'
import { Descriptor } from './genre.ts'
import { pagedField } from './listing.ts'
import { spending } from './spends.ts'
import { Track } from './track.ts'
import { filterOf, orderOf } from './track-stat-args.ts'
import { StatPeriod, TrackFilter, TrackOrder } from './track-stat-filter.ts'
import { TrackStats } from './track-stat-period.ts'

const trackOf = (part: TrackPart | null) =>
  typeof part?.cmId === 'number' ? known<TrackRecord>(part.cmId, part) : null

const TrackStatRow = builder.objectRef<Row>('TrackStatRow').implement({
  description:
    'A track of the track filter, with the statistics of that row; a period that was not asked for is null.',
  fields: (t) => ({
    track: t.field({
      type: Track,
      description:
        'The track; name, isrc, imageUrl, isExplicit are free. Wire: cm_track, name, isrc, image_url, explicit',
      resolve: spending({ tells: filteredTrack.columns }, ({ track }: Row) => trackOf(track)),
    }),
    artistCredits: t.expose('artistCredits', {
      type: [ArtistCredit],
      nullable: false,
      description: 'Every named artist. Wire: artist',
    }),
    artists: t.field({
      type: [Artist],
      nullable: false,
      description: 'Artists with an id. Wire: artist',
      resolve: spending({ tells: namedArtist.columns }, ({ artistCredits }: Row) =>
        artistsOf(artistCredits),
      ),
    }),
    albumCredits: t.expose('albumCredits', {
      type: [AlbumCredit],
      nullable: false,
      description: 'Every named album. Wire: album',
    }),
    albums: t.field({
      type: [Album],
      nullable: false,
      description: 'Albums with an id. Wire: album',
      resolve: spending({ tells: NAMED_ALBUM }, ({ albumCredits }: Row) => albumsOf(albumCredits)),
    }),
    genres: t.expose('genres', {
      type: ['String'],
      nullable: false,
      description: 'Genres. Wire: genre',
    }),
    songwriters: t.expose('songwriters', {
      type: ['String'],
      nullable: false,
      description: 'Songwriters. Wire: songwriter',
    }),
    moods: t.expose('moods', {
      type: [Descriptor],
      nullable: false,
      description: 'Moods; shape not documented: objects or plain names are read. Wire: moods',
    }),
    score: t.expose('score', { type: 'Float', description: 'Score of the service. Wire: score' }),
    latest: t.expose('latest', {
      type: TrackStats,
      description: 'Values now; null unless asked for. Wire: latest',
    }),
    weeklyDiff: t.expose('weeklyDiff', {
      type: TrackStats,
      description: 'Change over 7 days; null unless asked for. Wire: weekly_diff',
    }),
    monthlyDiff: t.expose('monthlyDiff', {
      type: TrackStats,
      description: 'Change over 28 days; null unless asked for. Wire: monthly_diff',
    }),
    bimonthlyDiff: t.expose('bimonthlyDiff', {
      type: TrackStats,
      description: 'Bimonthly change; null unless asked for. Wire: bimonthly_diff',
    }),
    weeklyDiffPercent: t.expose('weeklyDiffPercent', {
      type: TrackStats,
      description: 'Change over 7 days, percent; null unless asked for. Wire: weekly_diff_percent',
    }),
    monthlyDiffPercent: t.expose('monthlyDiffPercent', {
      type: TrackStats,
      description:
        'Change over 28 days, percent; null unless asked for. Wire: monthly_diff_percent',
    }),
    bimonthlyDiffPercent: t.expose('bimonthlyDiffPercent', {
      type: TrackStats,
      description: 'Bimonthly change, percent; null unless asked for. Wire: bimonthly_diff_percent',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const { connection } = connectionOf(
  'TrackStat',
  TrackStatRow,
  'Tracks of the track filter; ends by `total`, at most 10,000.',
)
const view = viewOf(tracksByFilter)

builder.queryField('tracksByStat', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Tracks by ranges of statistics. Wire: GET /api/track/list/filter',
    args: {
      filter: t.arg({ type: TrackFilter, description: 'Which tracks.' }),
      orderBy: t.arg({ type: TrackOrder, description: 'Order; SCORE descending when left out.' }),
      period: t.arg({
        type: StatPeriod,
        defaultValue: STAT_PERIOD.LATEST,
        description: 'Window of every range of the filter. Wire: range_period',
      }),
      ...bothWays(t.arg),
    },
    ask: (_query, { filter, orderBy, period, ...paging }) => ({
      view,
      args: { period, ...filterOf(filter), ...orderOf(orderBy, period) },
      paging,
    }),
    node: (row) => row,
  }),
)

builder.objectField(Artist, 'tracks', (t) =>
  pagedField(t, {
    type: connection,
    description:
      'Its tracks, by the track filter; artists of one page share a request. Wire: artists[]',
    args: {
      orderBy: t.arg({ type: TrackOrder, description: 'Order; SCORE descending when left out.' }),
      ...bothWays(t.arg),
    },
    ask: ({ cmId }, { orderBy, ...paging }) => ({
      view,
      args: { artistIds: [cmId], ...orderOf(orderBy) },
      paging,
    }),
    node: (row) => row,
    through: (loaders) => loaders.artistTracks,
    joins: firstTracks,
  }),
)
