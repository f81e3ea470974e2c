import { GatewayError } from '../errors.ts'
import {
  BARE_ORDER,
  STAT_PERIOD,
  type StatPeriod,
  TRACK_STAT,
  type TrackStat,
  WITHOUT_PERIOD,
} from '../upstream/endpoints/track-stat.ts'
import { type Args, day } from '../upstream/params.ts'
import { isDescending } from './order.ts'
import type { TrackFilter, TrackOrder } from './track-stat-filter.ts'

type Filter = typeof TrackFilter.$inferInput
type Order = typeof TrackOrder.$inferInput
type Maybe<T> = T | null | undefined

const refusal = (argument: string, stat: TrackStat, complaint: string): GatewayError => {
  const name = Object.entries(TRACK_STAT).find(([, wire]) => wire === stat)?.[0]
  return new GatewayError('BAD_USER_INPUT', `${argument}: ${name} ${complaint}`, { argument })
}

const isGiven = <T>(value: Maybe<T>): value is T => value !== null && value !== undefined

const boundsOf = (ranges: NonNullable<Filter['ranges']>): Args => {
  const bounds: Record<string, unknown> = {}
  for (const { stat, min, max } of ranges) {
    const refuse = (complaint: string) => refusal('ranges', stat, complaint)
    if (stat === TRACK_STAT.RELEASE_DATE) throw refuse('is filtered by releaseDate')
    if (`min_${stat}` in bounds) throw refuse('may stand once only')
    if ((min ?? max ?? undefined) === undefined) throw refuse('needs min or max')
    if (isGiven(min) && isGiven(max) && Number(min) > Number(max))
      throw refuse(`needs min at most max, got ${min} and ${max}`)
    bounds[`min_${stat}`] = min
    bounds[`max_${stat}`] = max
  }
  return bounds
}

const daysOf = (releaseDate: Filter['releaseDate']) => {
  const { min, max } = releaseDate ?? {}
  const refuse = (complaint: string) =>
    new GatewayError('BAD_USER_INPUT', `releaseDate: ${complaint}`, { argument: 'releaseDate' })
  for (const [name, value] of Object.entries({ min, max }))
    if (isGiven(value) && day.check(value) === undefined)
      throw refuse(`${name} must be ${day.doc}, got ${JSON.stringify(value)}`)
  if (isGiven(min) && isGiven(max) && min > max)
    throw refuse(`needs min not after max, got ${min} and ${max}`)
  return { min, max }
}

/** A filter as the endpoint's arguments. */
export const filterOf = (filter: Maybe<Filter>): Args => {
  const { ranges, releaseDate, ...rest } = filter ?? {}
  const { min, max } = daysOf(releaseDate)
  return {
    ...rest,
    ...boundsOf(ranges ?? []),
    [`min_${TRACK_STAT.RELEASE_DATE}`]: min,
    [`max_${TRACK_STAT.RELEASE_DATE}`]: max,
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
