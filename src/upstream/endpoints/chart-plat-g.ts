import { hours } from '../calendar.ts'
import type { Reader } from '../decode.ts'
import { listing, resource } from '../endpoint.ts'
import { anything } from '../envelopes.ts'
import { cased, path, query, text as textParam } from '../params.ts'
import { count, country, int, json, key, label, list, text } from '../values.ts'
import { chart, dating, entry, paging, place } from './chart.ts'
import { base, ofRecording } from './chart-recording.ts'

const area = cased('upper', /^([A-Z]{2}|GLOBAL)$/, 'a country of two letters, or GLOBAL')

const countryOfArea: Reader<string | null> = (value, reading) =>
  value === 'GLOBAL' ? null : country(value, reading)

const platGEntry = entry({
  ...place,
  ...base,
  countryCode: ['code2', countryOfArea],
  city: ['city', label],
  genre: ['genre', text],
  platGCount: ['num_of_platGs', count],
  countriesChartingCount: ['countries_charting_count', int],
  platGTrackId: ['platG_track_id', key],
  platHId: ['platH_id', key],
  ownPlatHTrackIds: ['platH_track_id', list(key)],
  ownPlatHAlbumIds: ['platH_album_id', list(key)],
})
export type PlatGEntry = NonNullable<ReturnType<typeof platGEntry>>

export const platGChart = listing({
  ...chart,
  name: 'platGChart',
  doc: 'Tracks of platG in a country or city.',
  route: 'GET /api/charts/platG',
  params: {
    countryCode: query('country_code', area, { required: true }),
    city: query('city', textParam(1)),
    genre: query('genre', textParam(1)),
    ...dating,
    ...paging,
  },
  row: platGEntry,
  teaches: ofRecording,
  end: 'empty',
})

export const platGCities = resource({
  name: 'platGCities',
  doc: 'Cities of the platG chart in a country.',
  route: 'GET /api/charts/platG/{country_code}/cities',
  params: { countryCode: path('country_code', area) },
  envelope: anything,
  read: json,
  nothing: null,
  freshFor: hours(24),
})
