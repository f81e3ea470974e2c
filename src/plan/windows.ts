import { windowRequest } from '../loaders/page.ts'
import { spanOf } from '../schema/connection.ts'
import type { Asked } from '../schema/spends.ts'
import type { Request } from '../upstream/request.ts'
import { holding, type Window, windowToBuy } from '../upstream/window.ts'

/** The requests of a page: the first one, what would serve in its place, and how many more there may be. */
export interface PageRequests {
  readonly size: number
  readonly first: Request
  readonly instead: readonly Request[]
  readonly more: number
}

/** The windows that a page needs, told without asking for any. A page that will be refused throws. */
export const windowsOf = ({ view, args, paging }: Asked): PageRequests => {
  const { span, cap, seeksEnd } = spanOf(view, args, paging)
  const { windows, end, endpoint } = view
  const requestOf = (window: Window) => windowRequest(endpoint, args, window)
  const size = span.count
  const [width = size, ...wider] = windows
  const others = Math.max(0, Math.ceil(size / Math.max(1, wider[0] ?? width)))
  if (end === 'whole')
    return { size, first: requestOf({ start: 0, width: undefined }), instead: [], more: 0 }
  if (end === 'empty') {
    const first = requestOf({ start: span.start ?? span.from, width: windows[0] })
    return { size, first, instead: [], more: windows.length === 0 ? 0 : Math.max(0, others - 1) }
  }
  // A page from an end that is yet to be found begins with the window that tells the total.
  const stop = seeksEnd ? span.from + 1 : Math.min(Math.max(span.from + size, span.from + 1), cap)
  const window = windowToBuy(windows, span.from, stop)
  const instead = holding(windows, span.from, stop).filter((held) => held.width !== window.width)
  const behind = Math.max(0, Math.ceil((stop - window.start) / (window.width ?? 1)) - 1)
  const more = !seeksEnd ? behind : size === 0 ? 0 : others + 1
  return { size, first: requestOf(window), instead: instead.map(requestOf), more }
}
