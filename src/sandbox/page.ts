/** What a listing gives: the rows of the asked page, and how many there are in all. */
export interface Page {
  readonly rows: readonly unknown[]
  readonly total: number
}

/** The asked page of a list, each of its entries written as a row. */
export const pageOf = <T>(
  list: readonly T[],
  offset: number,
  limit: number,
  write: (entry: T, position: number) => unknown,
): Page => ({
  rows: list.slice(offset, offset + limit).map((entry, i) => write(entry, offset + i)),
  total: list.length,
})

/** What every row source is asked with beside the wire parameters: the day in UTC. */
export interface Today {
  readonly today: string
}
