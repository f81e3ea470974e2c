import { backward, forward } from './aligned.ts'
import { type Ask, cut, endOf, type Holds, type Item, none, type Page } from './cut.ts'
import { type Paging, reach, type Span } from './window.ts'

/** A page of a listing whose windows follow each other by what came, not by what was asked for. */
const chained = async <R>(view: Paging, span: Span, ask: Ask<R>): Promise<Page<R>> => {
  const cap = reach(view)
  const furthest = view.endpoint.params.offset?.kind.most ?? Number.POSITIVE_INFINITY
  const width = view.windows[0]
  const { position: from, start: first = from } = span.from
  if (first > furthest)
    return { items: [], total: null, truncated: true, hasNext: false, hasPrevious: true }
  const items: Item<R>[] = []
  let start = first
  for (;;) {
    const { rows } = await ask({ start, width }, from)
    const begin = start
    const next = start + rows.length
    const found = cut(rows, start, from, cap, (position) => ({
      start: position + 1 === next ? next : begin,
    }))
    items.push(...found.slice(0, span.count - items.length))
    const isFull = width !== undefined && rows.length === width
    // A page without a row has no cursor to go on from, though rows behind its window may be readable.
    const isVain = start === first && found.length === 0 && rows.length > 0
    if ((isFull || isVain) && items.length < span.count && next <= furthest) {
      start = next
      continue
    }
    const inside = cut(rows, start, endOf(items, from), cap).length > 0
    const truncated = !inside && rows.length > 0 && next > furthest
    const isLast = items.length === 0 && span.count > 0
    const hasNext = inside || (!isLast && rows.length > 0 && !truncated)
    const total = none(start, { rows })
    return { items, total, truncated, hasNext, hasPrevious: from > 0 }
  }
}

/** A page of a listing that comes in one answer. */
const whole = async <R>(
  { from: { position: from }, count, until, isLast }: Span,
  ask: Ask<R>,
): Promise<Page<R>> => {
  const { rows } = await ask({ start: 0, width: undefined }, 0)
  const all = cut(rows, 0, 0, rows.length)
  const stop = until?.position ?? rows.length
  const some = all.filter(({ position }) => position >= from && position < stop)
  const items = isLast ? some.slice(Math.max(0, some.length - count)) : some.slice(0, count)
  const edge = isLast ? stop : from
  const begin = items[0]?.position ?? edge
  const end = items.at(-1)?.position ?? edge - 1
  return {
    items,
    total: rows.length,
    truncated: false,
    hasPrevious: all.some(({ position }) => position < begin),
    hasNext: all.some(({ position }) => position > end),
  }
}

/** Cuts a page from the windows of a listing, asking for those that are needed and no other. */
export const page = <R>(view: Paging, span: Span, ask: Ask<R>, holds: Holds): Promise<Page<R>> => {
  if (view.end === 'whole') return whole(span, ask)
  if (view.end === 'empty') return chained(view, span, ask)
  return span.isLast ? backward(view, span, ask, holds) : forward(view, span, ask, holds)
}
