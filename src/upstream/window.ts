import { GatewayError } from '../errors.ts'
import type { End, Endpoint, Listing, Rows } from './endpoint.ts'

/** What decides how a listing is paged. */
export interface Paging {
  readonly endpoint: Endpoint
  readonly end: End
  readonly windows: readonly number[]
}

/** A listing as one reads it: rows in the answers of an endpoint. */
export interface View<V, R> extends Paging {
  readonly endpoint: Endpoint<V>
  rows(value: V): Rows<R>
  /** One of several lists that share the endpoint's answers. */
  readonly bucket?: string
}

export const viewOf = <R>(listing: Listing<R>): View<Rows<R>, R> => ({
  endpoint: listing,
  end: listing.end,
  windows: listing.windows,
  rows: (value) => value,
})

/** Which rows are wanted: `count` from position `from`, none at or behind `until`. */
export interface Span {
  readonly from: number
  readonly count: number
  readonly until?: number | undefined
  /** Where the window begins that holds `from`; known only for listings whose page size is the service's. */
  readonly start?: number | undefined
}

/** The request for one window of a listing. */
export interface Window {
  readonly start: number
  /** Rows asked for; undefined where the service takes no limit. */
  readonly width: number | undefined
}

export interface Item<R> {
  readonly row: R
  readonly position: number
  /** Where the window of the next position begins. */
  readonly next: number
}

export interface Page<R> {
  readonly items: readonly Item<R>[]
  readonly hasNext: boolean
  readonly truncated: boolean
  readonly total: number | null
}

/** Asks for a window; `from` tells which of its rows is wanted first. */
export type Ask<R> = (window: Window, from: number) => Promise<Rows<R>>
/** Whether the window is already held. */
export type Holds = (window: Window) => boolean

/** The first position that the service cannot reach. */
export const reach = ({ endpoint, windows }: Omit<Paging, 'end'>): number => {
  const cap = endpoint.rules.find((rule) => rule.most !== undefined)?.most
  const offset = endpoint.params.offset?.kind.most
  return Math.min(
    cap ?? Number.POSITIVE_INFINITY,
    offset === undefined ? Number.POSITIVE_INFINITY : offset + (windows[0] ?? 1),
  )
}

const alignedAt = (position: number, width: number): Window => ({
  start: Math.floor(position / width) * width,
  width,
})

/** The windows that hold a stretch of rows whole. */
export const holding = (windows: readonly number[], position: number, end: number): Window[] =>
  windows
    .map((width) => alignedAt(position, width))
    .filter(({ start, width = 0 }) => start + width >= end)

/** The window to buy: the narrow one for a first page, the wide one behind it, the widest for a page wider than that. */
export const windowToBuy = (windows: readonly number[], position: number, end: number): Window => {
  const [narrow = 1, wide = narrow, widest = wide] = windows
  return alignedAt(position, end <= narrow ? narrow : end - position <= wide ? wide : widest)
}

const take = <R>(
  into: Item<R>[],
  rows: Rows<R>['rows'],
  window: Window,
  span: Span,
  stop: number,
) => {
  const last = window.start + (window.width ?? rows.length)
  for (let at = Math.max(span.from - window.start, 0); at < rows.length; at++) {
    const position = window.start + at
    if (into.length >= span.count || position >= stop) return
    const row = rows[at]
    if (row === null || row === undefined) continue
    into.push({ row, position, next: position + 1 === last ? last : window.start })
  }
}

const honoured = <R>(rows: Rows<R>, window: Window): Rows<R> => {
  if (rows.offset === null || rows.offset === window.start) return rows
  throw new GatewayError(
    'UPSTREAM_BAD_RESPONSE',
    `asked for rows from ${window.start}, the service sent those from ${rows.offset}`,
  )
}

/** A listing that has no row at its beginning has none: the one total that needs no telling. */
const none = (start: number, { rows }: Pick<Rows<unknown>, 'rows'>): number | null =>
  start === 0 && rows.length === 0 ? 0 : null

/** Behind a first window only those that begin there: one that reaches back would give its rows again. */
const beginningAt = (windows: readonly number[], position: number, { from }: Span) =>
  position === from ? windows : windows.filter((width) => position % width === 0)

const aligned = async <R>(
  view: Paging,
  span: Span,
  ask: Ask<R>,
  holds: Holds,
): Promise<Page<R>> => {
  const cap = reach(view)
  if (span.from >= cap) return { items: [], total: null, truncated: true, hasNext: false }
  const items: Item<R>[] = []
  let total: number | null = null
  let end = Number.POSITIVE_INFINITY
  let position = span.from
  do {
    const wanted = Math.min(Math.max(span.from + span.count, position + 1), cap)
    const windows = beginningAt(view.windows, position, span)
    const window =
      holding(windows, position, wanted).find(holds) ?? windowToBuy(windows, position, wanted)
    const { start, width = 0 } = window
    const rows = honoured(await ask(window, position), window)
    total = (view.end === 'total' ? rows.total : null) ?? none(start, rows)
    end = total ?? (rows.rows.length < width ? start + rows.rows.length : end)
    take(items, rows.rows, window, span, Math.min(end, cap, span.until ?? cap))
    position = start + width
  } while (items.length < span.count && position < Math.min(end, cap, span.until ?? cap))
  const full = items.length >= span.count
  const behind = full ? (items.at(-1)?.position ?? span.from - 1) + 1 : position
  const cut = span.until !== undefined && behind >= span.until
  const truncated = behind < end && behind >= cap
  return { items, total, truncated, hasNext: cut || (behind < end && !truncated) }
}

const chained = async <R>(view: Paging, span: Span, ask: Ask<R>): Promise<Page<R>> => {
  const cap = reach(view)
  const furthest = view.endpoint.params.offset?.kind.most ?? Number.POSITIVE_INFINITY
  const width = view.windows[0]
  const items: Item<R>[] = []
  let start = span.start ?? span.from
  for (;;) {
    const { rows } = await ask({ start, width }, span.from)
    take(items, rows, { start, width: rows.length }, span, cap)
    const next = start + rows.length
    const full = width !== undefined && rows.length === width
    if (full && items.length < span.count && next <= furthest) {
      start = next
      continue
    }
    const behind = items.at(-1)?.position ?? span.from - 1
    const inside = behind + 1 < next
    const truncated = !inside && rows.length > 0 && next > furthest
    const hasNext = inside || (rows.length > 0 && !truncated)
    return { items, total: none(start, { rows }), truncated, hasNext }
  }
}

const whole = async <R>(span: Span, ask: Ask<R>): Promise<Page<R>> => {
  const { rows } = await ask({ start: 0, width: undefined }, 0)
  const items: Item<R>[] = []
  take(items, rows, { start: 0, width: rows.length }, span, span.until ?? rows.length)
  const behind = (items.at(-1)?.position ?? span.from - 1) + 1
  return { items, total: rows.length, truncated: false, hasNext: behind < rows.length }
}

/** Cuts a page from the windows of a listing, asking for those that are needed and no other. */
export const page = <R>(view: Paging, span: Span, ask: Ask<R>, holds: Holds): Promise<Page<R>> =>
  view.end === 'whole'
    ? whole(span, ask)
    : view.end === 'empty'
      ? chained(view, span, ask)
      : aligned(view, span, ask, holds)
