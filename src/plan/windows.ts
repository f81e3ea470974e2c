import { windowRequest } from '../loaders/page.ts'
import { spanOf } from '../schema/connection.ts'
import type { Asked } from '../schema/spends.ts'
import { outlook } from '../upstream/outlook.ts'
import type { Request } from '../upstream/request.ts'
import type { Window } from '../upstream/window.ts'

/** The requests of a page: the first one, what would serve in its place, and how many more there may be. */
export interface PageRequests {
  readonly size: number
  readonly first: Request
  readonly instead: readonly Request[]
  readonly more: number
}

/** The windows that a page needs, told without asking for any. A page that will be refused throws. */
export const windowsOf = ({ view, args, paging }: Asked): PageRequests => {
  const { toBuy, instead, size, more } = outlook(view, spanOf(view, args, paging).span)
  const requestOf = (window: Window) => windowRequest(view.endpoint, args, window)
  const others = instead.filter((window) => window.width !== toBuy.width)
  return { size, first: requestOf(toBuy), instead: others.map(requestOf), more }
}
