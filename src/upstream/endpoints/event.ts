import { hours } from '../calendar.ts'
import { part, row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { array } from '../envelopes.ts'
import { anyInt, int as intParam, oneOf, path, query } from '../params.ts'
import {
  bool,
  country,
  day,
  float,
  id,
  int,
  key,
  list,
  moment,
  one,
  orPlain,
  text,
  url,
} from '../values.ts'
import { artistId } from './artist.ts'
import { city } from './city.ts'
import { ofVenues } from './taught.ts'

export const EVENT_STATUS = { CURRENT: 'current', PAST: 'past' } as const

/** A venue as an event names it. */
export const eventVenue = part({
  cmId: ['venue_id', key],
  name: ['venue_name', text],
  url: ['venue_url', url],
  capacity: ['venue_capacity', int],
} as const)

const pricePoint = row({ date: ['date', day], price: ['price', float] } as const)
export type PricePoint = NonNullable<ReturnType<typeof pricePoint>>

/** Where an event is, of which only a city with a number is one. */
const place = row({ name: ['name', text], province: ['province', text] } as const)

const liveEvent = row(
  {
    cmId: ['id', id],
    name: ['event_name', text],
    type: ['type', text],
    imageUrl: ['image_url', url],
    startDate: ['start_date', moment],
    endDate: ['end_date', moment],
    isHeadliner: ['is_headliner', bool],
    venue: ['', eventVenue],
    venueName: ['venue_name', text],
    venueUrl: ['venue_url', url],
    venueCapacity: ['venue_capacity', int],
    city: ['city', one(city)],
    place: ['city', one(orPlain('name', place))],
    countryCode: ['code2', country],
    price: ['price', float],
    lowPrice: ['low_price', float],
    highPrice: ['high_price', float],
    currency: ['currency', text],
    priceTrend: ['price_trend', list(pricePoint)],
    platQEventUrl: ['platQ_event_url', url],
    platREventUrl: ['platR_event_url', url],
    platSEventUrl: ['platS_event_url', url],
    platTEventUrl: ['platT_event_url', url],
  } as const,
  'cmId',
)

/** An artist's part in an event. */
export type LiveEventRow = NonNullable<ReturnType<typeof liveEvent>>

export const artistEvents = listing({
  name: 'artistEvents',
  doc: 'Live events of one artist.',
  route: 'GET /api/artist/{id}/{status}/events',
  params: {
    cmId: path('id', artistId),
    status: path('status', oneOf(EVENT_STATUS)),
    fromDaysAgo: query('fromDaysAgo', anyInt, { required: true }),
    toDaysAgo: query('toDaysAgo', anyInt, { required: true }),
    cityId: query('cityId', intParam(0)),
    offset: query('offset', intParam(0)),
    limit: query('limit', intParam(0, 100)),
  },
  envelope: array,
  row: liveEvent,
  teaches: ({ venue }) => ofVenues(venue),
  end: 'short',
  windows: [100],
  freshFor: hours(1),
})
