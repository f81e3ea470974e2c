import { hours } from '../calendar.ts'
import { type Reading, type RowOf, row, type Told } from '../decode.ts'
import { resource } from '../endpoint.ts'
import { isObject, type JsonObject, object } from '../envelopes.ts'
import { int as intParam, matching, path, query } from '../params.ts'
import { column, country, float, id, int, key, text, url } from '../values.ts'
import type { View } from '../window.ts'
import { ofArtists } from './taught.ts'
import { type VenueEventRow, venueEvent } from './venue-event.ts'

/** Ids of venues and brands are texts; these letters cannot leave their place in a path. */
export const textId = matching(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, - and _')

const venueTable = {
  cmId: ['doc_id', key],
  name: ['name', text],
  imageUrl: ['image_url', url],
  url: ['venue_url', url],
  capacity: ['capacity', int],
  cityName: ['city_name', text],
  cityId: ['city_id', id],
  locationId: ['cm_location', id],
  countryCode: ['code2', country],
  latitude: ['lat', float],
  longitude: ['lng', float],
  events: ['events', column(venueEvent)],
} as const

/** A venue, and those of its events that came with it. */
export interface VenueRecord extends RowOf<typeof venueTable> {}
/** What another payload tells of a venue. */
export type VenuePart = Told<VenueRecord>

const record = row(venueTable)

/** `venueInfo` is a list of one; a venue that is not known has neither info nor events. */
const venueAndEvents = (obj: unknown, reading: Reading): VenueRecord | null | undefined => {
  if (obj === null) return null
  if (!isObject(obj) || !('venueInfo' in obj || 'events' in obj)) return undefined
  const info: unknown = Array.isArray(obj.venueInfo) ? obj.venueInfo[0] : obj.venueInfo
  const events = obj.events ?? []
  const isKnown = isObject(info) || (Array.isArray(events) && events.length > 0)
  const wire: JsonObject = { ...(isObject(info) ? info : {}), events }
  return isKnown ? record(wire, reading) : null
}

const WINDOW = 100

export const venueEvents = resource({
  name: 'venueEvents',
  doc: 'One venue and events there.',
  route: 'GET /api/event/venue/{id}',
  params: {
    cmId: path('id', textId),
    offset: query('offset', intParam(0)),
    limit: query('limit', intParam(1, WINDOW)),
  },
  envelope: object,
  read: venueAndEvents,
  nothing: null,
  timeless: ['name', 'imageUrl', 'countryCode'],
  repeats: ['cmId'],
  teaches: (venue) =>
    (venue?.events ?? []).flatMap((event) =>
      ofArtists(...(event?.lineup ?? []).map(({ artist }) => artist)),
    ),
  freshFor: hours(1),
})

/** The arguments by which a venue's record is asked for: those of its first window of events. */
export const venueAt = (cmId: string) => ({ cmId, offset: 0, limit: WINDOW })

/** The events of a venue, out of the same answers as the venue itself. */
export const eventsOfVenue: View<VenueRecord | null, VenueEventRow> = {
  endpoint: venueEvents,
  end: 'short',
  windows: [WINDOW],
  rows: (venue) => ({ rows: venue?.events ?? [], total: null, offset: null }),
}
