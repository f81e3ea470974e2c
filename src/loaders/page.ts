import type { Upstream } from '../upstream/client.ts'
import type { Page } from '../upstream/cut.ts'
import type { Given } from '../upstream/desk.ts'
import type { Operation } from '../upstream/operation.ts'
import { page } from '../upstream/page.ts'
import type { Series } from '../upstream/series.ts'
import type { Asker } from '../upstream/turn.ts'
import type { Span, Window } from '../upstream/window.ts'

/** Reads pages of listings for one operation. */
export type Pages = <V, R>(series: Series<V, R>, span: Span, asker?: Asker) => Promise<StalePage<R>>

/** A page; `stale` is that of the oldest of its windows. */
export interface StalePage<R> extends Page<R> {
  readonly stale?: Given['stale']
  /** Finds a total that the page did not come with. */
  readonly findTotal?: () => Promise<number | null>
}

/** Pages cut from windows; a window that this operation already asked for another bucket was shared, not bought. */
export const createPages = (upstream: Upstream, operation: Operation): Pages => {
  const buckets = new Map<string, string>()
  return async (series, span, asker) => {
    const { view } = series
    let stale: Given['stale']
    const ask = async (window: Window, from: number) => {
      const asked = series.request(window)
      const { bucket } = view
      const shared = bucket !== undefined && (buckets.get(asked.key) ?? bucket) !== bucket
      if (bucket !== undefined && !shared) buckets.set(asked.key, bucket)
      const saving = from > window.start ? 'window' : shared ? 'batched' : undefined
      const given = await upstream.call(asked, operation, { saving, ...asker })
      if (given.stale !== undefined && given.stale.age >= (stale?.age ?? 0)) stale = given.stale
      return view.rows(given.value)
    }
    const cut = await page(view, span, ask, (window) =>
      upstream.has(series.request(window), operation),
    )
    return stale === undefined ? cut : { ...cut, stale }
  }
}
