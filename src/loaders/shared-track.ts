import type { Page } from '../upstream/cut.ts'
import {
  artistsOf,
  isBy,
  type TrackStatRow,
  tracksByFilter,
} from '../upstream/endpoints/track-stat.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Request } from '../upstream/request.ts'
import type { Rows } from '../upstream/rows.ts'
import { heldOf, type Joins, type Known, type Wanted, windowRequest } from '../upstream/series.ts'

/** Rows that are asked for on behalf of all artists together; the request costs the same whatever comes. */
const SHARED = { start: 0, width: 1000 }
/** Artists of one request: their numbers stand in its path. */
export const MOST_ARTISTS = 100
const MOST_ROWS = 100

/** Tracks of one artist. */
type Asked = Pick<Wanted, 'series'>

export const idsOf = (all: readonly Asked[]): number[] => [
  ...new Set(all.flatMap(({ series }) => artistsOf(series.args))),
]

/** All else that they are asked for by. */
export const orderOf = ({ series: { args } }: Asked): string =>
  JSON.stringify({ ...args, artistIds: undefined })

/**
 * The request for the tracks of several artists, in one order; undefined where they share none. Who is held with rows
 * is in it, so that it is the same whoever comes to be held; who is held as refused, or as nobody, is not, as it would be
 * refused for him too, unless rows are held for them all.
 */
export const sharedTracks = (
  all: readonly Asked[],
  known: Known,
  operation: Operation,
): Request<Rows<TrackStatRow>> | undefined => {
  const [first] = all
  const { length } = idsOf(all)
  if (first === undefined || length < 2 || length > MOST_ARTISTS) return undefined
  const forThese = (some: readonly Asked[]) =>
    windowRequest(tracksByFilter, { ...first.series.args, artistIds: idsOf(some) }, SHARED)
  const whole = forThese(all)
  if (known.gives(whole, operation)) return whole
  const given = all.filter(({ series }) => {
    const held = heldOf(series, known, operation)
    return held === undefined || known.gives(held, operation)
  })
  if (given.length === 0) return undefined
  return given.length < all.length ? forThese(given) : whole
}

/** Which pages come in one request with those of other artists, and in which. */
export const firstTracks: Joins = {
  takes: ({ from, count, until, isLast }) =>
    from.position === 0 &&
    until === undefined &&
    isLast !== true &&
    count > 0 &&
    count <= MOST_ROWS,
  request: (all, known, operation) =>
    new Set(all.map(orderOf)).size > 1 ? undefined : sharedTracks(all, known, operation),
}

/**
 * What each of several artists has of what came for them all: a first page of so many rows, undefined where it may be
 * more than came, or was not asked for. Nothing where nobody's own rows can be counted.
 */
export const sharesOf = (value: Rows<TrackStatRow>, shared: Request) => {
  const { total } = value
  const all = value.rows.slice()
  const artistIds = artistsOf(shared.args)
  // A row that nobody could read, or that names none of them, may be anyone's, and a 404 may be about any of them.
  if (value === tracksByFilter.nothing || !all.every(isBy(...artistIds))) return undefined
  const isWhole = total !== null && all.length >= total
  // Rows that the service left out of the shared window it leaves out of an artist's own ones too.
  const counted = isWhole || all.length === SHARED.width ? {} : SHARED
  return ({ series, span: { count } }: Wanted): Page<TrackStatRow> | undefined => {
    const [artistId] = artistsOf(series.args)
    if (artistId === undefined || !artistIds.includes(artistId)) return undefined
    const rows = all.filter(isBy(artistId))
    if (!isWhole && rows.length <= count) return undefined
    return {
      items: rows
        .slice(0, count)
        .flatMap((row, position) => (row === null ? [] : [{ row, position, ...counted }])),
      hasNext: rows.length > count,
      hasPrevious: false,
      truncated: false,
      total: isWhole ? rows.length : null,
    }
  }
}
