import { GatewayError } from '../errors.ts'
import {
  type Ask,
  endOf,
  firstRows,
  type Holds,
  type Item,
  isAnyLeft,
  lastRows,
  MOST_EMPTY,
  none,
  type Page,
} from './cut.ts'
import type { Rows } from './rows.ts'
import {
  type Choice,
  nextWindow,
  type Paging,
  type Place,
  previousWindow,
  reach,
  type Span,
  type Window,
} from './window.ts'

/** A window that came, and what it tells of the listing. */
interface Came<R> extends Window {
  readonly rows: Rows<R>['rows']
  /** Where the next window begins, however many rows came. */
  readonly behind: number
  readonly total: number | null
  /** Where the listing ends, as far as this window tells. */
  readonly end: number
  /** Whether the service left rows out of it, so that places in it are no offsets. */
  readonly isShort: boolean
}

const honoured = <R>(rows: Rows<R>, window: Window): Rows<R> => {
  if (rows.offset === null || rows.offset === window.start) return rows
  throw new GatewayError(
    'UPSTREAM_BAD_RESPONSE',
    `asked for rows from ${window.start}, the service sent those from ${rows.offset}`,
  )
}

/** Reads windows of a listing that is asked for by offset and limit. */
const reading =
  <R>({ end: ending }: Paging, ask: Ask<R>, holds: Holds) =>
  async ({ toBuy, instead }: Choice, from: number): Promise<Came<R>> => {
    const window = holds(toBuy) ? toBuy : (instead.find(holds) ?? toBuy)
    const { start, width = 0 } = window
    const came = honoured(await ask(window, Math.max(from, start)), window)
    const { rows } = came
    const told = (ending === 'total' ? came.total : null) ?? none({ rows, start })
    const short = rows.length < width ? start + rows.length : Number.POSITIVE_INFINITY
    return {
      rows,
      start,
      width,
      behind: start + width,
      total: told,
      end: told ?? short,
      isShort: told !== null && rows.length < Math.min(width, told - start),
    }
  }

/** The first rows from a place on, from so many windows at most. */
export const forward = async <R>(
  view: Paging,
  { from, count, until }: Span,
  most: number,
  ask: Ask<R>,
  holds: Holds,
): Promise<Page<R>> => {
  const cap = reach(view)
  const stop = Math.min(cap, until?.position ?? cap)
  const hasPrevious = from.position > 0
  if (from.position >= cap)
    return { items: [], total: null, truncated: true, hasNext: false, hasPrevious }
  const read = reading(view, ask, holds)
  const items: Item<R>[] = []
  let place = from
  let isCounted = from.start !== undefined
  let empty = from.empty ?? 0
  for (let asked = 1; ; asked++) {
    const { position } = place
    const wanted = Math.min(from.position + count, stop)
    const came = await read(nextWindow(view.windows, place, wanted, until), position)
    const { start, width, behind, end, total } = came
    isCounted ||= came.isShort
    const counted = isCounted ? { start, width } : {}
    const left = count - items.length
    items.push(...firstRows(came, position, Math.min(end, stop), left, () => counted))
    empty = came.rows.length === 0 ? empty + 1 : 0
    place = { position: behind, start: behind }
    const isOver = behind >= Math.min(end, stop) || empty >= MOST_EMPTY
    if (items.length < count && !isOver && asked < most) continue
    const last = endOf(items, from.position)
    const isLeft = came.isShort || isAnyLeft(came, last, Math.min(end, stop))
    const next = items.length >= count && isLeft ? last : behind
    const isCut = until !== undefined && next >= stop
    const truncated = !isCut && next < end && next >= cap
    const hasNext = !isCut && next < end && !truncated && empty < MOST_EMPTY
    const page = { items, total, end, truncated, hasNext, hasPrevious }
    if (items.length > 0 || count === 0 || !hasNext) return page
    return { ...page, after: { position: behind - 1, start: behind, width: 0, empty } }
  }
}

/** The last rows before a place, or before the end, from so many windows at most. */
export const backward = async <R>(
  view: Paging,
  { from, count, until }: Span,
  most: number,
  ask: Ask<R>,
  holds: Holds,
): Promise<Page<R>> => {
  const cap = reach(view)
  const hasNext = until !== undefined
  const head = hasNext ? undefined : await forward(view, { from, count: 0 }, 1, ask, holds)
  const endsAt = head?.end ?? 0
  if (endsAt === Number.POSITIVE_INFINITY && count > 0)
    throw new GatewayError(
      'UPSTREAM_BAD_RESPONSE',
      `${view.endpoint.name}: the service told no total to count the last rows from; ask for the first`,
    )
  const stop: Place = until ?? { position: Math.min(endsAt, cap) }
  const truncated = head?.total !== null && endsAt > cap
  const size = Math.min(count, stop.position - from.position)
  if (size <= 0) {
    const empty = head ?? (await forward(view, { from: stop, count: 0 }, 1, ask, holds))
    return { ...empty, hasNext, truncated, hasPrevious: stop.position > from.position }
  }
  const read = reading(view, ask, holds)
  const items: Item<R>[] = []
  let place = stop
  let empty = until?.empty ?? 0
  for (let asked = head === undefined ? 1 : 2; ; asked++) {
    const left = size - items.length
    const begin = Math.max(from.position, place.position - left)
    const came = await read(previousWindow(view.windows, place, begin, from), begin)
    const { start, width, end, total } = came
    // Of windows before this one nothing is known, so its rows count in it alone.
    const counted = start > 0 || came.isShort ? { start, width } : {}
    items.unshift(...lastRows(came, from.position, place.position, left, () => counted))
    // A listing that has become shorter is read from where it ends now.
    place = end <= start ? { position: end } : { position: start, start }
    empty = came.rows.length === 0 ? empty + 1 : 0
    const isOver = place.position <= from.position || empty >= MOST_EMPTY
    if (items.length < size && !isOver && asked < most) continue
    const first = Math.max(start, from.position)
    const isLeft = isAnyLeft(came, first, items[0]?.position ?? first)
    const hasPrevious = isLeft || start > from.position
    const page = { items, total, truncated, hasNext, hasPrevious }
    if (items.length > 0 || isOver) return page
    return { ...page, before: place.start === undefined ? place : { ...place, width: 0, empty } }
  }
}
