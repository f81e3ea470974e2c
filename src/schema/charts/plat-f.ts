import { type PlatFEntry, platFChart, platFGenres } from '../../upstream/endpoints/chart-plat-f.ts'
import { viewOf } from '../../upstream/window.ts'
import { builder } from '../builder.ts'
import { Charts, choices, dateArg, edition } from '../chart.ts'
import { ChartEntry } from '../chart-entry.ts'
import { addBase, TrackChartEntry } from '../chart-track-entry.ts'
import { connectionOf, forward } from '../connection.ts'
import { pagedField } from '../listing.ts'

const PlatFChartEntry = builder.objectRef<PlatFEntry>('PlatFChartEntry').implement({
  description: "A track's place on the platF chart.",
  interfaces: [TrackChartEntry, ChartEntry],
  fields: (t) => ({
    genre: t.expose('genre', { type: 'String', description: 'Genre of the chart. Wire: genre' }),
    platF: t.expose('platF', {
      type: 'ID',
      description: 'Id on the platform, read so. Wire: platF',
    }),
    trackName: t.expose('trackName', {
      type: 'String',
      description: 'Title on the platform. Wire: track_name',
    }),
    artistName: t.expose('artistName', {
      type: 'String',
      description: 'Artist, as written. Wire: artist_name',
    }),
    remixers: t.expose('remixers', {
      type: 'JSON',
      description: 'Remixers; shape not documented. Wire: remixers',
    }),
    bcLabel: t.expose('bcLabel', {
      type: 'String',
      description: 'Label on the platform. Wire: bc_label',
    }),
  }),
})
addBase(PlatFChartEntry)

const { connection } = connectionOf(
  'PlatFChart',
  PlatFChartEntry,
  'A platF chart; ends by an empty page; page size unknown.',
)
const view = viewOf(platFChart)

builder.objectFields(Charts, (t) => ({
  platF: pagedField(t, {
    type: connection,
    description: 'Tracks of platF, weekly. Wire: GET /api/charts/platF',
    args: {
      genre: t.arg.string({
        required: true,
        description: 'Genre, one of `platFGenres`. Wire: genre',
      }),
      date: dateArg(t.arg),
      ...forward(t.arg),
    },
    ask: (_charts, { genre, date, ...paging }) => ({
      view,
      args: { genre, ...edition(date) },
      paging,
    }),
    node: (row) => row,
  }),
  platFGenres: t.field({
    type: 'JSON',
    description:
      'Genres of the platF chart; shape not documented. Wire: GET /api/charts/genres/platF',
    resolve: choices(platFGenres),
  }),
}))
