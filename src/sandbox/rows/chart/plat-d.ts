import type { Page } from '../../page.ts'
import type { Ladders } from '../../world/ladder.ts'
import { outsideId } from '../../world/outside.ts'
import type { World } from '../../world.ts'
import { pageOfBoard, rowNumber } from './board.ts'
import { type ChartAsk, daily, EMPTY } from './edition.ts'
import { isCharted } from './plat-b.ts'
import type { Recordings } from './recording.ts'

interface PlatDAsk extends ChartAsk {
  readonly interval?: string
  readonly countryChart?: boolean
  readonly code2?: string
  readonly offset: number
  readonly limit: number
}

const ROWS = 500

/** `GET /api/charts/platD/tracks`: an edition a day whatever the interval, empty where there is none. */
export const platDRows = (
  { artists, dice, tracks }: World,
  ladders: Ladders,
  recordings: Recordings,
) => ({
  platDTrackChart(ask: PlatDAsk): Page | undefined {
    if (ask.countryChart === true && !isCharted(ask.code2 ?? '')) return EMPTY
    const interval = ask.interval ?? 'all_time'
    const key = `platD ${interval} ${ask.countryChart === true ? ask.code2 : ''}`
    const posts = (rank: number, stamp: string): number =>
      Math.round(9e6 / (rank + 2 + dice.roll(key, Number(stamp.slice(8, 10)))))
    return pageOfBoard(
      {
        ladders,
        publication: daily,
        key,
        rows: ROWS,
        missing: 'empty',
        row(id, place, edition) {
          const credit = recordings.credits(key, id)
          const views = Math.floor(9e9 / place.rank) + dice.int('platD views', id, 0, 9_999)
          const rankStats = place.rankStats.map(({ rank, timestp }) => ({
            rank,
            posts: posts(rank, timestp),
            timestp,
          }))
          return {
            id: rowNumber(edition, place.rank),
            platD_track_id: outsideId.platD(id),
            platD: 800_000 + id,
            name: credit.name,
            isrc: credit.isrc,
            image_url: credit.image_url,
            cm_track: credit.cm_track,
            platD_artist_names: tracks.artists(id).map(artists.name),
            platD_track_ids: [outsideId.platD(id)],
            album_ids: credit.album_ids,
            album_names: credit.album_names,
            album_upc: credit.album_upc,
            album_label: credit.album_label,
            release_dates: credit.release_dates,
            ...place,
            time_on_chart: String(place.time_on_chart),
            rankStats,
            posts: rankStats.at(-1)?.posts ?? null,
            views,
            views_prev: place.pre_rank === null ? null : Math.floor(9e9 / place.pre_rank),
          }
        },
      },
      ask,
      ask.offset,
      ask.limit,
    )
  },
})
