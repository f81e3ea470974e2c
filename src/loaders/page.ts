import type { Given, Upstream } from '../upstream/client.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Args } from '../upstream/params.ts'
import { request } from '../upstream/request.ts'
import { type Page, page, type Span, type View, type Window } from '../upstream/window.ts'

/** Reads pages of listings for one operation. */
export type Pages = <V, R>(view: View<V, R>, args: Args, span: Span) => Promise<StalePage<R>>

/** A page; `stale` is that of the oldest of its windows. */
export interface StalePage<R> extends Page<R> {
  readonly stale?: Given['stale']
}

/** Pages cut from windows; a window that this operation already asked for another bucket was shared, not bought. */
export const createPages = (upstream: Upstream, operation: Operation): Pages => {
  const buckets = new Map<string, string>()
  return async (view, args, span) => {
    let stale: Given['stale']
    const requestOf = ({ start, width }: Window) =>
      request(view.endpoint, {
        ...args,
        ...(view.endpoint.params.offset === undefined ? {} : { offset: start }),
        ...(width === undefined ? {} : { limit: width }),
      })
    const ask = async (window: Window, from: number) => {
      const asked = requestOf(window)
      const { bucket } = view
      const shared = bucket !== undefined && (buckets.get(asked.key) ?? bucket) !== bucket
      if (bucket !== undefined && !shared) buckets.set(asked.key, bucket)
      const saving = from > window.start ? 'window' : shared ? 'batched' : undefined
      const given = await upstream.call(asked, operation, saving)
      if (given.stale !== undefined && given.stale.age >= (stale?.age ?? 0)) stale = given.stale
      return view.rows(given.value)
    }
    const cut = await page(view, span, ask, (window) => upstream.has(requestOf(window), operation))
    return stale === undefined ? cut : { ...cut, stale }
  }
}
