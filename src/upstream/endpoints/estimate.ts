import { hours } from '../calendar.ts'
import { row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { array } from '../envelopes.ts'
import { type Args, body, day as dayParam, daysInOrder, notTogether, query } from '../params.ts'
import { count, day, float, id, int, list, wordOf } from '../values.ts'
import { trackId } from './track.ts'

export const ESTIMATE_STATUS = { AVAILABLE: 'available', NOT_FOUND: 'not_found' } as const

/** Most tracks of one request. */
export const ESTIMATES_AT_ONCE = 50

const snapshot = row({
  date: ['timestp', day],
  trackId: ['cm_track', id],
  playlistStreamPercent: ['playlist_stream_pct', float],
  playlistCount: ['playlist_count', int],
  expectedPlaylistStreams: ['expected_playlist_streams', count],
  streamsGainedInPeriod: ['streams_gained_in_period', count],
  expectedEditorial: ['expected_editorial', count],
  expectedChart: ['expected_chart', count],
  expectedUserOther: ['expected_user_other', count],
} as const)
export type StreamEstimateSnapshot = NonNullable<ReturnType<typeof snapshot>>

const estimate = row(
  {
    trackId: ['cm_track', id],
    status: ['status', wordOf(ESTIMATE_STATUS)],
    estimates: ['estimates', list(snapshot)],
  } as const,
  'trackId',
)

/** Stream estimates of one track. */
export type StreamEstimate = NonNullable<ReturnType<typeof estimate>>

/** Names the estimates of a track on some days. */
export const estimateKey = (trackId: number, { date, since, until }: Args): string =>
  JSON.stringify([trackId, date, since, until].map((part) => part ?? null))

export const streamEstimates = listing({
  name: 'streamEstimates',
  doc: 'Playlist stream estimates of up to 50 tracks.',
  route: 'POST /api/track/playlist-stream-estimates',
  params: {
    trackCmIds: body('ids', trackId, { most: ESTIMATES_AT_ONCE }),
    date: query('date', dayParam),
    since: query('since', dayParam),
    until: query('until', dayParam),
  },
  rules: [notTogether('date', 'since', 'until'), daysInOrder('since', 'until')],
  envelope: array,
  row: estimate,
  end: 'whole',
  teaches: (row, days) =>
    row.trackId === null ? [] : [['streamEstimates', estimateKey(row.trackId, days), row]],
  freshFor: hours(12),
})
