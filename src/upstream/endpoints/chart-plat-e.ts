import { listing } from '../endpoint.ts'
import { bool as boolParam, cased, oneOf, query } from '../params.ts'
import { bool, count, json, key, text, url } from '../values.ts'
import { chart, dating, entry, paging, place } from './chart.ts'
import { base, ofRecording } from './chart-recording.ts'

export const PLAT_E_CHART_KIND = { TOP: 'top', TRENDING: 'trending' } as const
export const PLAT_E_CHART_TYPE = { TRACK: 'track', TRENDING: 'trending' } as const

const country = cased('upper', /^[A-Z]{2,6}$/, 'a country or GLOBAL, 2 to 6 letters')
const genre = cased('lower', /^[^\p{C}]{1,100}$/u, 'a genre of 1 to 100 characters')

const platEEntry = entry({
  ...place,
  ...base,
  country: ['country', text],
  genre: ['genre', text],
  kind: ['kind', text],
  platETrackId: ['platE_track_id', key],
  playcountAll: ['playcount_all', count],
  playcountWeekly: ['playcount_weekly', count],
  artworkUrl: ['artwork_url', url],
  permalinkUrl: ['permalink_url', url],
  isPublic: ['public', bool],
  publisher: ['publisher', text],
  writerComposer: ['writer_composer', text],
  artistName: ['artist', text],
  albumTitle: ['album_title', text],
  platEUser: ['platE_user', json],
})
export type PlatEEntry = NonNullable<ReturnType<typeof platEEntry>>

export const platEChart = listing({
  ...chart,
  name: 'platEChart',
  doc: 'Tracks of platE by country and genre; a legacy chart.',
  route: 'GET /api/charts/platE',
  params: {
    countryCode: query('country_code', country, { required: true }),
    kind: query('kind', oneOf(PLAT_E_CHART_KIND), { required: true }),
    genre: query('genre', genre, { required: true }),
    chartType: query('chart_type', oneOf(PLAT_E_CHART_TYPE), { initial: 'track' }),
    raw: query('raw', boolParam, { initial: true }),
    ...dating,
    ...paging,
  },
  row: platEEntry,
  teaches: ofRecording,
  end: 'empty',
})
