import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import type { EntityLoader, Known } from '../loaders/entity.ts'
import type { Loaders } from '../loaders/index.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import { builder } from './builder.ts'
import { selected } from './selection.ts'
import { spending } from './spends.ts'
import { reportStale } from './stale.ts'

export const Node = builder.interfaceRef<{ readonly cmId: number | string }>('Node').implement({
  description: 'An object with a global id by which it can be asked for again.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ cmId }, _args, _context, info) => `${info.parentType.name}:${cmId}`,
    }),
  }),
})

/** The keys of an entity: what a reference holds, and what therefore costs nothing. */
export const KEYS: ReadonlySet<string> = new Set(['id', 'cmId', '__typename'])

/**
 * An entity that a client asked for by its number. One that does not exist is null, which only its record tells; where
 * nothing but keys is selected nobody asks, and nothing is spent.
 */
export const lookUp = <R, Id extends number | string>(
  loader: EntityLoader<R, Id>,
  entity: Known<R, Id>,
  info: GraphQLResolveInfo,
  beyond: ReadonlySet<string> = KEYS,
): Known<R, Id> | null | Promise<Known<R, Id> | null> => {
  if ([...selected(info).keys()].every((name) => beyond.has(name))) return entity
  const record = loader.record(entity)
  if (!(record instanceof Promise)) return record === null ? null : entity
  return record.then((found) => {
    entity.record = found
    return found === null ? null : entity
  })
}

/** Resolvers of an entity's fields: each gives one column, or a view of it, from the row at hand or from the record. */
export const telling = <R, Id extends number | string = number>(
  endpoint: Endpoint,
  loaderOf: (loaders: Loaders) => EntityLoader<R, Id>,
) => {
  /** `tells` names what the column's own rows tell of the entities that it gives. */
  function told<K extends keyof R & string>(column: K): Told<R, Id, R[K] | null>
  function told<K extends keyof R & string, V>(
    column: K,
    view: (value: NonNullable<R[K]>) => V,
    tells?: ReadonlySet<string>,
  ): Told<R, Id, V | null>
  function told<K extends keyof R & string, V>(
    column: K,
    view?: (value: NonNullable<R[K]>) => V,
    tells: ReadonlySet<string> = new Set(),
  ) {
    const shown = (value: R[K] | null) =>
      view === undefined || value === null || value === undefined ? value : view(value)
    return spending(
      { column, of: endpoint, tells },
      (entity: Known<R, Id>, _args: object, context: Context, info: GraphQLResolveInfo) => {
        const loader = loaderOf(context.loaders)
        const value = loader.tell(entity, column)
        const done = (got: R[K] | null) => {
          const stale = entity.record === undefined ? undefined : loader.staleness(entity.cmId)
          if (stale !== undefined) reportStale(context, entity, stale, info.path.prev)
          return shown(got)
        }
        return value instanceof Promise ? value.then(done) : done(value)
      },
    )
  }
  return told
}

type Told<R, Id extends number | string, V> = (
  entity: Known<R, Id>,
  args: object,
  context: Context,
  info: GraphQLResolveInfo,
) => V | Promise<V>
