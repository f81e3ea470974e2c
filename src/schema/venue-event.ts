import { known } from '../loaders/entity.ts'
import type { Venue as VenueSource } from '../loaders/index.ts'
import { additionalFields } from '../upstream/decode.ts'
import { namedArtist } from '../upstream/endpoints/artist.ts'
import { eventsOfVenue, type VenueRecord } from '../upstream/endpoints/venue.ts'
import type { LineupEntry as Entry, VenueEventRow } from '../upstream/endpoints/venue-event.ts'
import { Artist } from './artist.ts'
import { artistsOf } from './artist-credit.ts'
import { builder } from './builder.ts'
import { connectionOf, forward } from './connection.ts'
import { Event } from './event.ts'
import { pagedField } from './listing.ts'
import { spending } from './spends.ts'
import { Venue } from './venue.ts'

/** A row, and the venue whose events were asked. */
interface VenueEventSource {
  readonly venue: VenueSource
  readonly row: VenueEventRow
}

const LineupEntry = builder.objectRef<Entry>('LineupEntry').implement({
  description: 'An artist in a lineup.',
  fields: (t) => ({
    artist: t.field({
      type: Artist,
      description: 'The artist. Wire: id',
      resolve: spending(
        { tells: namedArtist.columns },
        ({ artist }: Entry) => artist && artistsOf([artist])[0],
      ),
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    isHeadliner: t.expose('isHeadliner', {
      type: 'Boolean',
      description: 'Whether a headliner; null when not known. Wire: is_headliner',
    }),
  }),
})

const of =
  <K extends keyof VenueEventRow>(column: K) =>
  ({ row }: VenueEventSource) =>
    row[column]

const VenueEvent = builder.objectRef<VenueEventSource>('VenueEvent').implement({
  description: 'An event at a venue.',
  interfaces: [Event],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ row }) => `VenueEvent:${row.cmId}`,
    }),
    cmId: t.int({
      nullable: false,
      description: "The service's number of the event. Wire: event_id",
      resolve: ({ row }) => row.cmId ?? 0,
    }),
    name: t.field({
      type: 'String',
      description: 'Name; a suffix such as (cancelled) tells its status. Wire: event_name',
      resolve: of('name'),
    }),
    imageUrl: t.field({
      type: 'URL',
      description: 'Picture. Wire: event_image_url',
      resolve: of('imageUrl'),
    }),
    startDate: t.field({
      type: 'DateTime',
      description: 'Start. Wire: start_date',
      resolve: of('startDate'),
    }),
    endDate: t.field({
      type: 'DateTime',
      description: 'End, null when empty. Wire: end_date',
      resolve: of('endDate'),
    }),
    venue: t.field({
      type: Venue,
      description: 'Where: the venue that was asked.',
      resolve: ({ venue }) => known<VenueRecord, string>(venue.cmId, venue.row),
    }),
    lineup: t.field({
      type: [LineupEntry],
      nullable: false,
      description: 'Who plays. Wire: artists',
      resolve: of('lineup'),
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: ({ row }) => additionalFields(row),
    }),
  }),
})

const { connection } = connectionOf(
  'VenueEvent',
  VenueEvent,
  'Events at a venue; ends by a short page.',
)

builder.objectField(Venue, 'events', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Events here; 1 credit for 100. Wire: events',
    args: forward(t.arg),
    ask: (venue, paging) => ({ view: eventsOfVenue, args: { cmId: venue.cmId }, paging }),
    node: (row, venue) => ({ venue, row }),
  }),
)
