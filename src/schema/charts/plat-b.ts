import { type PlatBEntry, platBChart } from '../../upstream/endpoints/chart-plat-b.ts'
import { viewOf } from '../../upstream/window.ts'
import { builder } from '../builder.ts'
import { Charts, dateArg, edition } from '../chart.ts'
import { ChartEntry } from '../chart-entry.ts'
import { TrackChartEntry } from '../chart-track-entry.ts'
import { bothWays, connectionOf } from '../connection.ts'
import { pagedField } from '../listing.ts'

const PlatBChartEntry = builder.objectRef<PlatBEntry>('PlatBChartEntry').implement({
  description: "A track's place on the platB chart.",
  interfaces: [TrackChartEntry, ChartEntry],
  fields: (t) => ({
    countryCode: t.expose('countryCode', {
      type: 'CountryCode',
      description: 'Country of the chart. Wire: code2',
    }),
    platB: t.expose('platB', {
      type: 'ID',
      description: 'Id on the platform, read so. Wire: platB',
    }),
    platBAlbum: t.expose('platBAlbum', {
      type: 'ID',
      description: 'Id of the album on the platform, read so. Wire: platB_album',
    }),
  }),
})

const { connection } = connectionOf(
  'PlatBChart',
  PlatBChartEntry,
  'A platB chart; unpaged upstream, sliced here.',
)
const view = viewOf(platBChart)

builder.objectField(Charts, 'platB', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Tracks of platB. Wire: GET /api/charts/platB',
    args: {
      countryCode: t.arg({
        type: 'CountryCode',
        required: true,
        description: 'Country. Wire: country_code',
      }),
      date: dateArg(t.arg),
      ...bothWays(t.arg),
    },
    ask: (_charts, { countryCode, date, ...paging }) => ({
      view,
      args: { countryCode, ...edition(date) },
      paging,
    }),
    node: (row) => row,
  }),
)
