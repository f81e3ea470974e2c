import type {
  FieldKind,
  FieldRef,
  InputFieldMap,
  InputShapeFromFields,
  ObjectRef,
} from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import type { Loaders } from '../loaders/index.ts'
import type { Pages } from '../loaders/page.ts'
import type { Page } from '../upstream/cut.ts'
import type { Columns } from '../upstream/decode.ts'
import type { Joins, Wanted } from '../upstream/series.ts'
import type { Asker } from '../upstream/turn.ts'
import type { Span, View } from '../upstream/window.ts'
import type { builder } from './builder.ts'
import { type Connection, wantedOf } from './connection.ts'
import { askerOf } from './credits-directive.ts'
import { type Asked, type Beforehand, type Spends, spending } from './spends.ts'

type Types = typeof builder.$inferSchemaTypes

/** A page of no rows goes on from where it was told to stand, which is no cursor at an end of the listing. */
const standing = <R>(
  { from, until, isLast }: Span,
  { hasNext, hasPrevious }: Page<R>,
): Pick<Page<R>, 'after' | 'before'> => {
  if (isLast && until !== undefined)
    return {
      ...(hasPrevious && { before: until }),
      ...(until.position > from.position && { after: { ...until, position: until.position - 1 } }),
    }
  return hasNext && from.position > 0 ? { after: { ...from, position: from.position - 1 } } : {}
}

/** One listing and Relay's arguments give one page; every listing field is one such call. */
const connect = async <V, R, N>(
  pages: Pages,
  { series, span }: Wanted<V, R>,
  nodeOf: (row: R) => N,
  asker?: Asker,
): Promise<Connection<N>> => {
  const page = await pages(series, span, asker)
  const { count, from, until } = span
  const isOfNone = count === 0 || (until !== undefined && until.position <= from.position)
  const { after, before } = isOfNone ? standing(span, page) : page
  return {
    items: page.items.map((item) => ({ ...item, row: nodeOf(item.row) })),
    fingerprint: series.fingerprint,
    hasNextPage: page.hasNext,
    hasPreviousPage: page.hasPrevious,
    truncated: page.truncated,
    after,
    before,
    totalCount: page.total,
    findTotal: page.findTotal,
    stale: page.stale,
  }
}

interface ListingField<Parent, Args extends InputFieldMap, V, R, N> {
  readonly type: ObjectRef<Types, Connection<N>>
  readonly description: string
  readonly args: Args
  /** What the field asks for, null for nothing: the plan reads it before the operation runs, the resolver when it does. */
  readonly ask: (
    source: Parent,
    args: InputShapeFromFields<Args>,
    beforehand: Beforehand,
  ) => (Asked & { readonly view: View<V, R> }) | null
  readonly node: (row: R, source: Parent) => N
  /** Where its pages come from, where some come in one request. */
  readonly through?: (loaders: Loaders) => Pages
  readonly joins?: Joins
  /** Columns that a row tells of the entity that is its node. */
  readonly tells?: Columns | undefined
}

/** A field that gives a listing, page by page. */
export const pagedField = <Parent, Kind extends FieldKind, Args extends InputFieldMap, V, R, N>(
  t: PothosSchemaTypes.RootFieldBuilder<Types, Parent, Kind>,
  {
    type,
    description,
    args,
    ask,
    node,
    tells,
    through,
    joins,
  }: ListingField<Parent, Args, V, R, N>,
) => {
  const resolve = (
    source: Parent,
    given: InputShapeFromFields<Args>,
    context: Context,
    info: GraphQLResolveInfo,
  ) => {
    const { loaders, pages: foreseen } = context
    let wanted = foreseen.get(info.fieldNodes[0]) as Wanted<V, R> | undefined
    if (wanted === undefined) {
      const asked = ask(source, given, info)
      if (asked === null) return null
      wanted = wantedOf(asked)
    }
    const pages = through?.(loaders) ?? loaders.page
    return connect(pages, wanted, (row) => node(row, source), askerOf(info))
  }
  const spends: Spends = { asks: ask as never, tells, joins }
  // Pothos cannot see that a listing is nullable whatever kind of type it hangs on.
  const field = t.field.bind(t) as (options: object) => FieldRef<Types, Connection<N> | null, Kind>
  return field({ type, description, args, resolve: spending(spends, resolve) })
}
