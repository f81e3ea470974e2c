import {
  type Choice,
  nextWindow,
  type Paging,
  type Place,
  previousWindow,
  reach,
  type Span,
} from './window.ts'

/** What a page asks for, told before anything comes: its first window, and how many more at most. */
export interface Outlook extends Choice {
  readonly size: number
  readonly more: number
}

/** How many windows of a width a stretch of rows takes. */
const times = (rows: number, width: number): number =>
  Math.max(0, Math.ceil(rows / Math.max(1, width)))

/** A page asks for no window beyond these: where they bring too few rows it ends early, and the next one goes on. */
export const outlook = (view: Paging, { from, count, until, isLast }: Span): Outlook => {
  const { windows, end } = view
  const [width = count, wide = width] = windows
  if (end === 'whole')
    return { toBuy: { start: 0, width: undefined }, instead: [], size: count, more: 0 }
  if (end === 'empty') {
    const start = from.start ?? from.position
    const rows = from.position + count - start
    const more = windows.length === 0 ? 0 : Math.max(0, times(rows, wide) - 1)
    return { toBuy: { start, width: windows[0] }, instead: [], size: count, more }
  }
  const cap = reach(view)
  const ahead = (place: Place, size: number): Outlook => {
    const stop = Math.min(place.position + size, until?.position ?? cap, cap)
    const { toBuy, instead } = nextWindow(windows, place, stop, until)
    const { start, width = 1 } = toBuy
    // Of a window that came short, nothing may be left behind the place.
    const spare = size > 0 && place.start !== undefined && place.position > place.start ? 1 : 0
    return { toBuy, instead, size, more: Math.max(0, times(stop - start, width) - 1) + spare }
  }
  if (isLast !== true) return ahead(from, count)
  // A page from an end that is yet to be found begins with the window that tells the total.
  if (until === undefined)
    return { ...ahead(from, 0), size: count, more: count === 0 ? 0 : times(count, wide) + 1 }
  const size = Math.min(count, until.position - from.position)
  if (size <= 0) return ahead(until, 0)
  const begin = until.position - size
  const { toBuy, instead } = previousWindow(windows, until, begin, from)
  const { start } = toBuy
  const more = times(start - begin, start % wide === 0 ? wide : width)
  return { toBuy, instead, size, more }
}
