import {
  PLAT_E_CHART_KIND,
  PLAT_E_CHART_TYPE,
  type PlatEEntry,
  platEChart,
} from '../../upstream/endpoints/chart-plat-e.ts'
import { viewOf } from '../../upstream/window.ts'
import { builder } from '../builder.ts'
import { Charts, dateArg, edition } from '../chart.ts'
import { ChartEntry } from '../chart-entry.ts'
import { addBase, TrackChartEntry } from '../chart-track-entry.ts'
import { connectionOf, forward } from '../connection.ts'
import { valuesOf } from '../enum.ts'
import { pagedField } from '../listing.ts'

const PlatEChartKind = builder.enumType('PlatEChartKind', {
  description: 'Top or trending.',
  values: valuesOf(PLAT_E_CHART_KIND, { TOP: 'Wire: top', TRENDING: 'Wire: trending' }),
})

const PlatEChartType = builder.enumType('PlatEChartType', {
  description: 'Kind of the platE chart.',
  values: valuesOf(PLAT_E_CHART_TYPE, { TRACK: 'Wire: track', TRENDING: 'Wire: trending' }),
})

const PlatEChartEntry = builder.objectRef<PlatEEntry>('PlatEChartEntry').implement({
  description: "A track's place on the platE chart.",
  interfaces: [TrackChartEntry, ChartEntry],
  fields: (t) => ({
    country: t.expose('country', {
      type: 'String',
      description: 'Country or GLOBAL. Wire: country',
    }),
    genre: t.expose('genre', { type: 'String', description: 'Genre. Wire: genre' }),
    kind: t.expose('kind', { type: 'String', description: 'Top or trending. Wire: kind' }),
    platETrackId: t.expose('platETrackId', {
      type: 'ID',
      description: "The platform's id of the track. Wire: platE_track_id",
    }),
    playcountAll: t.expose('playcountAll', {
      type: 'BigInt',
      description: 'Plays in all. Wire: playcount_all',
    }),
    playcountWeekly: t.expose('playcountWeekly', {
      type: 'BigInt',
      description: 'Plays of the week. Wire: playcount_weekly',
    }),
    artworkUrl: t.expose('artworkUrl', {
      type: 'URL',
      description: 'Artwork. Wire: artwork_url',
    }),
    permalinkUrl: t.expose('permalinkUrl', {
      type: 'URL',
      description: 'Page of the track. Wire: permalink_url',
    }),
    isPublic: t.expose('isPublic', {
      type: 'Boolean',
      description: 'Whether public. Wire: public',
    }),
    publisher: t.expose('publisher', {
      type: 'String',
      description: 'Publisher. Wire: publisher',
    }),
    writerComposer: t.expose('writerComposer', {
      type: 'String',
      description: 'Writers and composers, as written. Wire: writer_composer',
    }),
    artistName: t.expose('artistName', {
      type: 'String',
      description: 'Artist, as written. Wire: artist',
    }),
    albumTitle: t.expose('albumTitle', {
      type: 'String',
      description: 'Album, as written. Wire: album_title',
    }),
    platEUser: t.expose('platEUser', {
      type: 'JSON',
      description: "The platform's user, as it came. Wire: platE_user",
    }),
  }),
})
addBase(PlatEChartEntry)

const { connection } = connectionOf(
  'PlatEChart',
  PlatEChartEntry,
  'A platE chart; ends by an empty page; page size unknown.',
)
const view = viewOf(platEChart)
/** Rows with their peaks cost no more than those without. */
const WHOLE = { raw: false }

builder.objectField(Charts, 'platE', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Tracks of platE, a legacy chart. Wire: GET /api/charts/platE',
    args: {
      countryCode: t.arg.string({
        required: true,
        description: 'Country or GLOBAL, 2 to 6 letters, an open list. Wire: country_code',
      }),
      kind: t.arg({
        type: PlatEChartKind,
        required: true,
        description: 'Top or trending. Wire: kind',
      }),
      genre: t.arg.string({
        required: true,
        description: 'Genre in lower case, an open list (latin, danceedm, …). Wire: genre',
      }),
      chartType: t.arg({
        type: PlatEChartType,
        defaultValue: 'track',
        description: 'Kind of chart. Wire: chart_type',
      }),
      date: dateArg(t.arg),
      ...forward(t.arg),
    },
    ask: (_charts, { countryCode, kind, genre, chartType, date, ...paging }) => ({
      view,
      args: { countryCode, kind, genre, chartType, ...WHOLE, ...edition(date) },
      paging,
    }),
    node: (row) => row,
  }),
)
