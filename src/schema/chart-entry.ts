import type { Place, RankHistoryEntry as RankHistoryRow } from '../upstream/endpoints/chart.ts'
import { builder } from './builder.ts'

const RankHistoryEntry = builder.objectRef<RankHistoryRow>('RankHistoryEntry').implement({
  description: 'A place in the past of a chart entry.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'Day. Wire: timestp, date' }),
    rank: t.expose('rank', { type: 'Int', description: 'Place. Wire: rank' }),
    posts: t.expose('posts', {
      type: 'BigInt',
      description: 'Posts; platD only. Wire: posts',
    }),
  }),
})

export const ChartEntry = builder.interfaceRef<Place>('ChartEntry').implement({
  description: 'A place on a chart.',
  fields: (t) => ({
    rank: t.expose('rank', { type: 'Int', description: 'Place on this chart. Wire: rank' }),
    previousRank: t.expose('previousRank', {
      type: 'Int',
      description: 'Place before. Wire: pre_rank',
    }),
    peakRank: t.expose('peakRank', {
      type: 'Int',
      description: 'Best place so far. Wire: peak_rank',
    }),
    peakDate: t.expose('peakDate', {
      type: 'Date',
      description: 'Day of the best place. Wire: peak_date',
    }),
    addedAt: t.expose('addedAt', {
      type: 'Date',
      description: 'Day it entered the chart. Wire: added_at',
    }),
    velocity: t.expose('velocity', {
      type: 'Float',
      description: 'Speed of its movement. Wire: velocity',
    }),
    timeOnChart: t.expose('timeOnChart', {
      type: 'Int',
      description: "Time on the chart, in the chart's own unit. Wire: time_on_chart",
    }),
    rankHistory: t.expose('rankHistory', {
      type: [RankHistoryEntry],
      nullable: false,
      description: 'Places over time, as the row tells them. Wire: rankStats',
    }),
  }),
})
