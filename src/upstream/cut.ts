import type { Rows } from './rows.ts'
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

const itemOf = <R>(row: R, at: number, countedIn: CountedIn): Item<R> => {
  const { position = at, start, width } = countedIn(at)
  return { row, position, start, width }
}

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
    let begin = Math.max(0, from - start)
    let end = Math.min(rows.length, stop - start)
    while (begin < end && items.length < most) {
      const many = Math.min(most - items.length, end - begin)
      const first = edge === 'first' ? begin : end - many
      const read: Item<R>[] = []
      for (const [at, row] of rows.slice(first, first + many).entries())
        if (row !== null) read.push(itemOf(row, start + first + at, countedIn))
      if (edge === 'first') {
        items.push(...read)
        begin += many
      } else {
        items.unshift(...read)
        end -= many
      }
    }
    return items
  }

/** The first rows between two positions, of those that could be read. */
export const firstRows = rowsFrom('first')
/** The last of them, in their order. */
export const lastRows = rowsFrom('last')

/** The position of the last row that could be read; before the first where none could. */
export const lastOf = (cut: Cut<unknown>): number => {
  const [last] = lastRows(cut, cut.start, Number.POSITIVE_INFINITY, 1, () => ({}))
  return last?.position ?? cut.start - 1
}

/** Whether any row between two positions could be read. */
export const isAnyLeft = (cut: Cut<unknown>, from: number, stop: number): boolean =>
  firstRows(cut, from, stop, 1, () => ({})).length > 0

/** Where the page ends that has these rows. */
export const endOf = (items: readonly Item<unknown>[], from: number): number =>
  (items.at(-1)?.position ?? from - 1) + 1

/** A listing that has no row at its beginning has none: the one total that needs no telling. */
export const none = ({ rows, start }: Cut<unknown>): number | null =>
  start === 0 && rows.length === 0 ? 0 : null
