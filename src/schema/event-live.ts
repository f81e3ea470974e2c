import { additionalFields } from '../upstream/decode.ts'
import { artistId } from '../upstream/endpoints/artist.ts'
import {
  artistEvents,
  EVENT_STATUS,
  eventVenue,
  type LiveEventRow,
  type PricePoint as Price,
} from '../upstream/endpoints/event.ts'
import { viewOf } from '../upstream/window.ts'
import { Artist } from './artist.ts'
import { builder } from './builder.ts'
import { City } from './city.ts'
import { connectionOf, forward } from './connection.ts'
import { valuesOf } from './enum.ts'
import { Event } from './event.ts'
import { pagedField } from './listing.ts'
import { spending } from './spends.ts'
import { Venue, venueOf } from './venue.ts'

/** A row, and the artist whose events were asked. */
interface LiveEventSource {
  readonly artistId: number
  readonly row: LiveEventRow
}

const PricePoint = builder.objectRef<Price>('PricePoint').implement({
  description: 'Average price of a day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'Day. Wire: date' }),
    price: t.expose('price', {
      type: 'Float',
      description: "Price, in the event's `currency`. Wire: price",
    }),
  }),
})

const of =
  <K extends keyof LiveEventRow>(column: K) =>
  ({ row }: LiveEventSource) =>
    row[column]

const LiveEvent = builder.objectRef<LiveEventSource>('LiveEvent').implement({
  description: "One artist's part in an event; the global id holds artist and event.",
  interfaces: [Event],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ artistId, row }) => `LiveEvent:${artistId}:${row.cmId}`,
    }),
    cmId: t.int({
      nullable: false,
      description: "The service's number of the event. Wire: id",
      resolve: ({ row }) => row.cmId ?? 0,
    }),
    name: t.field({
      type: 'String',
      description: 'Name; a suffix such as (cancelled) tells its status. Wire: event_name',
      resolve: of('name'),
    }),
    type: t.field({
      type: 'String',
      description: 'Kind of event. Wire: type',
      resolve: of('type'),
    }),
    imageUrl: t.field({
      type: 'URL',
      description: 'Picture. Wire: image_url',
      resolve: of('imageUrl'),
    }),
    startDate: t.field({
      type: 'DateTime',
      description: 'Start. Wire: start_date',
      resolve: of('startDate'),
    }),
    endDate: t.field({
      type: 'DateTime',
      description: 'End. Wire: end_date',
      resolve: of('endDate'),
    }),
    isHeadliner: t.field({
      type: 'Boolean',
      description: 'Whether the artist is a headliner. Wire: is_headliner',
      resolve: of('isHeadliner'),
    }),
    venue: t.field({
      type: Venue,
      description: 'Where; name, url, capacity are free. Wire: venue_id',
      resolve: spending({ tells: eventVenue.columns }, ({ row }: LiveEventSource) =>
        venueOf(row.venue),
      ),
    }),
    venueName: t.field({
      type: 'String',
      description: 'Name of the venue. Wire: venue_name',
      resolve: of('venueName'),
    }),
    venueUrl: t.field({
      type: 'URL',
      description: 'Site of the venue. Wire: venue_url',
      resolve: of('venueUrl'),
    }),
    venueCapacity: t.field({
      type: 'Int',
      description: 'People that the venue holds. Wire: venue_capacity',
      resolve: of('venueCapacity'),
    }),
    city: t.field({
      type: City,
      description: 'City; null without a number. Wire: city',
      resolve: of('city'),
    }),
    cityName: t.field({
      type: 'String',
      description: 'Name of the city, with a number or without. Wire: city.name',
      resolve: ({ row }) => row.place?.name,
    }),
    province: t.field({
      type: 'String',
      description: 'Province of the city. Wire: city.province',
      resolve: ({ row }) => row.place?.province,
    }),
    countryCode: t.field({
      type: 'CountryCode',
      description: 'Country. Wire: code2',
      resolve: of('countryCode'),
    }),
    price: t.field({
      type: 'Float',
      description: 'Price, in `currency`; only two of the sources tell. Wire: price',
      resolve: of('price'),
    }),
    lowPrice: t.field({
      type: 'Float',
      description: 'Lowest price, in `currency`. Wire: low_price',
      resolve: of('lowPrice'),
    }),
    highPrice: t.field({
      type: 'Float',
      description: 'Highest price, in `currency`. Wire: high_price',
      resolve: of('highPrice'),
    }),
    currency: t.field({
      type: 'String',
      description: 'Currency. Wire: currency',
      resolve: of('currency'),
    }),
    priceTrend: t.field({
      type: [PricePoint],
      nullable: false,
      description: 'Average prices of 28 days; one source only. Wire: price_trend',
      resolve: of('priceTrend'),
    }),
    platQEventUrl: t.field({
      type: 'URL',
      description: 'Page on platQ. Wire: platQ_event_url',
      resolve: of('platQEventUrl'),
    }),
    platREventUrl: t.field({
      type: 'URL',
      description: 'Page on platR; past events only. Wire: platR_event_url',
      resolve: of('platREventUrl'),
    }),
    platSEventUrl: t.field({
      type: 'URL',
      description: 'Page on platS. Wire: platS_event_url',
      resolve: of('platSEventUrl'),
    }),
    platTEventUrl: t.field({
      type: 'URL',
      description: 'Page on platT. Wire: platT_event_url',
      resolve: of('platTEventUrl'),
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: ({ row }) => additionalFields(row),
    }),
  }),
})

const EventStatus = builder.enumType('EventStatus', {
  description: 'Whether events lie ahead or behind.',
  values: valuesOf(EVENT_STATUS, { CURRENT: 'Wire: current', PAST: 'Wire: past' }),
})

const { connection } = connectionOf(
  'LiveEvent',
  LiveEvent,
  'Events of an artist; ends by a short page.',
)
const view = viewOf(artistEvents)

builder.objectField(Artist, 'events', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Its live events; 1 credit for 100. Wire: GET /api/artist/{id}/{status}/events',
    args: {
      status: t.arg({
        type: EventStatus,
        required: true,
        description: 'Current or past ones. Wire: status',
      }),
      fromDaysAgo: t.arg.int({
        required: true,
        description: 'Start of the window, days ago; negative is the future. Wire: fromDaysAgo',
      }),
      toDaysAgo: t.arg.int({
        required: true,
        description: 'End of the window, days ago; negative is the future. Wire: toDaysAgo',
      }),
      cityId: t.arg.int({ description: 'Only in this city. Wire: cityId' }),
      ...forward(t.arg),
    },
    ask: ({ cmId }, { status, fromDaysAgo, toDaysAgo, cityId, ...paging }) =>
      artistId.check(cmId) === undefined
        ? null
        : { view, args: { cmId, status, fromDaysAgo, toDaysAgo, cityId }, paging },
    node: (row, { cmId }) => ({ artistId: cmId, row }),
  }),
)
