import { hours } from '../calendar.ts'
import { row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { array } from '../envelopes.ts'
import { country as countryParam, query } from '../params.ts'
import { count, id, text, url } from '../values.ts'

const station = row(
  {
    cmId: ['id', id],
    name: ['name', text],
    genre: ['genre', text],
    frequency: ['frequency', text],
    market: ['market', text],
    broadcastArea: ['broadcast_area', text],
    country: ['country', text],
    stationState: ['station_state', text],
    imageUrl: ['image_url', url],
    averageQuarterHour: ['aqh', count],
    platform: ['platform', text],
    platLFollowers: ['platL_followers', count],
    platLLikes: ['platL_likes', count],
    platMFollowers: ['platM_followers', count],
    platNFollowers: ['platN_followers', count],
    platOViews: ['platO_views', count],
  } as const,
  'cmId',
)

/** A radio station. */
export type RadioStationRow = NonNullable<ReturnType<typeof station>>

export const radioStations = listing({
  name: 'radioStations',
  doc: 'Radio stations, all or of one country.',
  route: 'GET /api/radio/station-list',
  params: { countryCode: query('code2', countryParam) },
  envelope: array,
  row: station,
  end: 'whole',
  freshFor: hours(24),
})
