import { additionalFields } from '../upstream/decode.ts'
import { namedArtist } from '../upstream/endpoints/artist.ts'
import {
  listedVenue,
  type VenueListRow as Row,
  type VenueShow as Show,
  VENUE_ORDER,
  VENUE_TYPE,
  venues,
} from '../upstream/endpoints/venue-list.ts'
import { viewOf } from '../upstream/window.ts'
import { Artist } from './artist.ts'
import { artistsOf } from './artist-credit.ts'
import { builder } from './builder.ts'
import { bothWays, connectionOf } from './connection.ts'
import { valuesOf } from './enum.ts'
import { pagedField } from './listing.ts'
import { direction, orderedBy } from './order.ts'
import { spending } from './spends.ts'
import { Venue, venueOf } from './venue.ts'

const VenueType = builder.enumType('VenueType', {
  description: 'Kind of venue.',
  values: valuesOf(VENUE_TYPE, {
    STADIUM: 'Wire: stadium',
    ARENA: 'Wire: arena',
    AMPHITHEATER: 'Wire: amphitheater',
    FESTIVAL: 'Wire: festival',
    THEATER: 'Wire: theater',
    CONCERT_HALL: 'Wire: concert_hall',
    CLUB: 'Wire: club',
  }),
})

const VenueShow = builder.objectRef<Show>('VenueShow').implement({
  description: 'A show at a venue.',
  fields: (t) => ({
    date: t.expose('date', { type: 'DateTime', description: 'When. Wire: date' }),
    title: t.expose('title', { type: 'String', description: 'Title. Wire: title' }),
  }),
})

const VenueListRow = builder.objectRef<Row>('VenueListRow').implement({
  description: 'A venue of the venue listing, with what only that row knows.',
  fields: (t) => ({
    venue: t.field({
      type: Venue,
      description:
        'The venue; name, picture, place, capacity are free. Wire: id, name, image_url, city, city_id, country, lat, lng, capacity',
      resolve: spending({ tells: listedVenue.columns }, ({ venue }: Row) => venueOf(venue)),
    }),
    venueType: t.expose('venueType', {
      type: VenueType,
      description: 'Kind of venue. Wire: venue_type',
    }),
    latestShow: t.expose('latestShow', {
      type: VenueShow,
      description: 'Latest show. Wire: latest_show',
    }),
    biggestArtist: t.field({
      type: Artist,
      description: 'Most popular artist that played here. Wire: biggest_artist',
      resolve: spending(
        { tells: namedArtist.columns },
        ({ biggestArtist }: Row) => biggestArtist && artistsOf([biggestArtist])[0],
      ),
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const VenueFilter = builder.inputType('VenueFilter', {
  description: 'Which venues.',
  fields: (t) => ({
    countryCode: t.field({ type: 'CountryCode', description: 'Country. Wire: code2' }),
    cityId: t.field({ type: 'Int', description: 'City. Wire: cityId' }),
    minCapacity: t.field({
      type: 'Int',
      description: 'Least capacity, inclusive. Wire: minCapacity',
    }),
    maxCapacity: t.field({
      type: 'Int',
      description: 'Greatest capacity, inclusive. Wire: maxCapacity',
    }),
    venueType: t.field({ type: VenueType, description: 'Kind of venue. Wire: venueType' }),
    search: t.field({
      type: 'String',
      description: 'Part of the name, at most 200 characters. Wire: search',
    }),
    includeFutureShows: t.field({
      type: 'Boolean',
      defaultValue: false,
      description: 'Let `latestShow` be a coming one. Wire: includeFutureShows',
    }),
  }),
})

const VenueOrderField = builder.enumType('VenueOrderField', {
  description: 'What venues are ordered by. Wire: sortColumn',
  values: valuesOf(VENUE_ORDER, {
    NAME: 'Wire: name',
    CAPACITY: 'Wire: capacity',
    LATEST_SHOW_DATE: 'Wire: latestShowDate',
  }),
})

const VenueOrder = builder.inputType('VenueOrder', {
  description: 'Order of venues.',
  fields: (t) => ({
    field: t.field({
      type: VenueOrderField,
      required: true,
      defaultValue: VENUE_ORDER.NAME,
      description: 'What to order by.',
    }),
    direction: t.field(direction('ASC')),
  }),
})

const { connection } = connectionOf('Venue', VenueListRow, 'Venues; ends by `total`.')
const view = viewOf(venues)

builder.queryField('venues', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Venues. Wire: GET /api/venue',
    args: {
      filter: t.arg({ type: VenueFilter, description: 'Which venues.' }),
      orderBy: t.arg({
        type: VenueOrder,
        description: 'Order; NAME ascending when left out.',
      }),
      ...bothWays(t.arg),
    },
    ask: (_query, { filter, orderBy, ...paging }) => ({
      view,
      args: {
        ...filter,
        ...orderedBy(orderBy),
      },
      paging,
    }),
    node: (row) => row,
  }),
)
