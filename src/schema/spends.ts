import type { GraphQLField, GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import type { Telling } from '../upstream/decode.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import type { Args } from '../upstream/params.ts'
import type { Request } from '../upstream/request.ts'
import type { Joins } from '../upstream/series.ts'
import type { View } from '../upstream/window.ts'
import type { PagingArgs } from './connection.ts'

/** Lists within a row (the artists of a track, the albums of a row) are taken to hold no more than this; nobody says so. */
export const MOST_IN_A_ROW = 10
/** How many other things the lists within a row name, on average: often one, and some of them in other rows too. */
export const LIKELY_IN_A_ROW = 1.25

/** What of an operation is known before it runs. */
export type Beforehand = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>

/** One listing with its arguments: what a page is cut from. */
export interface Asked {
  readonly view: View<unknown, unknown>
  readonly args: Args
  readonly paging: PagingArgs
}

/** An entity that a field looks up by its number. */
export interface Sought {
  readonly type: string
  readonly cmId: number | string
  /** The request for its record; undefined where there is none. */
  readonly request?: Request
  /** What is asked for where the service refuses that one for the time being. */
  readonly instead?: Request | undefined
}

/**
 * What a field may send, and what it spares those below, by what the row at hand tells of the entities that the field
 * gives: a plan reads it, the resolver keeps to it.
 */
export interface Spends extends Telling {
  /** The column of an entity's record that the field gives, and the endpoint of that record. */
  readonly column?: string
  readonly of?: Endpoint
  /** The entities that the field looks up; one is asked for where more than its keys is selected. */
  looksUp?(args: Args): readonly Sought[]
  /** How many entities the field looks up on behalf of a router. */
  represents?(args: Args): number
  /** The listing that the field pages through. */
  asks?(source: never, args: Args, beforehand: Beforehand): Asked | null
  /** The requests of the field itself. */
  sends?(source: never, args: Args): readonly Request[]
  /** Pages of several parents that may come in one request. */
  readonly joins?: Joins | undefined
  /** Requests that the field shares with others of the operation: how many things it adds, and how many one request takes. */
  readonly shares?: {
    readonly endpoint: Endpoint
    readonly most: number
    count(args: Args): number
  }
  /** Whether it tells what operations cost. */
  readonly tellsCosts?: boolean
  /** What the field has its value from, where that is on its way: asked after that, it gives its value at once. */
  until?(source: never, context: Context, info: GraphQLResolveInfo): Promise<unknown> | undefined
  /** What the field gives, where that takes no request. */
  gives?(source: never, args: Args, beforehand: Beforehand): unknown
}

/** What a field of a built schema says of itself. */
export const spendsOf = ({ resolve }: GraphQLField<unknown, unknown>): Spends =>
  (resolve as { readonly spends?: Spends } | undefined)?.spends ?? {}

/** A resolver that says what it may send. */
export const spending = <R extends (...args: never[]) => unknown>(
  spends: Spends,
  resolve: R,
): R & { readonly spends: Spends } => Object.assign(resolve, { spends })

/** A resolver that takes no request: what it gives is known before the operation runs. */
export const purely = <Source, A, V>(
  gives: (source: Source, args: A, beforehand: Beforehand) => V,
) =>
  spending(
    { gives: gives as never },
    (source: Source, args: A, _context: unknown, info: Beforehand) => gives(source, args, info),
  )
