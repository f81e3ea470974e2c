import type { Rows } from './endpoint.ts'
import type { Place, Window } from './window.ts'

/** A row of a page, and what a cursor needs to go on from it. */
export interface Item<R> extends Place {
  readonly row: R
}

export interface Page<R> {
  readonly items: readonly Item<R>[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
  readonly truncated: boolean
  readonly total: number | null
  /** Where the listing ends, as far as its windows told; infinite where they did not. */
  readonly end?: number
  /** Of a page without rows that is not the last: where the next one goes on, or the previous one. */
  readonly after?: Place
  readonly before?: Place
}

/** Windows in a row without a row, after which a total is taken to count what is not there. */
export const MOST_EMPTY = 10

/** Asks for a window; `from` tells which of its rows is wanted first. */
export type Ask<R> = (window: Window, from: number) => Promise<Rows<R>>
/** Whether the window is already held. */
export type Holds = (window: Window) => boolean

/** Rows that came, and the position of the first of them. */
interface Cut<R> {
  readonly rows: Rows<R>['rows']
  readonly start: number
}

type CountedIn = (position: number) => Partial<Place>

/** Reads from one end of the rows between two positions, until there are enough of those that could be read. */
const rowsFrom =
  (edge: 'first' | 'last') =>
  <R>(
    { rows, start }: Cut<R>,
    from: number,
    stop: number,
    most: number,
    countedIn: CountedIn,
  ): Item<R>[] => {
    const items: Item<R>[] = []
    const begin = Math.max(0, from - start)
    const end = Math.min(rows.length, stop - start)
    for (let step = 0; step < end - begin && items.length < most; step++) {
      const at = edge === 'first' ? begin + step : end - 1 - step
      const row = rows[at]
      const position = start + at
      if (row !== null && row !== undefined) items.push({ row, position, ...countedIn(position) })
    }
    return edge === 'first' ? items : items.reverse()
  }

/** The first rows between two positions, of those that could be read. */
export const firstRows = rowsFrom('first')
/** The last of them, in their order. */
export const lastRows = rowsFrom('last')

/** Whether any row between two positions could be read. */
export const isAnyLeft = (cut: Cut<unknown>, from: number, stop: number): boolean =>
  firstRows(cut, from, stop, 1, () => ({})).length > 0

/** Where the page ends that has these rows. */
export const endOf = (items: readonly Item<unknown>[], from: number): number =>
  (items.at(-1)?.position ?? from - 1) + 1

/** A listing that has no row at its beginning has none: the one total that needs no telling. */
export const none = ({ rows, start }: Cut<unknown>): number | null =>
  start === 0 && rows.length === 0 ? 0 : null
