import { outlook } from '../upstream/outlook.ts'
import type { Request } from '../upstream/request.ts'
import type { Series, Wanted } from '../upstream/series.ts'
import type { Window } from '../upstream/window.ts'

/** Windows that would serve in the place of another. */
export interface Instead {
  readonly series: Series
  readonly windows: readonly Window[]
}

/** The requests of a page: the first one, what would serve in its place, and how many more there may be. */
export interface PageRequests {
  readonly size: number
  readonly first: Request
  readonly instead: Instead
  readonly more: number
}

/** The windows that a page needs, told without asking for any. */
export const windowsOf = ({ series, span }: Wanted): PageRequests => {
  const { toBuy, instead, size, more } = outlook(series.view, span)
  const windows = instead.filter(({ width }) => width !== toBuy.width)
  return { size, first: series.request(toBuy), instead: { series, windows }, more }
}
