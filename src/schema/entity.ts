import { type GraphQLResolveInfo, isObjectType } from 'graphql'
import type { Context } from '../context.ts'
import { type EntityLoader, type Known, known } from '../loaders/entity.ts'
import type { Loaders } from '../loaders/index.ts'
import { memo } from '../memo.ts'
import type { Columns } from '../upstream/decode.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import type { Request } from '../upstream/request.ts'
import type { Asker } from '../upstream/turn.ts'
import { builder } from './builder.ts'
import { askerOf } from './credits-directive.ts'
import { type Selected, selectedBy } from './selected.ts'
import { type Sought, spending } from './spends.ts'
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

/** The keys by which other subgraphs name an entity. */
export const BY_EITHER_ID = [{ fields: 'id' }, { fields: 'cmId' }]

const columnsIn = memo((selected: readonly Selected[]) =>
  selected.flatMap(({ spends }) => spends.column ?? []),
)

/** The columns of an entity's record that a selection asks for. */
const columnsOf = (type: string, info: GraphQLResolveInfo): readonly string[] => {
  const object = info.schema.getType(type)
  if (!isObjectType(object)) return []
  return columnsIn(selectedBy({ type: object, nodes: info.fieldNodes }, info))
}

/** Finds entities of one type by what clients know them by; what cannot be a number of theirs is refused. */
export interface Finder<E, Id> {
  seek(cmId: Id): Sought
  find(cmId: Id, context: Context, info: GraphQLResolveInfo): E | null | Promise<E | null>
}

/**
 * A finder of entities with records. One that does not exist is null, which only its record tells; where nothing of the
 * record is selected (keys, or fields that ask for themselves) it is not paid for.
 */
export const finder = <R, Id extends number | string = number>(
  type: string,
  requestOf: (cmId: Id) => Request,
  loaderOf: (loaders: Loaders) => EntityLoader<R, Id>,
  insteadOf?: (cmId: Id) => Request,
): Finder<Known<R, Id>, Id> => ({
  seek: (cmId) => ({ type, cmId, request: requestOf(cmId), instead: insteadOf?.(cmId) }),
  find(cmId, { loaders }, info) {
    const loader = loaderOf(loaders)
    loader.check(cmId)
    const entity = known<R, Id>(cmId)
    if (loader.isKnown(cmId, columnsOf(type, info))) return entity
    const record = loader.record(entity, askerOf(info))
    if (!(record instanceof Promise)) return record.value === null ? null : entity
    return record.then(({ value }) => (value === null ? null : entity))
  },
})

/** Resolvers of an entity's fields: each gives one column, or a view of it, from the row at hand or from the record. */
export const telling = <R, Id extends number | string = number>(
  endpoint: Endpoint,
  loaderOf: (loaders: Loaders) => EntityLoader<R, Id>,
) => {
  type Resolve<V> = (
    entity: Known<R, Id>,
    args: object,
    context: Context,
    info: GraphQLResolveInfo,
  ) => V | Promise<V>

  const noteStale = (
    loader: EntityLoader<R, Id>,
    entity: Known<R, Id>,
    context: Context,
    info: GraphQLResolveInfo,
  ): void => {
    const isOwn = entity.record === undefined && entity.counted !== 'cache'
    const stale = isOwn ? undefined : loader.staleness(entity.cmId)
    if (stale !== undefined) reportStale(context, entity, stale, info.path.prev)
  }

  const resolving =
    <T, V>(
      find: (loader: EntityLoader<R, Id>, entity: Known<R, Id>, asker: Asker) => T | Promise<T>,
      view: (found: T) => V,
    ): Resolve<V> =>
    (entity, _args, context, info) => {
      const loader = loaderOf(context.loaders)
      const found = find(loader, entity, askerOf(info))
      if (!(found instanceof Promise)) {
        noteStale(loader, entity, context, info)
        return view(found)
      }
      return found.then((value) => {
        noteStale(loader, entity, context, info)
        return view(value)
      })
    }

  /** The record, where it is on its way: all fields of an entity wait for one promise. */
  const coming = (
    entity: Known<R, Id>,
    { loaders, operation }: Context,
    info: GraphQLResolveInfo,
  ): Promise<unknown> | undefined => {
    if (entity.record instanceof Promise && operation.inTurn === undefined) return entity.record
    const record = loaderOf(loaders).record(entity, askerOf(info))
    return record instanceof Promise ? record : undefined
  }

  /** `tells` names what the record's own rows tell of the entities that it gives. */
  function told<K extends keyof R & string>(column: K): Resolve<R[K] | null>
  function told<K extends keyof R & string, V>(
    column: K,
    view: (value: NonNullable<R[K]>) => V,
    tells?: Columns,
  ): Resolve<V | null>
  function told<K extends keyof R & string, V>(
    column: K,
    view?: (value: NonNullable<R[K]>) => V,
    tells?: Columns,
  ) {
    const shown = (value: R[K] | null) =>
      view === undefined || value === null || value === undefined ? value : view(value)
    const columns = [column]
    const until = (entity: Known<R, Id>, context: Context, info: GraphQLResolveInfo) => {
      if (entity.row?.[column] !== undefined) return undefined
      const isTold =
        entity.record === undefined && loaderOf(context.loaders).isKnown(entity.cmId, columns)
      return isTold ? undefined : coming(entity, context, info)
    }
    return spending(
      { column, of: endpoint, tells, until },
      resolving((loader, entity, asker) => loader.tell(entity, column, asker), shown),
    )
  }

  /** What only the whole record tells. */
  const wholly = <V>(view: (record: R | null) => V): Resolve<V> =>
    spending(
      { column: '', of: endpoint, until: coming },
      resolving(
        (loader, entity, asker) => loader.record(entity, asker),
        ({ value }) => view(value),
      ),
    )

  return { told, wholly }
}
