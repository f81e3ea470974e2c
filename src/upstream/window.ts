import type { End, Endpoint, Listing } from './endpoint.ts'
import type { Rows } from './rows.ts'

/** What decides how a listing is paged. */
export interface Paging {
  readonly endpoint: Endpoint
  readonly end: End
  readonly windows: readonly number[]
  /** One of several lists that share the endpoint's answers. */
  readonly bucket?: string
}

/** A listing as one reads it: rows in the answers of an endpoint. */
export interface View<V, R> extends Paging {
  readonly endpoint: Endpoint<V>
  rows(value: V): Rows<R>
}

export const viewOf = <R>(listing: Listing<R>): View<Rows<R>, R> => ({
  endpoint: listing,
  end: listing.end,
  windows: listing.windows,
  rows: (value) => value,
})

/** The request for one window of a listing. */
export interface Window {
  readonly start: number
  /** Rows asked for; undefined where the service takes no limit. */
  readonly width: number | undefined
}

/**
 * Between two rows of a listing. Where the service leaves rows out of its windows, `position` is no offset: it counts
 * the rows of the window that begins at `start` and has this width, and of wider ones that begin there.
 */
export interface Place {
  readonly position: number
  readonly start?: number | undefined
  readonly width?: number | undefined
  /** How many windows without a row end or begin here, one beside the other. */
  readonly empty?: number | undefined
}

/** Which rows are wanted: `count` of those from a place on, none at or behind `until`. */
export interface Span {
  readonly from: Place
  readonly count: number
  readonly until?: Place | undefined
  /** The last of them, and not the first. */
  readonly isLast?: boolean
}

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

const behind = ({ start, width = 0 }: Window): number => start + width

const beginsWith = (window: Window, { start, width = 0 }: Place): boolean =>
  window.start === start && (window.width ?? 0) >= width

/** The windows that tell the row at a place. */
const from = (windows: readonly number[], place: Place): Window[] => {
  const { position, start, width = 0 } = place
  const all = windows.map((width) => alignedAt(position, width))
  if (start === undefined) return all
  const isBehind = position === start + width
  return all.filter(
    (window) => beginsWith(window, place) || (isBehind && window.start === position),
  )
}

/** The windows that tell the row before a place. */
const before = (windows: readonly number[], place: Place): Window[] => {
  const { position, start } = place
  const all = windows.map((width) => alignedAt(position - 1, width))
  if (start === undefined) return all
  if (position > start) return all.filter((window) => beginsWith(window, place))
  return all.filter((window) => behind(window) === position)
}

/** Whether the rows of a window lie before or behind a place, as far as both count alike. */
const comparing =
  (place: Place | undefined) =>
  (window: Window): boolean => {
    const { start, width = 0 } = place ?? {}
    if (place === undefined || start === undefined || behind(window) <= start) return true
    return window.start >= start + width || beginsWith(window, place)
  }

/** What may be asked next: the window to buy, and those that would serve in its place. */
export interface Choice {
  readonly toBuy: Window
  readonly instead: readonly Window[]
}

/** The narrow one for a first page, the wide one behind it, the widest for a page wider than that. */
const choice = (
  windows: readonly number[],
  some: readonly Window[],
  begin: number,
  end: number,
): Choice => {
  const [narrow = 1, wide = narrow, widest = wide] = windows
  const best = end <= narrow ? narrow : end - begin <= wide ? wide : widest
  const toBuy = some.find(({ width = 0 }) => width >= best) ?? some.at(-1) ?? alignedAt(begin, best)
  const instead = some.filter((window) => window.start <= begin && behind(window) >= end)
  return { toBuy, instead }
}

/** The next window of a page that is read from its beginning: rows from a place on, up to `end`, none at or behind `until`. */
export const nextWindow = (
  windows: readonly number[],
  place: Place,
  end: number,
  until: Place | undefined,
): Choice => {
  const some = from(windows, place).filter(comparing(until))
  return choice(windows, some, place.position, Math.max(end, place.position + 1))
}

/** The next window of a page that is read from its end: rows before a place, down to `begin`, none before `after`. */
export const previousWindow = (
  windows: readonly number[],
  place: Place,
  begin: number,
  after: Place,
): Choice => {
  const some = before(windows, place).filter(comparing(after))
  return choice(windows, some, begin, place.position)
}
