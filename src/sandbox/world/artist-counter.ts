import type { Artists } from './artist.ts'
import type { Dice } from './dice.ts'

interface Counter {
  /** Member of the stat-range row. */
  readonly row: string
  /** Value of the best known artist, roughly. */
  readonly top: number
  /** Share of artists where the service knows none. */
  readonly unknown: number
}

/** Counters by the words of `GET /api/artist/{type}/list`; those derived from others are in `artistCounter`. */
export const COUNTERS = {
  sp_followers: { row: 'platA_followers', top: 9e7, unknown: 0 },
  sp_monthly_listeners: { row: 'platA_monthly_listeners', top: 8e7, unknown: 0 },
  platB_fans: { row: 'platB_fans', top: 1.5e7, unknown: 0 },
  fs_likes: { row: 'platL_likes', top: 9e7, unknown: 0.1 },
  fs_talks: { row: 'platL_talks', top: 4e5, unknown: 0.5 },
  ins_followers: { row: 'platN_followers', top: 2.5e8, unknown: 0.05 },
  ts_followers: { row: 'platM_followers', top: 1e8, unknown: 0.15 },
  ts_retweets: { row: 'platM_retweets', top: 3e5, unknown: 0.5 },
  ycs_views: { row: 'platJ_channel_views', top: 4e10, unknown: 0.1 },
  ycs_subscribers: { row: 'platJ_subscribers', top: 6e7, unknown: 0.1 },
  platJ_daily_video_views: { row: 'platJ_daily_video_views', top: 3e7, unknown: 0.1 },
  platJ_monthly_video_views: { row: 'platJ_monthly_video_views', top: 9e8, unknown: 0.1 },
  ws_views: { row: 'platO_views', top: 5e5, unknown: 0.2 },
  platE_followers: { row: 'platE_followers', top: 5e6, unknown: 0.3 },
  bs_followers: { row: 'platP_followers', top: 4e6, unknown: 0.3 },
  platD_followers: { row: 'platD_followers', top: 6e7, unknown: 0.2 },
  platD_likes: { row: 'platD_likes', top: 9e8, unknown: 0.2 },
} as const satisfies Record<string, Counter>

const RATIOS = ['sp_listeners_to_followers_ratio', 'sp_followers_to_listeners_ratio'] as const
export type ArtistCounter =
  | keyof typeof COUNTERS
  | (typeof RATIOS)[number]
  | 'sp_popularity'
  | 'cm_artist_rank'

/** The value of a counter now; null where the service knows none. */
export type ArtistCounters = (id: number, counter: ArtistCounter) => number | null

/** 0 to 100, falling with the rank. */
export const popularity = (rank: number, of: number): number =>
  Math.max(0, Math.round(100 - (100 * Math.log(rank)) / Math.log(of * 1.5)))

export const createArtistCounters = (dice: Dice, artists: Artists): ArtistCounters => {
  const count = (id: number, counter: keyof typeof COUNTERS): number | null => {
    const { top, unknown } = COUNTERS[counter]
    if (dice.chance(`${counter} unknown`, id, unknown)) return null
    return Math.floor(top * artists.rank(id) ** -1.1 * (0.3 + 1.4 * dice.roll(counter, id)))
  }
  const ratio = (id: number, a: 'sp_followers' | 'sp_monthly_listeners', b: typeof a): number =>
    Math.round((1000 * (count(id, a) ?? 0)) / Math.max(1, count(id, b) ?? 1)) / 1000
  return (id, counter) => {
    switch (counter) {
      case 'cm_artist_rank':
        return artists.rank(id)
      case 'sp_popularity':
        return popularity(artists.rank(id), 6000)
      case 'sp_listeners_to_followers_ratio':
        return ratio(id, 'sp_monthly_listeners', 'sp_followers')
      case 'sp_followers_to_listeners_ratio':
        return ratio(id, 'sp_followers', 'sp_monthly_listeners')
      default:
        return count(id, counter)
    }
  }
}

/** The place of an artist by a counter: near its overall rank, a little off. */
export const counterRank = (dice: Dice, rank: number, counter: string, id: number): number =>
  Math.max(1, Math.round(rank * (0.8 + 0.4 * dice.roll(`${counter} rank`, id))))
