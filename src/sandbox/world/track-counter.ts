import { popularity } from './artist-counter.ts'
import type { Dice } from './dice.ts'
import { SIZE } from './size.ts'
import type { Tracks } from './track.ts'

/** Counters of the track filter, with the value of the best known track, roughly. */
const TOPS = {
  airplay_streams: 9e7,
  platC_playlist_count: 4_000,
  platB_playlist_count: 30_000,
  platH_playlist_count: 8_000,
  platG_count: 6e7,
  platV_streams: 2e5,
  platE_plays: 4e8,
  platA_playlist_count: 900_000,
  platA_playlist_total_reach: 6e9,
  platA_plays: 4e9,
  platA_ed_playlist_count: 900,
  platA_ed_playlist_total_reach: 2e8,
  platD_posts: 2e7,
  platD_top_videos_likes: 8e8,
  platD_top_videos_views: 9e9,
  platJ_likes: 5e7,
  platJ_playlist_count: 2e5,
  platJ_views: 7e9,
} as const

export const TRACK_COUNTERS = [
  ...(Object.keys(TOPS) as (keyof typeof TOPS)[]),
  'platA_popularity',
  'platK_popularity',
  'rank',
] as const
export type TrackCounter = (typeof TRACK_COUNTERS)[number]

/** Days that a period looks back, and whether it is a percentage. */
export const PERIODS = {
  latest: { days: 0, percent: false },
  weekly_diff: { days: 7, percent: false },
  monthly_diff: { days: 28, percent: false },
  bimonthly_diff: { days: 56, percent: false },
  weekly_diff_percent: { days: 7, percent: true },
  monthly_diff_percent: { days: 28, percent: true },
  bimonthly_diff_percent: { days: 56, percent: true },
} as const
export type Period = keyof typeof PERIODS

export interface TrackCounters {
  latest(id: number, counter: TrackCounter): number
  over(id: number, counter: TrackCounter, period: Period): number
  /** 0 to 100. */
  score(id: number): number
}

export const createTrackCounters = (dice: Dice, tracks: Tracks): TrackCounters => {
  const latest: TrackCounters['latest'] = (id, counter) => {
    const rank = tracks.rank(id)
    if (counter === 'rank') return rank
    if (counter === 'platA_popularity') return popularity(rank, SIZE.tracks)
    if (counter === 'platK_popularity')
      return Math.round(popularity(rank, SIZE.tracks) * (0.7 + 0.3 * dice.roll(counter, id)))
    return Math.floor(TOPS[counter] * rank ** -0.9 * (0.3 + 1.4 * dice.roll(counter, id)))
  }
  return {
    latest,
    over(id, counter, period) {
      const { days, percent } = PERIODS[period]
      const now = latest(id, counter)
      if (days === 0) return now
      const growth = (dice.roll(`${counter} growth`, id) - 0.25) * 0.05 * (days / 7)
      const change = Math.round((now * growth) / (1 + growth))
      if (!percent) return change
      return now === change ? 0 : Math.round((1e4 * change) / (now - change)) / 100
    },
    score: (id) =>
      Math.round(
        popularity(tracks.rank(id), SIZE.tracks) * 97 + 300 * dice.roll('track score', id),
      ) / 100,
  }
}
