import { GatewayError } from '../errors.ts'
import {
  BARE_ORDER,
  STAT_PERIOD,
  type StatPeriod,
  TRACK_STAT,
  type TrackStat,
  WITHOUT_PERIOD,
} from '../upstream/endpoints/track-stat.ts'
import type { Args } from '../upstream/params.ts'
import { isDescending } from './order.ts'
import type { TrackFilter, TrackOrder } from './track-stat-filter.ts'

type Filter = typeof TrackFilter.$inferInput
type Order = typeof TrackOrder.$inferInput
type Maybe<T> = T | null | undefined

const refusal = (argument: string, stat: TrackStat, complaint: string): GatewayError => {
  const name = Object.entries(TRACK_STAT).find(([, wire]) => wire === stat)?.[0]
  return new GatewayError('BAD_USER_INPUT', `${argument}: ${name} ${complaint}`, { argument })
}

const boundsOf = (ranges: NonNullable<Filter['ranges']>): Args => {
  const bounds: Record<string, unknown> = {}
  for (const { stat, min, max } of ranges) {
    const refuse = (complaint: string) => refusal('ranges', stat, complaint)
    if (stat === TRACK_STAT.RELEASE_DATE) throw refuse('is filtered by releaseDate')
    if (`min_${stat}` in bounds) throw refuse('may stand once only')
    if ((min ?? max ?? undefined) === undefined) throw refuse('needs min or max')
    bounds[`min_${stat}`] = min
    bounds[`max_${stat}`] = max
  }
  return bounds
}

/** A filter as the endpoint's arguments. */
export const filterOf = (filter: Maybe<Filter>): Args => {
  const { ranges, releaseDate, ...rest } = filter ?? {}
  return {
    ...rest,
    ...boundsOf(ranges ?? []),
    [`min_${TRACK_STAT.RELEASE_DATE}`]: releaseDate?.min,
    [`max_${TRACK_STAT.RELEASE_DATE}`]: releaseDate?.max,
  }
}

const columnOf = ({ field, period }: Order, own: StatPeriod): string => {
  const refuse = (complaint: string) => refusal('orderBy', field, complaint)
  if (field === TRACK_STAT.RELEASE_DATE) throw refuse('is no order that the service lists')
  if (WITHOUT_PERIOD.has(field) && period) throw refuse('takes no period')
  return BARE_ORDER.has(field) && !period ? field : `${period ?? own}.${field}`
}

/** An order as the endpoint's arguments; a statistic without a period has that of the listing. */
export const orderOf = (order: Maybe<Order>, own?: Maybe<StatPeriod>): Args =>
  order
    ? { orderBy: columnOf(order, own ?? STAT_PERIOD.LATEST), isDescending: isDescending(order) }
    : {}
