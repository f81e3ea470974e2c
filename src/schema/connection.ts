import type { ObjectRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import { GatewayError } from '../errors.ts'
import type { Item } from '../upstream/cut.ts'
import type { Given } from '../upstream/desk.ts'
import { Series, type Wanted } from '../upstream/series.ts'
import { type Place, reach, type Span, type View } from '../upstream/window.ts'
import { builder } from './builder.ts'
import { cursorOf, positionOf } from './cursor.ts'
import type { Asked } from './spends.ts'
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
