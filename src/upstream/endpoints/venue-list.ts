import { hours } from '../calendar.ts'
import { part, row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { dataAndTotal } from '../envelopes.ts'
import {
  bool as boolParam,
  country as countryParam,
  entityId,
  inOrder,
  int as intParam,
  oneOf,
  query,
  text as textParam,
} from '../params.ts'
import { country, float, id, int, key, label, moment, one, text, url, wordOf } from '../values.ts'
import { namedArtist } from './artist.ts'
import { ofArtists, ofVenues } from './taught.ts'

export const VENUE_TYPE = {
  STADIUM: 'stadium',
  ARENA: 'arena',
  AMPHITHEATER: 'amphitheater',
  FESTIVAL: 'festival',
  THEATER: 'theater',
  CONCERT_HALL: 'concert_hall',
  CLUB: 'club',
} as const

export const VENUE_ORDER = {
  NAME: 'name',
  CAPACITY: 'capacity',
  LATEST_SHOW_DATE: 'latestShowDate',
} as const

/** A venue of the listing. */
export const listedVenue = part(
  {
    cmId: ['id', key],
    name: ['name', text],
    imageUrl: ['image_url', url],
    capacity: ['capacity', int],
    cityName: ['city', label],
    cityId: ['city_id', id],
    countryCode: ['country', country],
    latitude: ['lat', float],
    longitude: ['lng', float],
  } as const,
  'cmId',
)

const venueShow = row({ date: ['date', moment], title: ['title', text] } as const)
export type VenueShow = NonNullable<ReturnType<typeof venueShow>>

const venueRow = row({
  venue: ['', listedVenue],
  venueType: ['venue_type', wordOf(VENUE_TYPE)],
  latestShow: ['latest_show', one(venueShow)],
  biggestArtist: ['biggest_artist', one(namedArtist)],
} as const)

/** A row of the venue listing. */
export type VenueListRow = NonNullable<ReturnType<typeof venueRow>>

export const venues = listing({
  name: 'venues',
  doc: 'Venues, filtered and ordered.',
  route: 'GET /api/venue',
  params: {
    countryCode: query('code2', countryParam),
    cityId: query('cityId', entityId(0)),
    minCapacity: query('minCapacity', intParam(0)),
    maxCapacity: query('maxCapacity', intParam(0)),
    venueType: query('venueType', oneOf(VENUE_TYPE)),
    search: query('search', textParam(1, 200)),
    includeFutureShows: query('includeFutureShows', boolParam, { initial: false }),
    orderBy: query('sortColumn', oneOf(VENUE_ORDER), { initial: VENUE_ORDER.NAME }),
    isDescending: query('sortOrderDesc', boolParam, { initial: false }),
    offset: query('offset', intParam(0, 100_000)),
    limit: query('limit', intParam(1, 100)),
  },
  rules: [inOrder('minCapacity', 'maxCapacity')],
  envelope: dataAndTotal,
  row: venueRow,
  teaches: ({ venue, biggestArtist }) => [...ofVenues(venue), ...ofArtists(biggestArtist)],
  end: 'total',
  windows: [100],
  freshFor: hours(6),
})
