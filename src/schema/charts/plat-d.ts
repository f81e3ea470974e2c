import {
  PLAT_D_INTERVAL,
  type PlatDEntry,
  platDTrackChart,
} from '../../upstream/endpoints/chart-plat-d.ts'
import { uncreditedTrack } from '../../upstream/endpoints/chart-recording.ts'
import { viewOf } from '../../upstream/window.ts'
import { Artist } from '../artist.ts'
import { ArtistCredit } from '../artist-credit.ts'
import { builder } from '../builder.ts'
import { Charts, dateArg, edition } from '../chart.ts'
import { ChartEntry } from '../chart-entry.ts'
import { TrackChartEntry, trackOf } from '../chart-track-entry.ts'
import { connectionOf, forward } from '../connection.ts'
import { valuesOf } from '../enum.ts'
import { pagedField } from '../listing.ts'
import { Track } from '../track.ts'

const PlatDInterval = builder.enumType('PlatDInterval', {
  description: 'Span of the platD chart.',
  values: valuesOf(PLAT_D_INTERVAL, {
    DAILY: 'Wire: daily',
    WEEKLY: 'Wire: weekly',
    MONTHLY: 'Wire: monthly',
    SEMI_YEARLY: 'Wire: semi-yearly',
    YEARLY: 'Wire: yearly',
    ALL_TIME: 'Wire: all_time',
  }),
})

const PlatDChartEntry = builder.objectRef<PlatDEntry>('PlatDChartEntry').implement({
  description: "A track's place on the platD chart.",
  interfaces: [TrackChartEntry, ChartEntry],
  fields: (t) => ({
    track: t.field({
      type: Track,
      description: 'The track, null when unmatched; its artists are not in the row. Wire: cm_track',
      resolve: trackOf(uncreditedTrack),
    }),
    artistCredits: t.field({
      type: [ArtistCredit],
      nullable: false,
      description: 'Every credited name, without links. Wire: platD_artist_names',
      resolve: ({ artistCredits }) => artistCredits.named,
    }),
    artists: t.field({
      type: [Artist],
      nullable: false,
      description:
        "Always empty: this chart's rows carry no artist ids; `track { artists }` has them, for a credit.",
      resolve: () => [],
    }),
    platD: t.expose('platD', {
      type: 'ID',
      description: 'Id on the platform, read so. Wire: platD',
    }),
    platDTrackId: t.expose('platDTrackId', {
      type: 'ID',
      description: "The platform's id of the track. Wire: platD_track_id",
    }),
    posts: t.expose('posts', {
      type: 'BigInt',
      description: 'Posts with the track. Wire: posts',
    }),
    views: t.expose('views', { type: 'BigInt', description: 'Views. Wire: views' }),
    previousViews: t.expose('previousViews', {
      type: 'BigInt',
      description: 'Views before. Wire: views_prev',
    }),
  }),
})

const { connection } = connectionOf(
  'PlatDChart',
  PlatDChartEntry,
  'A platD track chart; ends by an empty page, at most 10,000.',
)
const view = viewOf(platDTrackChart)

builder.objectField(Charts, 'platDTracks', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Tracks of platD; 1 credit for 100. Wire: GET /api/charts/platD/tracks',
    args: {
      date: dateArg(t.arg),
      interval: t.arg({
        type: PlatDInterval,
        defaultValue: 'all_time',
        description: 'Span of the chart. Wire: interval',
      }),
      countryCode: t.arg({
        type: 'CountryCode',
        description: 'The chart of this country, else the one by posts. Wire: code2, countryChart',
      }),
      ...forward(t.arg),
    },
    ask: (_charts, { date, interval, countryCode, ...paging }) => ({
      view,
      args: {
        ...edition(date),
        interval,
        countryCode,
        ...(typeof countryCode === 'string' && { countryChart: true }),
      },
      paging,
    }),
    node: (row) => row,
  }),
)
