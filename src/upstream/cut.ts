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
}

/** Asks for a window; `from` tells which of its rows is wanted first. */
export type Ask<R> = (window: Window, from: number) => Promise<Rows<R>>
/** Whether the window is already held. */
export type Holds = (window: Window) => boolean

/** The rows of a window that could be read, from one position up to another. */
export const cut = <R>(
  rows: Rows<R>['rows'],
  start: number,
  from: number,
  stop: number,
  countedIn: (position: number) => Partial<Window> = () => ({}),
): Item<R>[] =>
  rows.slice(Math.max(0, from - start), Math.max(0, stop - start)).flatMap((row, at) => {
    const position = Math.max(from, start) + at
    return row === null ? [] : [{ row, position, ...countedIn(position) }]
  })

/** Where the page ends that has these rows. */
export const endOf = (items: readonly Item<unknown>[], from: number): number =>
  (items.at(-1)?.position ?? from - 1) + 1

/** A listing that has no row at its beginning has none: the one total that needs no telling. */
export const none = (start: number, { rows }: Pick<Rows<unknown>, 'rows'>): number | null =>
  start === 0 && rows.length === 0 ? 0 : null
