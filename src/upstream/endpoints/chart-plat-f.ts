import { hours } from '../calendar.ts'
import { listing, resource } from '../endpoint.ts'
import { anything } from '../envelopes.ts'
import { query, text as textParam } from '../params.ts'
import { json, key, text } from '../values.ts'
import { chart, dating, entry, freshFor, paging, place } from './chart.ts'
import { base, ofRecording } from './chart-recording.ts'

const platFEntry = entry({
  ...place,
  ...base,
  genre: ['genre', text],
  platF: ['platF', key],
  trackName: ['track_name', text],
  artistName: ['artist_name', text],
  remixers: ['remixers', json],
  bcLabel: ['bc_label', text],
})
export type PlatFEntry = NonNullable<ReturnType<typeof platFEntry>>

export const platFChart = listing({
  ...chart,
  name: 'platFChart',
  doc: 'Tracks of platF in a genre, weekly.',
  route: 'GET /api/charts/platF',
  params: { genre: query('genre', textParam(1), { required: true }), ...dating, ...paging },
  row: platFEntry,
  teaches: ofRecording,
  end: 'empty',
  freshFor: freshFor('weekly'),
})

export const platFGenres = resource({
  name: 'platFGenres',
  doc: 'Genres of the platF chart.',
  route: 'GET /api/charts/genres/platF',
  params: {},
  envelope: anything,
  read: json,
  nothing: null,
  freshFor: hours(24),
})
