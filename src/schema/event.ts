import { builder } from './builder.ts'
import { Venue } from './venue.ts'

/** What an artist's and a venue's events have in common; each implementing type says where it comes from. */
export const Event = builder.interfaceRef<object>('Event').implement({
  description: 'A live event.',
  fields: (t) => ({
    id: t.field({ type: 'ID', nullable: false, description: 'Global id.' }),
    cmId: t.field({
      type: 'Int',
      nullable: false,
      description: "The service's number of the event.",
    }),
    name: t.field({
      type: 'String',
      description: 'Name; a suffix such as (cancelled) tells its status.',
    }),
    imageUrl: t.field({ type: 'URL', description: 'Picture.' }),
    startDate: t.field({ type: 'DateTime', description: 'Start.' }),
    endDate: t.field({ type: 'DateTime', description: 'End.' }),
    venue: t.field({ type: Venue, description: 'Where.' }),
  }),
})
