import { builder } from './builder.ts'

/** A counter of an open map. */
export const Counter = builder
  .objectRef<{ readonly name: string; readonly value: unknown }>('Counter')
  .implement({
    description: 'A counter by its wire name.',
    fields: (t) => ({
      name: t.expose('name', { type: 'String', nullable: false, description: 'Wire name.' }),
      value: t.expose('value', { type: 'JSON', description: 'Value as it came.' }),
    }),
  })
