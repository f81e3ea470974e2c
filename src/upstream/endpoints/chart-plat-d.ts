import { listing } from '../endpoint.ts'
import { bool, country, int as intParam, oneOf, query, sumAtMost } from '../params.ts'
import { count, key } from '../values.ts'
import { chart, dated, dating, entry, place } from './chart.ts'
import { artistCredits } from './chart-credit.ts'
import { ofRecording, recording, uncreditedTrack } from './chart-recording.ts'

export const PLAT_D_INTERVAL = {
  DAILY: 'daily',
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
  SEMI_YEARLY: 'semi-yearly',
  YEARLY: 'yearly',
  ALL_TIME: 'all_time',
} as const

const platDEntry = entry(
  {
    ...place,
    ...recording,
    track: ['', uncreditedTrack],
    artistCredits: ['', artistCredits('platD_artist_names')],
    platD: ['platD', key],
    platDTrackId: ['platD_track_id', key],
    posts: ['posts', count],
    views: ['views', count],
    previousViews: ['views_prev', count],
  },
  { posts: 'weekly_posts' },
)
export type PlatDEntry = NonNullable<ReturnType<typeof platDEntry>>

export const platDTrackChart = listing({
  ...chart,
  name: 'platDTrackChart',
  doc: 'Tracks of platD by posts, or of a country.',
  route: 'GET /api/charts/platD/tracks',
  params: {
    ...dating,
    // In practice the service refuses an interval beside `latest`, so the default is left to it.
    interval: query('interval', oneOf(PLAT_D_INTERVAL), { initial: 'all_time', quiet: true }),
    countryChart: query('countryChart', bool),
    countryCode: query('code2', country),
    offset: query('offset', intParam(0, 9900)),
    limit: query('limit', intParam(1, 100)),
  },
  rules: [dated, sumAtMost('offset', 'limit', 10_000)],
  row: platDEntry,
  teaches: ofRecording,
  end: 'empty',
  windows: [100],
})
