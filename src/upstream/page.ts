import { backward, forward } from './aligned.ts'
import {
  type Ask,
  endOf,
  firstRows,
  type Holds,
  type Item,
  isAnyLeft,
  lastOf,
  lastRows,
  MOST_EMPTY,
  none,
  type Page,
} from './cut.ts'
import { outlook } from './outlook.ts'
import { type Paging, reach, type Span } from './window.ts'

/** A page of a listing whose windows follow each other by what came, not by what was asked for. */
const chained = async <R>(
  view: Paging,
  span: Span,
  most: number,
  ask: Ask<R>,
): Promise<Page<R>> => {
  const cap = reach(view)
  const furthest = view.endpoint.params.offset?.kind.most ?? Number.POSITIVE_INFINITY
  const width = view.windows[0]
  const { position: from, start: first = from } = span.from
  if (first > furthest)
    return { items: [], total: null, truncated: true, hasNext: false, hasPrevious: true }
  const items: Item<R>[] = []
  let start = first
  let empty = span.from.empty ?? 0
  for (let asked = 1; ; asked++) {
    const { rows } = await ask({ start, width }, from)
    const begin = start
    const next = start + rows.length
    const came = { rows, start }
    const last = lastOf(came)
    const found = firstRows(came, from, cap, span.count - items.length, (position) =>
      position === last ? { position: next - 1, start: next } : { start: begin },
    )
    items.push(...found)
    empty = last < begin ? empty + 1 : 0
    const isFull = width !== undefined && rows.length === width
    if (isFull && items.length < span.count && next <= furthest && asked < most) {
      start = next
      continue
    }
    const inside = isAnyLeft(came, endOf(items, from), cap)
    const truncated = !inside && rows.length > 0 && next > furthest
    const hasNext = inside || (rows.length > 0 && !truncated && empty < MOST_EMPTY)
    const page = { items, total: none(came), truncated, hasNext, hasPrevious: from > 0 }
    if (items.length > 0 || span.count === 0 || !hasNext) return page
    return { after: { position: next - 1, start: next, width: 0, empty }, ...page }
  }
}

/** A page of a listing that comes in one answer. */
const whole = async <R>(
  { from: { position: from }, count, until, isLast }: Span,
  ask: Ask<R>,
): Promise<Page<R>> => {
  const { rows } = await ask({ start: 0, width: undefined }, 0)
  const came = { rows, start: 0 }
  const stop = Math.min(until?.position ?? rows.length, rows.length)
  const items = (isLast ? lastRows : firstRows)(came, from, stop, count, () => ({}))
  const edge = isLast ? stop : from
  return {
    items,
    total: rows.length,
    truncated: false,
    hasPrevious: isAnyLeft(came, isLast ? from : 0, items[0]?.position ?? edge),
    hasNext: isAnyLeft(came, endOf(items, edge), isLast ? rows.length : stop),
  }
}

/** Cuts a page from the windows of a listing, asking for those that are needed and no other. */
export const page = <R>(view: Paging, span: Span, ask: Ask<R>, holds: Holds): Promise<Page<R>> => {
  if (view.end === 'whole') return whole(span, ask)
  const most = outlook(view, span).more + 1
  if (view.end === 'empty') return chained(view, span, most, ask)
  return (span.isLast ? backward : forward)(view, span, most, ask, holds)
}
