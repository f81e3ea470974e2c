import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import { known } from '../loaders/entity.ts'
import type { Days } from '../loaders/estimate.ts'
import type { Track as TrackSource } from '../loaders/index.ts'
import {
  ESTIMATE_STATUS,
  ESTIMATES_AT_ONCE,
  type StreamEstimate as Estimate,
  type StreamEstimateSnapshot as Snapshot,
  streamEstimates,
} from '../upstream/endpoints/estimate.ts'
import type { TrackRecord } from '../upstream/endpoints/track.ts'
import type { Args } from '../upstream/params.ts'
import { checkArgs } from '../upstream/request.ts'
import { builder } from './builder.ts'
import type { forward } from './connection.ts'
import { askerOf } from './credits-directive.ts'
import { valuesOf } from './enum.ts'
import { spending } from './spends.ts'
import { reportStale } from './stale.ts'
import { Track } from './track.ts'

const StreamEstimateSnapshot = builder.objectRef<Snapshot>('StreamEstimateSnapshot').implement({
  description: 'Estimate of one day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'Day. Wire: timestp' }),
    trackId: t.expose('trackId', {
      type: 'Int',
      description: 'Number of the track. Wire: cm_track',
    }),
    playlistStreamPercent: t.expose('playlistStreamPercent', {
      type: 'Float',
      description: 'Share of streams from playlists, percent. Wire: playlist_stream_pct',
    }),
    playlistCount: t.expose('playlistCount', {
      type: 'Int',
      description: 'Playlists. Wire: playlist_count',
    }),
    expectedPlaylistStreams: t.expose('expectedPlaylistStreams', {
      type: 'BigInt',
      description: 'Streams expected from playlists. Wire: expected_playlist_streams',
    }),
    streamsGainedInPeriod: t.expose('streamsGainedInPeriod', {
      type: 'BigInt',
      description: 'Streams gained. Wire: streams_gained_in_period',
    }),
    expectedEditorial: t.expose('expectedEditorial', {
      type: 'BigInt',
      description: 'Expected from editorial playlists. Wire: expected_editorial',
    }),
    expectedChart: t.expose('expectedChart', {
      type: 'BigInt',
      description: 'Expected from charts. Wire: expected_chart',
    }),
    expectedUserOther: t.expose('expectedUserOther', {
      type: 'BigInt',
      description: 'Expected from users and others. Wire: expected_user_other',
    }),
  }),
})

const StreamEstimateStatus = builder.enumType('StreamEstimateStatus', {
  description: 'Whether a track has estimates.',
  values: valuesOf(ESTIMATE_STATUS, {
    AVAILABLE: 'There are. Wire: available',
    NOT_FOUND: 'The track is not known. Wire: not_found',
  }),
})

const StreamEstimate = builder.objectRef<Estimate>('StreamEstimate').implement({
  description: 'Stream estimate of one track.',
  fields: (t) => ({
    track: t.field({
      type: Track,
      description: 'The track. Wire: cm_track',
      resolve: spending({ tells: new Map() }, ({ trackId }: Estimate) =>
        trackId === null ? null : known<TrackRecord>(trackId),
      ),
    }),
    status: t.expose('status', {
      type: StreamEstimateStatus,
      description: 'Whether there are estimates; a missing track is not an error. Wire: status',
    }),
    estimates: t.expose('estimates', {
      type: [StreamEstimateSnapshot],
      nullable: false,
      description: 'Snapshots. Wire: estimates',
    }),
  }),
})

const daysOf = (arg: Parameters<typeof forward>[0]) => ({
  date: arg({
    type: 'Date',
    description: 'Snapshot of this day; excludes `since` and `until`. Wire: date',
  }),
  since: arg({ type: 'Date', description: 'First day of weekly history. Wire: since' }),
  until: arg({ type: 'Date', description: 'Last day of weekly history. Wire: until' }),
})

const estimated = async (
  trackCmId: number,
  days: Days,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Estimate> => {
  const { value, stale } = await context.loaders.estimate(trackCmId, days, askerOf(info))
  if (stale !== undefined) reportStale(context, info.path, stale, info.path)
  return value
}

/** Estimates of the tracks of a whole operation share requests. */
const sharing = (count: (args: Args) => number) => ({
  shares: { endpoint: streamEstimates, most: ESTIMATES_AT_ONCE, count },
})

builder.objectField(Track, 'streamEstimates', (t) =>
  t.field({
    type: StreamEstimate,
    description: 'Playlist stream estimates; tracks of one page share requests of 50.',
    args: daysOf(t.arg),
    resolve: spending(
      sharing(() => 1),
      ({ cmId }: TrackSource, days: Days, context: Context, info: GraphQLResolveInfo) =>
        estimated(cmId, days, context, info),
    ),
  }),
)

interface EstimatesArgs extends Days {
  readonly trackCmIds: readonly number[]
}

builder.queryField('streamEstimates', (t) =>
  t.field({
    type: [StreamEstimate],
    nullable: { list: true, items: true },
    description:
      'Playlist stream estimates, same order, one each; 1 credit for 50 tracks. Wire: POST /api/track/playlist-stream-estimates',
    args: {
      trackCmIds: t.arg.intList({
        required: true,
        description: 'Numbers of the tracks. Wire: ids',
      }),
      ...daysOf(t.arg),
    },
    resolve: spending(
      sharing(({ trackCmIds }) => (Array.isArray(trackCmIds) ? trackCmIds.length : 0)),
      (
        _query: object,
        { trackCmIds, ...days }: EstimatesArgs,
        context: Context,
        info: GraphQLResolveInfo,
      ) => {
        checkArgs(streamEstimates, { ...days, trackCmIds: [] })
        return trackCmIds.map((trackCmId) => estimated(trackCmId, days, context, info))
      },
    ),
  }),
)
