import type { Descriptor as DescriptorRow, Genre as GenreRow } from '../upstream/endpoints/genre.ts'
import { builder } from './builder.ts'

export const Genre = builder.objectRef<GenreRow>('Genre').implement({
  description: 'A genre as its parent names it.',
  fields: (t) => ({
    cmId: t.expose('cmId', { type: 'Int', description: 'Number. Wire: id' }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    type: t.expose('type', {
      type: 'String',
      description: 'Kind of genre for this parent. Wire: type',
    }),
    source: t.expose('source', { type: 'String', description: 'Who assigned it. Wire: source' }),
  }),
})

export const Descriptor = builder.objectRef<DescriptorRow>('Descriptor').implement({
  description: 'A mood or an activity.',
  fields: (t) => ({
    cmId: t.expose('cmId', { type: 'Int', description: 'Number. Wire: id' }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
  }),
})
