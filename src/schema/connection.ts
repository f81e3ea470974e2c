import type {
  FieldKind,
  FieldRef,
  InputFieldMap,
  InputShapeFromFields,
  ObjectRef,
} from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import { GatewayError } from '../errors.ts'
import type { Loaders } from '../loaders/index.ts'
import type { Pages } from '../loaders/page.ts'
import type { Item, Page } from '../upstream/cut.ts'
import type { Columns } from '../upstream/decode.ts'
import type { Given } from '../upstream/desk.ts'
import { type Joins, Series, type Wanted } from '../upstream/series.ts'
import type { Asker } from '../upstream/turn.ts'
import { type Place, reach, type Span, type View } from '../upstream/window.ts'
import { builder } from './builder.ts'
import { askerOf } from './credits-directive.ts'
import { cursorOf, positionOf } from './cursor.ts'
import { type Asked, type Beforehand, type Spends, spending } from './spends.ts'
import { reportStale } from './stale.ts'

const MOST_ROWS = 10_000

/** Relay's paging arguments, as Pothos hands them over. */
export interface PagingArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** A page of nodes, and what its cursors need. */
export interface Connection<N> {
  readonly items: readonly Item<N>[]
  readonly fingerprint: string
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly truncated: boolean
  /** Of a page without nodes that is not the last: where to go on. */
  readonly after: Place | undefined
  readonly before: Place | undefined
  readonly totalCount: number | null
  readonly findTotal: (() => Promise<number | null>) | undefined
  readonly stale: Given['stale']
}

/** A node with its cursor's makings. */
export interface Edge<N> {
  readonly item: Item<N>
  readonly fingerprint: string
}

type Types = typeof builder.$inferSchemaTypes

const PageInfo = builder.objectRef<Connection<unknown>>('PageInfo').implement({
  description: 'Where a page stands in its listing.',
  // Every Relay subgraph has this type.
  extensions: { directives: { shareable: {} } },
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      nullable: false,
      description: 'Whether more follows; ten windows in a row without a row end a listing.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      nullable: false,
      description: 'Whether something comes before.',
    }),
    startCursor: t.string({
      description:
        'Cursor of the first node, or of where to go on before a page without nodes; null where nothing does.',
      resolve: ({ fingerprint, items: [first], before }) => {
        const place = first ?? before
        return place && cursorOf(fingerprint, place)
      },
    }),
    endCursor: t.string({
      description:
        'Cursor of the last node, or of where to go on behind a page without nodes; null where nothing does.',
      resolve: ({ fingerprint, items, after }) => {
        const place = items.at(-1) ?? after
        return place && cursorOf(fingerprint, place)
      },
    }),
    truncated: t.exposeBoolean('truncated', {
      nullable: false,
      description: "Whether the service's cap, not the end of the listing, cut this page.",
    }),
  }),
})

/** Resolves a member of a page, and tells where the page is past its freshness. */
const telling =
  <N, T>(member: (page: Connection<N>) => T) =>
  (page: Connection<N>, _args: object, context: Context, info: GraphQLResolveInfo): T => {
    if (page.stale !== undefined) reportStale(context, page, page.stale, info.path.prev)
    return member(page)
  }

/** The connection and edge types of a listing; both are named after it. */
export const connectionOf = <N>(
  name: string,
  node: ObjectRef<Types, N> | 'JSON',
  description: string,
) => {
  const edge = builder.objectRef<Edge<N>>(`${name}Edge`).implement({
    description: 'One of them.',
    fields: (t) => ({
      cursor: t.string({
        nullable: false,
        description: 'Opaque.',
        resolve: ({ fingerprint, item }) => cursorOf(fingerprint, item),
      }),
      node: t.field({
        type: node as ObjectRef<Types, N>,
        nullable: false,
        description: 'The node.',
        resolve: ({ item }) => item.row as never,
      }),
    }),
  })
  const connection = builder.objectRef<Connection<N>>(`${name}Connection`).implement({
    description,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        nullable: false,
        description: 'With cursors.',
        resolve: telling(({ fingerprint, items }) => items.map((item) => ({ fingerprint, item }))),
      }),
      nodes: t.field({
        type: [node as ObjectRef<Types, N>],
        nullable: false,
        description: 'Nodes.',
        resolve: telling(({ items }) => items.map((item) => item.row)) as never,
      }),
      pageInfo: t.field({
        type: PageInfo,
        nullable: false,
        description: 'Page.',
        resolve: telling((page) => page),
      }),
      totalCount: t.int({
        description: 'All; null: not known.',
        resolve: telling(({ totalCount, findTotal }) => findTotal?.() ?? totalCount),
      }),
    }),
  })
  return { connection, edge }
}

type ArgBuilder = Parameters<
  Extract<Parameters<typeof builder.queryField>[1], (t: never) => unknown>
>[0]['arg']

/** `first` and `after`; `last` and `before` too where the total of the listing is known. */
export const forward = (arg: ArgBuilder) => ({
  first: arg.int({ defaultValue: 20, description: 'Page size, 0 to 10,000.' }),
  after: arg.string({ description: 'Start behind.' }),
})
export const bothWays = (arg: ArgBuilder) => ({
  ...forward(arg),
  last: arg.int({ description: 'Page size from the end, 0 to 10,000; `first` is then unused.' }),
  before: arg.string({ description: 'End before.' }),
})

const sizeOf = (argument: 'first' | 'last', size: number): number => {
  if (size >= 0 && size <= MOST_ROWS) return size
  throw new GatewayError(
    'BAD_USER_INPUT',
    `${argument} must be an integer from 0 to ${MOST_ROWS}, got ${size}`,
    { argument },
  )
}

/** What a page asks of its listing. */
export const wantedOf = <V, R>({
  view,
  args,
  paging,
}: Asked & { readonly view: View<V, R> }): Wanted<V, R> => {
  const series = new Series(view, args)
  const { fingerprint } = series
  const cap = reach(view)
  const after = positionOf('after', paging.after, fingerprint, cap)
  const until = positionOf('before', paging.before, fingerprint, cap)
  const from = after === undefined ? { position: 0 } : { ...after, position: after.position + 1 }
  const isLast = paging.last !== null && paging.last !== undefined
  const count = isLast ? sizeOf('last', paging.last ?? 0) : sizeOf('first', paging.first ?? 20)
  const span: Span = { from, count, until, isLast }
  return { series, span }
}

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
