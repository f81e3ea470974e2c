import DataLoader from 'dataloader'
import { GatewayError } from '../errors.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Given } from '../upstream/desk.ts'
import { type TrackStatRow, tracksByFilter } from '../upstream/endpoints/track-stat.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Request } from '../upstream/request.ts'
import type { Rows } from '../upstream/rows.ts'
import { heldOf, type Wanted as Page, type Series } from '../upstream/series.ts'
import { type Asker, foremost } from '../upstream/turn.ts'
import type { Span } from '../upstream/window.ts'
import { type Arrived, createGather } from './gather.ts'
import type { Pages, StalePage } from './page.ts'
import {
  firstTracks,
  idsOf,
  MOST_ARTISTS,
  orderOf,
  sharedTracks,
  sharesOf,
} from './shared-track.ts'

/** One artist's first page of tracks. */
interface Wanted extends Page<unknown, TrackStatRow> {
  readonly asker: Asker | undefined
}

/** Artists who are asked for alone before it is known whether any of them is answered. */
const MOST_TRIED = 2

/**
 * First pages of the tracks of several artists, cut from one request for all of them, unless no more than one would be
 * sent without it. In a listing ordered by the same statistic an artist's first rows come in the artist's own order, so
 * n + 1 of them are the first n and a sign of more; an artist with fewer is complete where the whole listing came, and
 * is asked for alone where it did not.
 */
export const createArtistTracks = (
  upstream: Upstream,
  operation: Operation,
  pages: Pages,
  arrived: Arrived,
) => {
  const alone = ({ series, span, asker }: Wanted): Promise<StalePage<TrackStatRow>> =>
    pages(series, span, asker)

  const isHeld = ({ series }: Wanted): boolean => heldOf(series, upstream, operation) !== undefined

  /** Each one's page, from the rows of the window of them all. */
  const cut = (
    all: readonly Wanted[],
    window: Request,
    { value, stale }: Given<Rows<TrackStatRow>>,
  ): Promise<StalePage<TrackStatRow>>[] => {
    const shareOf = sharesOf(value, window)
    if (shareOf === undefined) return all.map(alone)
    let paid = false
    return all.map(async (wanted) => {
      const share = shareOf(wanted)
      if (share === undefined) return alone(wanted)
      if (paid) operation.ledger.save('batched', 1, tracksByFilter.name, wanted.asker?.field)
      paid = true
      return {
        ...share,
        ...(share.total === null && { findTotal: async () => (await alone(wanted)).total }),
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
    const tried = new Set<string>()
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
      tried.add(wanted.series.fingerprint)
      isAnswered = await answered
    }
    return pages
  }

  const together = async (all: readonly Wanted[]): Promise<Promise<StalePage<TrackStatRow>>[]> => {
    const missing = all.filter((wanted) => !isHeld(wanted))
    if (missing.length === 0) return all.map(alone)
    const window = sharedTracks(all, upstream, operation)
    if (window === undefined) return all.map(alone)
    if (idsOf(missing).length < 2 && !upstream.has(window, operation)) return all.map(alone)
    const asker = foremost(missing.map(({ asker }) => asker))
    try {
      return cut(all, window, await upstream.call(window, operation, asker))
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
    const wanted = { series, span, asker }
    if (!firstTracks.takes(span)) return alone(wanted)
    const key = orderOf(wanted)
    const gathered = byOrder.get(key) ?? gathering()
    byOrder.set(key, gathered)
    return gathered(wanted)
  }
  // Its rows are those of the track filter, as the only field that pages through it knows.
  return read as Pages
}
