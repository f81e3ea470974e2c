import { hash } from 'node:crypto'
import type { Endpoint } from './endpoint.ts'
import type { Operation } from './operation.ts'
import type { Args } from './params.ts'
import { checkArgs, type Request, request } from './request.ts'
import type { Span, View, Window } from './window.ts'

const LENGTH = 8

/** The request for a window of a listing. */
export const windowRequest = <V>(
  endpoint: Endpoint<V>,
  args: Args,
  { start, width }: Window,
): Request<V> => {
  const given: Record<string, unknown> = Object.assign({}, args)
  if (endpoint.params.offset !== undefined) given.offset = start
  if (width !== undefined) given.limit = width
  return request(endpoint, given)
}

/** A listing with its arguments, which are checked once; the request for each of its windows is made once. */
export class Series<V = unknown, R = unknown> {
  readonly view: View<V, R>
  /** As they count, without those that make a window. */
  readonly args: Args
  /** Names the listing with its arguments, so that a cursor of another is known. */
  readonly fingerprint: string
  readonly #made: { readonly window: Window; readonly request: Request<V> }[] = []

  constructor(view: View<V, R>, args: Args) {
    this.view = view
    this.args = checkArgs(view.endpoint, args)
    const { endpoint, bucket = '' } = view
    const words = JSON.stringify([endpoint.name, bucket, Object.entries(this.args)])
    this.fingerprint = hash('sha256', words, 'base64url').slice(0, LENGTH)
  }

  request(window: Window): Request<V> {
    for (const { window: other, request } of this.#made)
      if (other.start === window.start && other.width === window.width) return request
    const request = windowRequest(this.view.endpoint, this.args, window)
    this.#made.push({ window, request })
    return request
  }
}

/** Tells what an operation would have of requests before they are sent. */
export interface Known {
  /** Whether an answer or a refusal is held. */
  has(request: Request, operation: Operation): boolean
  /** Whether that is an answer with something in it: no refusal, and no 404. */
  gives(request: Request, operation: Operation): boolean
}

/** What is held of the first page of a listing, in the narrowest window that is; undefined where nothing is. */
export const heldOf = (series: Series, known: Known, operation: Operation): Request | undefined => {
  for (const width of series.view.windows) {
    const request = series.request({ start: 0, width })
    if (known.has(request, operation)) return request
  }
  return undefined
}

/** Pages of listings that may come in one request. */
export interface Joins {
  /** Whether a page does. */
  takes(span: Span): boolean
  /** The request for those that are asked for at once, but for who is known to be refused or nobody; undefined where they share none. */
  request(
    all: readonly Pick<Wanted, 'series'>[],
    known: Known,
    operation: Operation,
  ): Request | undefined
}

/** A page as it is asked for. */
export interface Wanted<V = unknown, R = unknown> {
  readonly series: Series<V, R>
  readonly span: Span
}
