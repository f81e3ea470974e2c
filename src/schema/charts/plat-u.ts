import { type PlatUEntry, platUChart } from '../../upstream/endpoints/chart-plat-u.ts'
import { viewOf } from '../../upstream/window.ts'
import { builder } from '../builder.ts'
import { Charts, dateArg, edition } from '../chart.ts'
import { ChartEntry } from '../chart-entry.ts'
import { addBase, TrackChartEntry } from '../chart-track-entry.ts'
import { bothWays, connectionOf } from '../connection.ts'
import { pagedField } from '../listing.ts'

const PlatUChartEntry = builder.objectRef<PlatUEntry>('PlatUChartEntry').implement({
  description: "A track's place on the platU chart.",
  interfaces: [TrackChartEntry, ChartEntry],
  fields: (t) => ({
    platU: t.expose('platU', {
      type: 'ID',
      description: 'Id on the platform, read so. Wire: platU',
    }),
  }),
})
addBase(PlatUChartEntry)

const { connection } = connectionOf(
  'PlatUChart',
  PlatUChartEntry,
  'A platU chart; unpaged upstream, sliced here.',
)
const view = viewOf(platUChart)

builder.objectField(Charts, 'platU', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Tracks of platU. Wire: GET /api/charts/platU',
    args: { date: dateArg(t.arg), ...bothWays(t.arg) },
    ask: (_charts, { date, ...paging }) => ({ view, args: edition(date), paging }),
    node: (row) => row,
  }),
)
