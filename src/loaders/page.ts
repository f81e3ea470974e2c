import type { Upstream } from '../upstream/client.ts'
import type { Page } from '../upstream/cut.ts'
import type { Given } from '../upstream/desk.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import type { Operation } from '../upstream/operation.ts'
import { page } from '../upstream/page.ts'
import type { Args } from '../upstream/params.ts'
import { type Request, request } from '../upstream/request.ts'
import type { Asker } from '../upstream/turn.ts'
import type { Span, View, Window } from '../upstream/window.ts'

/** Reads pages of listings for one operation. */
export type Pages = <V, R>(
  view: View<V, R>,
  args: Args,
  span: Span,
  asker?: Asker,
) => Promise<StalePage<R>>

/** A page; `stale` is that of the oldest of its windows. */
export interface StalePage<R> extends Page<R> {
  readonly stale?: Given['stale']
  /** Finds a total that the page did not come with. */
  readonly findTotal?: () => Promise<number | null>
}

/** The request for a window of a listing. */
export const windowRequest = <V>(
  endpoint: Endpoint<V>,
  args: Args,
  { start, width }: Window,
): Request<V> =>
  request(endpoint, {
    ...args,
    ...(endpoint.params.offset === undefined ? {} : { offset: start }),
    ...(width === undefined ? {} : { limit: width }),
  })

/** The requests for windows of a listing, each made once. */
export const windowRequests = <V>(endpoint: Endpoint<V>, args: Args) => {
  const made = new Map<string, Request<V>>()
  return (window: Window): Request<V> => {
    const name = `${window.start}+${window.width}`
    const known = made.get(name) ?? windowRequest(endpoint, args, window)
    made.set(name, known)
    return known
  }
}

/** Pages cut from windows; a window that this operation already asked for another bucket was shared, not bought. */
export const createPages = (upstream: Upstream, operation: Operation): Pages => {
  const buckets = new Map<string, string>()
  return async (view, args, span, asker) => {
    let stale: Given['stale']
    const requestOf = windowRequests(view.endpoint, args)
    const ask = async (window: Window, from: number) => {
      const asked = requestOf(window)
      const { bucket } = view
      const shared = bucket !== undefined && (buckets.get(asked.key) ?? bucket) !== bucket
      if (bucket !== undefined && !shared) buckets.set(asked.key, bucket)
      const saving = from > window.start ? 'window' : shared ? 'batched' : undefined
      const given = await upstream.call(asked, operation, { ...asker, saving })
      if (given.stale !== undefined && given.stale.age >= (stale?.age ?? 0)) stale = given.stale
      return view.rows(given.value)
    }
    const cut = await page(view, span, ask, (window) => upstream.has(requestOf(window), operation))
    return stale === undefined ? cut : { ...cut, stale }
  }
}
