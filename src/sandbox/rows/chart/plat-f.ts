import type { Page } from '../../page.ts'
import type { Ladders } from '../../world/ladder.ts'
import type { World } from '../../world.ts'
import { pageOfBoard, rowNumber } from './board.ts'
import { type ChartAsk, EMPTY, weekly } from './edition.ts'
import type { Recordings } from './recording.ts'

interface PlatFAsk extends ChartAsk {
  readonly genre: string
  readonly offset: number
}

const ROWS = 300
const PAGE = 100
/** Names as a store has them, reserved characters and all. */
const GENRES = [
  'techno',
  'techno (peak time / driving)',
  'house',
  'deep house',
  'drum & bass',
  'breaks / breakbeat / uk bass',
  'trance (main floor)',
  'melodic house & techno',
  'ambient / experimental',
  'dj tools / acapellas',
]

/** `GET /api/charts/platF`: Fridays only; empty on other days and for a genre that there is not. */
export const platFRows = (
  { artists, dice, tracks }: World,
  ladders: Ladders,
  recordings: Recordings,
) => ({
  platFGenres: (): readonly string[] => GENRES,
  platFChart(ask: PlatFAsk): Page | undefined {
    if (!GENRES.includes(ask.genre)) return EMPTY
    const key = `platF ${ask.genre}`
    return pageOfBoard(
      {
        ladders,
        publication: weekly,
        key,
        rows: ROWS,
        missing: 'empty',
        row(id, place, edition) {
          const credit = recordings.base(key, id)
          return {
            id: rowNumber(edition, place.rank),
            ...credit,
            ...place,
            time_on_chart: String(place.time_on_chart),
            genre: ask.genre,
            platF: String(880_000_000 + id),
            remixers: dice.chance('platF remixers', id, 0.2)
              ? [artists.name(dice.int('platF remixer', id, 2, 6_001))]
              : null,
            bc_label: credit.album_label[0] ?? null,
            track_name: `${tracks.name(id)} (Original Mix)`,
            artist_name: tracks.artists(id).map(artists.name).join(', '),
          }
        },
      },
      ask,
      ask.offset,
      PAGE,
    )
  },
})
