import { windowRequest } from '../loaders/page.ts'
import { spanOf } from '../schema/connection.ts'
import type { Asked } from '../schema/spends.ts'
import type { Request } from '../upstream/request.ts'
import {
  type Choice,
  nextWindow,
  type Place,
  previousWindow,
  reach,
  type Window,
} from '../upstream/window.ts'

/** The requests of a page: the first one, what would serve in its place, and how many more there may be. */
export interface PageRequests {
  readonly size: number
  readonly first: Request
  readonly instead: readonly Request[]
  readonly more: number
}

/** How many windows of a width a stretch of rows takes. */
const times = (rows: number, width: number): number =>
  Math.max(0, Math.ceil(rows / Math.max(1, width)))

/** The windows that a page needs, told without asking for any. A page that will be refused throws. */
export const windowsOf = ({ view, args, paging }: Asked): PageRequests => {
  const { from, count, until, isLast } = spanOf(view, args, paging).span
  const { windows, end, endpoint } = view
  const requestOf = (window: Window) => windowRequest(endpoint, args, window)
  const [width = count, wide = width] = windows
  const asked = (size: number, { toBuy, instead }: Choice, more: number): PageRequests => {
    const others = instead.filter((window) => window.width !== toBuy.width)
    return { size, first: requestOf(toBuy), instead: others.map(requestOf), more }
  }
  if (end === 'whole')
    return asked(count, { toBuy: { start: 0, width: undefined }, instead: [] }, 0)
  if (end === 'empty') {
    const toBuy = { start: from.start ?? from.position, width: windows[0] }
    const more = windows.length === 0 ? 0 : Math.max(0, times(count, wide) - 1)
    return asked(count, { toBuy, instead: [] }, more)
  }
  const cap = reach(view)
  const ahead = (place: Place, size: number): PageRequests => {
    const stop = Math.min(place.position + size, until?.position ?? cap, cap)
    const choice = nextWindow(windows, place, stop, until)
    const { start, width = 1 } = choice.toBuy
    return asked(size, choice, Math.max(0, times(stop - start, width) - 1))
  }
  if (!isLast) return ahead(from, count)
  // A page from an end that is yet to be found begins with the window that tells the total.
  if (until === undefined)
    return { ...ahead(from, 0), size: count, more: count === 0 ? 0 : times(count, wide) + 1 }
  const size = Math.min(count, until.position - from.position)
  if (size <= 0) return ahead(until, 0)
  const begin = until.position - size
  const choice = previousWindow(windows, until, begin, from)
  const { start } = choice.toBuy
  return asked(size, choice, times(start - begin, start % wide === 0 ? wide : width))
}
