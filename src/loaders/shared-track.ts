import type { Page } from '../upstream/cut.ts'
import type { Rows } from '../upstream/endpoint.ts'
import { type TrackStatRow, tracksByFilter } from '../upstream/endpoints/track-stat.ts'
import type { Args } from '../upstream/params.ts'
import { type Joins, type Series, windowRequest } from '../upstream/series.ts'

/** Rows that are asked for on behalf of all artists together; the request costs the same whatever comes. */
const SHARED = { start: 0, width: 1000 }
/** Artists of one request: their numbers stand in its path. */
export const MOST_ARTISTS = 100
const MOST_ROWS = 100

/** The artist of a listing of tracks, and all else that it is asked for by. */
export const ofOne = ({ args: { artistIds, ...order } }: Pick<Series, 'args'>) => {
  const [artistId] = Array.isArray(artistIds) ? artistIds : []
  return { artistId: Number(artistId), order }
}

export const idsOf = (all: readonly { readonly artistId: number }[]): number[] => [
  ...new Set(all.map(({ artistId }) => artistId)),
]

/** The request for the tracks of several artists. */
export const sharedTracks = (artistIds: readonly number[], order: Args) =>
  windowRequest(tracksByFilter, { ...order, artistIds }, SHARED)

/** Which pages come in one request with those of other artists, and in which. */
export const firstTracks: Joins = {
  takes: ({ from, count, until, isLast }) =>
    from.position === 0 &&
    until === undefined &&
    isLast !== true &&
    count > 0 &&
    count <= MOST_ROWS,
  request(all) {
    const [first, ...others] = all.map(ofOne)
    if (first === undefined) return undefined
    const artistIds = idsOf([first, ...others])
    const key = JSON.stringify(first.order)
    const isOne = others.every(({ order }) => JSON.stringify(order) === key)
    const isJoined = isOne && artistIds.length > 1 && artistIds.length <= MOST_ARTISTS
    return isJoined ? sharedTracks(artistIds, first.order) : undefined
  },
}

const isBy =
  (...artistIds: number[]) =>
  (row: TrackStatRow | null) =>
    row?.artistCredits.some(({ cmId }) => artistIds.some((id) => id === cmId)) === true

/**
 * What each of several artists has of what came for them all: a first page of so many rows, undefined where it may be
 * more than came. Nothing where nobody's own rows can be counted.
 */
export const sharesOf = (value: Rows<TrackStatRow>, artistIds: readonly number[]) => {
  const { rows: all, total } = value
  // A row that nobody could read, or that names none of them, may be anyone's, and a 404 may be about any of them.
  if (value === tracksByFilter.nothing || !all.every(isBy(...artistIds))) return undefined
  const isWhole = total !== null && all.length >= total
  // Rows that the service left out of the shared window it leaves out of an artist's own ones too.
  const counted = isWhole || all.length === SHARED.width ? {} : SHARED
  return (artistId: number, count: number): Page<TrackStatRow> | undefined => {
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
