import { stampOf } from '../../world/day.ts'
import type { Chart, Place } from '../../world/ladder.ts'

/** Days of history that a row tells, the row's own included. */
const HISTORY = 14

/** Where a row stands and stood; `time_on_chart` counts periods. */
export const placed = (chart: Chart, run: readonly Place[]) => {
  const history = run.slice(-HISTORY)
  const [entry, now] = [run[0], run.at(-1)]
  if (entry === undefined || now === undefined) throw new RangeError('a row without a place')
  const before = run.at(-2)
  const peak = run.reduce((best, place) => (place.rank < best.rank ? place : best))
  const start = history[0] ?? now
  const periods = now.period - start.period
  return {
    rank: now.rank,
    pre_rank: before?.period === now.period - 1 ? before.rank : null,
    peak_rank: peak.rank,
    peak_date: stampOf(chart.day(peak.period)),
    added_at: stampOf(chart.day(entry.period)),
    velocity: periods === 0 ? null : Math.round((100 * (start.rank - now.rank)) / periods) / 100,
    time_on_chart: run.length,
    rankStats: history.map(({ period, rank }) => ({ rank, timestp: stampOf(chart.day(period)) })),
  }
}
