import DataLoader from 'dataloader'
import { GatewayError } from '../errors.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Given } from '../upstream/desk.ts'
import type { Rows } from '../upstream/endpoint.ts'
import { type TrackStatRow, tracksByFilter } from '../upstream/endpoints/track-stat.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Args } from '../upstream/params.ts'
import { type Joins, type Wanted as Page, type Series, windowRequest } from '../upstream/series.ts'
import { type Asker, foremost } from '../upstream/turn.ts'
import type { Span } from '../upstream/window.ts'
import { type Arrived, createGather } from './gather.ts'
import type { Pages, StalePage } from './page.ts'

/** One artist's first page of tracks. */
interface Wanted extends Page<unknown, TrackStatRow> {
  readonly artistId: number
  readonly order: Args
  readonly asker: Asker | undefined
}

/** Rows that are asked for on behalf of all artists together; the request costs the same whatever comes. */
const SHARED = { start: 0, width: 1000 }
/** Artists of one request: their numbers stand in its path. */
const MOST_ARTISTS = 100
const MOST_ROWS = 100
/** Artists who are asked for alone before it is known whether any of them is answered. */
const MOST_TRIED = 2

const idsOf = (all: readonly Pick<Wanted, 'artistId'>[]): number[] => [
  ...new Set(all.map(({ artistId }) => artistId)),
]

/** The artist of a listing of tracks, and all else that it is asked for by. */
const ofOne = ({ args: { artistIds, ...order } }: Pick<Series, 'args'>) => {
  const [artistId] = Array.isArray(artistIds) ? artistIds : []
  return { artistId: Number(artistId), order }
}

const shared = (artistIds: readonly number[], order: Args) =>
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
    return isJoined ? shared(artistIds, first.order) : undefined
  },
}

const isBy =
  (...artistIds: number[]) =>
  (row: TrackStatRow | null) =>
    row?.artistCredits.some(({ cmId }) => artistIds.some((id) => id === cmId)) === true

/**
 * First pages of the tracks of several artists, cut from one request for all of them, unless no more than one would be
 * sent without it. In a listing ordered by the same
 * statistic an artist's first rows come in the artist's own order, so n + 1 of them are the first n and a sign of more;
 * an artist with fewer is complete where the whole listing came, and is asked for alone where it did not.
 */
export const createArtistTracks = (
  upstream: Upstream,
  operation: Operation,
  pages: Pages,
  arrived: Arrived,
) => {
  const alone = ({ series, span, asker }: Wanted): Promise<StalePage<TrackStatRow>> =>
    pages(series, span, asker)

  const isHeld = ({ series }: Wanted): boolean =>
    series.view.windows.some((width) =>
      upstream.has(series.request({ start: 0, width }), operation),
    )

  /** Each one's page, from the rows of the window of them all. */
  const cut = (
    all: readonly Wanted[],
    { value, stale }: Given<Rows<TrackStatRow>>,
  ): Promise<StalePage<TrackStatRow>>[] => {
    const isWhole = value.total !== null && value.rows.length >= value.total
    // A row that nobody could read, or that names none of them, may be anyone's: then nobody's own rows can be counted.
    // Nor can they where the service says 404, which may be about one of them.
    const isAnyones = value === tracksByFilter.nothing || !value.rows.every(isBy(...idsOf(all)))
    if (isAnyones) return all.map(alone)
    // Rows that the service left out of the shared window it leaves out of an artist's own ones too.
    const counted = isWhole || value.rows.length === SHARED.width ? {} : SHARED
    let paid = false
    return all.map(async (wanted) => {
      const rows = value.rows.filter(isBy(wanted.artistId))
      const { count } = wanted.span
      if (!isWhole && rows.length <= count) return alone(wanted)
      if (paid) operation.ledger.save('batched', 1, tracksByFilter.name, wanted.asker?.field)
      paid = true
      return {
        items: rows
          .slice(0, count)
          .flatMap((row, position) => (row === null ? [] : [{ row, position, ...counted }])),
        hasNext: rows.length > count,
        hasPrevious: false,
        truncated: false,
        total: isWhole ? rows.length : null,
        ...(isWhole ? {} : { findTotal: async () => (await alone(wanted)).total }),
        ...(stale && { stale }),
      }
    })
  }

  /**
   * Each one's page without the window of them all. What the service refuses may be the fault of one of them, so they
   * are asked for alone, as the price has room for; where the first two are refused as well, it is the fault of none.
   */
  const apart = async (
    all: readonly Wanted[],
    failure: unknown,
  ): Promise<Promise<StalePage<TrackStatRow>>[]> => {
    const isRefusal = failure instanceof GatewayError && failure.code === 'UPSTREAM_REJECTED'
    const tried = new Set<number>()
    let isAnswered = false
    const pages: Promise<StalePage<TrackStatRow>>[] = []
    for (const wanted of all) {
      const isAsked = isRefusal && (isAnswered || tried.size < MOST_TRIED)
      const isFree = isHeld(wanted)
      const page: Promise<StalePage<TrackStatRow>> =
        isFree || isAsked ? alone(wanted) : Promise.reject(failure)
      pages.push(page)
      // Whoever waits for it hears of a failure later, once all have been asked for.
      const answered = page.then(
        () => true,
        () => false,
      )
      if (isFree || isAnswered || !isAsked) continue
      tried.add(wanted.artistId)
      isAnswered = await answered
    }
    return pages
  }

  const together = async (all: readonly Wanted[]): Promise<Promise<StalePage<TrackStatRow>>[]> => {
    const artistIds = idsOf(all)
    const missing = all.filter((wanted) => !isHeld(wanted))
    const [first] = missing
    if (first === undefined || artistIds.length < 2) return all.map(alone)
    // Those who are held are in it too: so it is the same request whoever of them comes to be held.
    const window = shared(artistIds, first.order)
    if (idsOf(missing).length < 2 && !upstream.has(window, operation)) return all.map(alone)
    const asker = foremost(missing.map(({ asker }) => asker))
    try {
      return cut(all, await upstream.call(window, operation, asker))
    } catch (failure) {
      return apart(all, failure)
    }
  }

  const gathering = () => {
    const { from, batchScheduleFn } = createGather(upstream.clock, operation, arrived)
    const loader = new DataLoader<Wanted, StalePage<TrackStatRow>>(
      async (all) =>
        Promise.all(
          (await together(all)).map((page) =>
            page.catch((failure) => (failure instanceof Error ? failure : new Error('failed'))),
          ),
        ),
      { cache: false, maxBatchSize: MOST_ARTISTS, batchScheduleFn },
    )
    return (wanted: Wanted) => {
      from(wanted.asker)
      return loader.load(wanted)
    }
  }
  const byOrder = new Map<string, ReturnType<typeof gathering>>()

  const read = (
    series: Series<unknown, TrackStatRow>,
    span: Span,
    asker?: Asker,
  ): Promise<StalePage<TrackStatRow>> => {
    const wanted = { ...ofOne(series), series, span, asker }
    if (!firstTracks.takes(span)) return alone(wanted)
    const key = JSON.stringify(wanted.order)
    const gathered = byOrder.get(key) ?? gathering()
    byOrder.set(key, gathered)
    return gathered(wanted)
  }
  // Its rows are those of the track filter, as the only field that pages through it knows.
  return read as Pages
}
