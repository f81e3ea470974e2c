import { additionalFields } from '../../upstream/decode.ts'
import {
  CHART_INTERVAL,
  chartedArtist,
  PLAT_A_ARTIST_CHART_TYPE,
  type PlatAEntry,
  platAArtistChart,
} from '../../upstream/endpoints/chart-plat-a.ts'
import { viewOf } from '../../upstream/window.ts'
import { Artist } from '../artist.ts'
import { artistsOf } from '../artist-credit.ts'
import { builder } from '../builder.ts'
import { Charts, dateArg, edition } from '../chart.ts'
import { ChartEntry } from '../chart-entry.ts'
import { connectionOf, forward } from '../connection.ts'
import { valuesOf } from '../enum.ts'
import { pagedField } from '../listing.ts'
import { spending } from '../spends.ts'

const ChartInterval = builder.enumType('ChartInterval', {
  description: 'Span of the platA chart.',
  values: valuesOf(CHART_INTERVAL, {
    DAILY: 'Wire: daily',
    WEEKLY: 'Wire: weekly',
    MONTHLY: 'Wire: monthly',
  }),
})

const PlatAArtistChartType = builder.enumType('PlatAArtistChartType', {
  description: 'What ranks the platA artists.',
  values: valuesOf(PLAT_A_ARTIST_CHART_TYPE, {
    MONTHLY_LISTENERS: 'Wire: monthly_listeners',
    POPULARITY: 'Wire: popularity',
    FOLLOWERS: 'Wire: followers',
    PLAYLIST_COUNT: 'Wire: playlist_count',
    PLAYLIST_REACH: 'Wire: playlist_reach',
  }),
})

const NOT_HERE = "Always null: not in this chart's row."

const PlatAChartEntry = builder.objectRef<PlatAEntry>('PlatAChartEntry').implement({
  description: "An artist's place on the platA chart; counters are those of the chart's day.",
  interfaces: [ChartEntry],
  fields: (t) => ({
    previousRank: t.expose('previousRank', { type: 'Int', description: NOT_HERE }),
    addedAt: t.expose('addedAt', { type: 'Date', description: NOT_HERE }),
    velocity: t.expose('velocity', { type: 'Float', description: NOT_HERE }),
    artist: t.field({
      type: Artist,
      description:
        'The artist; name, imageUrl, isni, countryCode, hometownCity, currentCity are free. Wire: id',
      resolve: spending(
        { tells: chartedArtist.columns },
        ({ artist }: PlatAEntry) => artist && artistsOf([artist])[0],
      ),
    }),
    date: t.expose('date', { type: 'Date', description: 'Day of the row. Wire: timestp' }),
    change: t.expose('change', {
      type: 'String',
      description: 'Change of place, as written. Wire: change',
    }),
    streak: t.expose('streak', {
      type: 'Int',
      description: 'Run on the chart, as the row counts it. Wire: streak',
    }),
    artistRank: t.expose('artistRank', {
      type: 'Int',
      description: 'Rank among all artists. Wire: cm_artist_rank',
    }),
    artistScore: t.expose('artistScore', {
      type: 'Float',
      description: 'Score of the service. Wire: cm_artist_score',
    }),
    platAFollowers: t.expose('platAFollowers', {
      type: 'BigInt',
      description: 'Followers. Wire: sp_followers',
    }),
    platAPopularity: t.expose('platAPopularity', {
      type: 'Int',
      description: 'Popularity. Wire: sp_popularity',
    }),
    platAMonthlyListeners: t.expose('platAMonthlyListeners', {
      type: 'BigInt',
      description: 'Listeners of a month. Wire: sp_monthly_listeners',
    }),
    monthlyPlaylistReach: t.expose('monthlyPlaylistReach', {
      type: 'BigInt',
      description: 'Reach of playlists in a month. Wire: monthly_playlist_reach',
    }),
    platBFans: t.expose('platBFans', {
      type: 'BigInt',
      description: 'Fans on platB. Wire: platB_fans',
    }),
    tags: t.expose('tags', {
      type: ['String'],
      nullable: false,
      description: 'Tags. Wire: tags',
    }),
    platAArtistIds: t.expose('platAArtistIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of the artist on platA. Wire: platA_artist_ids',
    }),
    platBArtistIds: t.expose('platBArtistIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of the artist on platB. Wire: platB_artist_ids',
    }),
    platCArtistIds: t.expose('platCArtistIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of the artist on platC. Wire: platC_artist_ids',
    }),
    platHArtistIds: t.expose('platHArtistIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of the artist on platH. Wire: platH_artist_ids',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const { connection } = connectionOf(
  'PlatAChart',
  PlatAChartEntry,
  'A platA artist chart; ends by an empty page; page size unknown.',
)
const view = viewOf(platAArtistChart)

builder.objectField(Charts, 'platAArtists', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Artists of platA. Wire: GET /api/charts/platA/artists',
    args: {
      interval: t.arg({
        type: ChartInterval,
        required: true,
        description: 'Span of the chart. Wire: interval',
      }),
      type: t.arg({
        type: PlatAArtistChartType,
        required: true,
        description: 'What ranks them. Wire: type',
      }),
      date: dateArg(t.arg),
      ...forward(t.arg),
    },
    ask: (_charts, { interval, type, date, ...paging }) => ({
      view,
      args: { interval, type, ...edition(date) },
      paging,
    }),
    node: (row) => row,
  }),
)
