import DataLoader from 'dataloader'
import type { Upstream } from '../upstream/client.ts'
import type { Given } from '../upstream/desk.ts'
import {
  ESTIMATE_STATUS,
  ESTIMATES_AT_ONCE,
  estimateKey,
  type StreamEstimate,
  streamEstimates,
} from '../upstream/endpoints/estimate.ts'
import type { Operation } from '../upstream/operation.ts'
import { checkArgs, type Request, request } from '../upstream/request.ts'
import { type Asker, foremost, type Rank, rankOf } from '../upstream/turn.ts'
import { type Arrived, createGather } from './gather.ts'

/** The days that estimates are about; none of them is the latest snapshot. */
export interface Days {
  readonly date?: string | null | undefined
  readonly since?: string | null | undefined
  readonly until?: string | null | undefined
}

/** Estimates of one operation, by track and days; tracks that are asked about together share requests. */
export type Estimates = (
  trackCmId: number,
  days: Days,
  asker?: Asker,
) => Promise<Given<StreamEstimate>>

/** A request that several tracks share, and for whom it is asked for. */
interface Shared {
  readonly request: Request
  readonly asker: { rank?: Rank | undefined; readonly field?: string | undefined }
}

const notFound = (trackId: number): StreamEstimate => ({
  trackId,
  status: ESTIMATE_STATUS.NOT_FOUND,
  estimates: [],
})

/** An item is found by its track, whatever its place in the answer; one that is left out was not found. */
export const createEstimates = (
  upstream: Upstream,
  operation: Operation,
  arrived: Arrived,
): Estimates => {
  const asked = new Set<string>()

  /** What is still looked for with other replicas is sent with the rank that it has by then. */
  const lift = ({ request, asker }: Shared, rank: Rank): void => {
    if (rank >= rankOf(asker)) return
    asker.rank = rank
    upstream.lift(request, operation, rank)
  }

  const gathering = (days: Days) => {
    const { from, batchScheduleFn } = createGather(upstream.clock, operation, arrived)
    /** Who asks for each, and in which request, once that is asked for. */
    const askers = new Map<number, { asker: Asker | undefined; shared?: Shared }>()
    const loader = new DataLoader<number, Given<StreamEstimate>>(
      async (ids) => {
        const wanted = request(streamEstimates, { trackCmIds: ids, ...days })
        const all = ids.flatMap((id) => askers.get(id) ?? [])
        const asker = { ...foremost(all.map(({ asker }) => asker)) }
        for (const one of all) one.shared = { request: wanted, asker }
        const { value, stale } = await upstream.call(wanted, operation, asker)
        operation.ledger.save('batched', ids.length - 1, streamEstimates.name, asker.field)
        const items = new Map(
          value.rows.slice().flatMap((item) => (item ? [[item.trackId, item]] : [])),
        )
        return ids.map((id) => ({ value: items.get(id) ?? notFound(id), ...(stale && { stale }) }))
      },
      { maxBatchSize: ESTIMATES_AT_ONCE, batchScheduleFn },
    )
    return (id: number, asker: Asker | undefined) => {
      const before = askers.get(id)
      if (before === undefined) askers.set(id, { asker })
      else if (rankOf(asker) < rankOf(before.asker)) {
        before.asker = asker
        if (before.shared !== undefined) lift(before.shared, rankOf(asker))
      }
      from(asker)
      return loader.load(id)
    }
  }
  const byDays = new Map<string, ReturnType<typeof gathering>>()

  return async (trackCmId, { date, since, until }, asker) => {
    const days = { date, since, until }
    checkArgs(streamEstimates, { ...days, trackCmIds: [trackCmId] })
    const key = estimateKey(trackCmId, days)
    if (asked.has(key)) operation.ledger.save('merged', 1, streamEstimates.name, asker?.field)
    else {
      const held = upstream.fact(streamEstimates.name, key, operation)
      if (held !== undefined) {
        operation.ledger.save('cache', 1, streamEstimates.name, asker?.field)
        return held as Given<StreamEstimate>
      }
    }
    asked.add(key)
    const window = JSON.stringify(days)
    const gathered = byDays.get(window) ?? gathering(days)
    byDays.set(window, gathered)
    return gathered(trackCmId, asker)
  }
}
