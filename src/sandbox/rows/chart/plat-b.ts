import type { Page } from '../../page.ts'
import type { Ladders } from '../../world/ladder.ts'
import { outsideId } from '../../world/outside.ts'
import { COUNTRIES } from '../../world/place.ts'
import type { World } from '../../world.ts'
import { pageOfBoard, rowNumber } from './board.ts'
import { type ChartAsk, daily, EMPTY } from './edition.ts'
import type { Recordings } from './recording.ts'

interface PlatBAsk extends ChartAsk {
  readonly country_code: string
}

const ROWS = 100

/** Whether the sandbox has charts of a country; others are empty. */
export const isCharted = (code2: string): boolean =>
  COUNTRIES.some((country) => country.code2 === code2)

/** `GET /api/charts/platB`: 100 rows a country and day, whose names and numbers always pair, 404 where there is no such day. */
export const platBRows = (
  { artists, tracks }: World,
  ladders: Ladders,
  recordings: Recordings,
) => ({
  platBChart(ask: PlatBAsk): Page | undefined {
    const country = ask.country_code
    if (!isCharted(country)) return EMPTY
    const key = `platB ${country}`
    return pageOfBoard(
      {
        ladders,
        publication: daily,
        key,
        rows: ROWS,
        missing: '404',
        row(id, place, edition) {
          const album = tracks.albums(id)[0] ?? 0
          const credited = tracks.artists(id)
          return {
            id: String(rowNumber(edition, place.rank)),
            ...recordings.credits(key, id, true),
            platB: outsideId.platB('track', id),
            platB_album: String(outsideId.platB('album', album)),
            platB_artist_names: credited.map(artists.name),
            platB_artist_ids: credited.map((artist) => String(outsideId.platB('artist', artist))),
            platB_track_ids: [String(outsideId.platB('track', id))],
            platB_album_ids: tracks.albums(id).map((one) => String(outsideId.platB('album', one))),
            code2: country,
            ...place,
          }
        },
      },
      ask,
    )
  },
})
