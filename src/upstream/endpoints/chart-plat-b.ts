import { listing } from '../endpoint.ts'
import { country as countryParam, query } from '../params.ts'
import { country, key } from '../values.ts'
import { chart, dating, entry, place } from './chart.ts'
import { ofRecording, recording } from './chart-recording.ts'

const platBEntry = entry({
  ...place,
  ...recording,
  countryCode: ['code2', country],
  platB: ['platB', key],
  platBAlbum: ['platB_album', key],
})
export type PlatBEntry = NonNullable<ReturnType<typeof platBEntry>>

export const platBChart = listing({
  ...chart,
  name: 'platBChart',
  doc: 'Tracks of platB in a country.',
  route: 'GET /api/charts/platB',
  params: { countryCode: query('country_code', countryParam, { required: true }), ...dating },
  row: platBEntry,
  teaches: ofRecording,
  end: 'whole',
})
