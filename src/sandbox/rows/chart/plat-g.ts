import type { Page } from '../../page.ts'
import type { Ladders } from '../../world/ladder.ts'
import { outsideId } from '../../world/outside.ts'
import type { World } from '../../world.ts'
import { pageOfBoard, rowNumber } from './board.ts'
import { type ChartAsk, daily, EMPTY } from './edition.ts'
import { isCharted } from './plat-b.ts'
import type { Recordings } from './recording.ts'

interface PlatGAsk extends ChartAsk {
  readonly country_code: string
  readonly city?: string
  readonly genre?: string
  readonly offset: number
}

const GLOBAL = 'GLOBAL'
const ROWS = 1_000
const PAGE = 200

/** `GET /api/charts/platG` and its cities: 404 where there is no such day, empty where no such place. */
export const platGRows = (
  { cities, dice, tracks }: World,
  ladders: Ladders,
  recordings: Recordings,
) => {
  const citiesOf = (country: string): string[] => cities.inCountry(country).map((city) => city.name)
  return {
    platGCities: ({ country_code: country }: { country_code: string }): string[] =>
      citiesOf(country),
    platGChart(ask: PlatGAsk): Page | undefined {
      const { city = null, country_code: country, genre = null } = ask
      if (country !== GLOBAL && !isCharted(country)) return EMPTY
      if (city !== null && !citiesOf(country).includes(city)) return EMPTY
      const key = `platG ${country} ${city ?? ''} ${genre ?? ''}`
      return pageOfBoard(
        {
          ladders,
          publication: daily,
          key,
          rows: ROWS,
          missing: '404',
          row(id, place, edition) {
            const platH = String(outsideId.platH('track', id))
            return {
              id: rowNumber(edition, place.rank),
              ...recordings.base(key, id),
              ...place,
              time_on_chart: String(place.time_on_chart),
              code2: country === GLOBAL ? null : country,
              city,
              genre,
              platG_track_id: String(660_000_000 + id),
              platH_id: platH,
              platH_track_id: platH,
              platH_album_id: tracks
                .albums(id)
                .map((album) => String(outsideId.platH('album', album))),
              num_of_platGs: Math.floor((country === GLOBAL ? 4e9 : 9e6) / place.rank),
              countries_charting_count: dice.int('platG countries', id, 1, 60),
            }
          },
        },
        ask,
        ask.offset,
        PAGE,
      )
    },
  }
}
