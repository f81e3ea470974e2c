import { known } from '../loaders/entity.ts'
import type { Venue as VenueSource } from '../loaders/index.ts'
import { venues as venueKind } from '../loaders/kind.ts'
import { additionalFields } from '../upstream/decode.ts'
import { type VenuePart, type VenueRecord, venueEvents } from '../upstream/endpoints/venue.ts'
import { builder } from './builder.ts'
import { BY_EITHER_ID, finder, Node, telling } from './entity.ts'
import { findingOne } from './finding.ts'

export const Venue = builder.objectRef<VenueSource>('Venue')
const { told, wholly } = telling<VenueRecord, string>(venueEvents, ({ venue }) => venue)

/** The venue that a row names; null where it has no id. */
export const venueOf = (part: VenuePart | null): VenueSource | null =>
  typeof part?.cmId === 'string' ? known<VenueRecord, string>(part.cmId, part) : null

export const venues = finder<VenueRecord, string>(
  'Venue',
  venueKind.requestOf,
  (loaders) => loaders.venue,
)

Venue.implement({
  description: 'A venue.',
  interfaces: [Node],
  extensions: { directives: { key: BY_EITHER_ID } },
  fields: (t) => ({
    cmId: t.exposeID('cmId', {
      nullable: false,
      description: "The service's id. Wire: doc_id, id, venue_id",
    }),
    name: t.field({ type: 'String', description: 'Name. Wire: name', resolve: told('name') }),
    imageUrl: t.field({
      type: 'URL',
      description: 'Picture. Wire: image_url',
      resolve: told('imageUrl'),
    }),
    url: t.field({
      type: 'URL',
      description: 'Site of the venue. Wire: venue_url',
      resolve: told('url'),
    }),
    capacity: t.field({
      type: 'Int',
      description: 'People that it holds. Wire: capacity',
      resolve: told('capacity'),
    }),
    cityName: t.field({
      type: 'String',
      description: 'City. Wire: city_name, city',
      resolve: told('cityName'),
    }),
    cityId: t.field({
      type: 'Int',
      description: 'Number of the city. Wire: city_id',
      resolve: told('cityId'),
    }),
    locationId: t.field({
      type: 'Int',
      description: 'Number of the place. Wire: cm_location',
      resolve: told('locationId'),
    }),
    countryCode: t.field({
      type: 'CountryCode',
      description: 'Country. Wire: code2, country',
      resolve: told('countryCode'),
    }),
    latitude: t.field({
      type: 'Float',
      description: 'Degrees north. Wire: lat',
      resolve: told('latitude'),
    }),
    longitude: t.field({
      type: 'Float',
      description: 'Degrees east. Wire: lng',
      resolve: told('longitude'),
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: wholly(additionalFields),
    }),
  }),
})

builder.queryField('venue', (t) =>
  t.field({
    type: Venue,
    description: 'One venue; 1 credit, its first events included. Wire: GET /api/event/venue/{id}',
    args: { cmId: t.arg.id({ required: true, description: 'Id of the venue.' }) },
    resolve: findingOne(venues, ({ cmId }: { readonly cmId: string }) => cmId),
  }),
)
