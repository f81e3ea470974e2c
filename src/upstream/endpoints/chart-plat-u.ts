import { listing } from '../endpoint.ts'
import { key } from '../values.ts'
import { chart, dating, entry, place } from './chart.ts'
import { base, ofRecording } from './chart-recording.ts'

const platUEntry = entry({ ...place, ...base, platU: ['platU', key] })
export type PlatUEntry = NonNullable<ReturnType<typeof platUEntry>>

export const platUChart = listing({
  ...chart,
  name: 'platUChart',
  doc: 'Tracks of platU.',
  route: 'GET /api/charts/platU',
  params: { ...dating },
  row: platUEntry,
  teaches: ofRecording,
  end: 'whole',
})
