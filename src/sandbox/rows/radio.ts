import type { Page } from '../page.ts'
import { GENRES } from '../world/genre.ts'
import { SIZE } from '../world/size.ts'
import { NOUNS } from '../world/words.ts'
import type { World } from '../world.ts'

interface RadioAsk {
  readonly code2?: string
}

const PLATFORMS = ['fm', 'am', 'online', 'satellite'] as const

/** `GET /api/radio/station-list`: every station, or those of a country, in one answer. */
export const radioRows = ({ cities, dice }: World) => {
  const row = (id: number) => {
    const city = cities.draw('station city', id)
    const count = (noun: string, top: number): number | null =>
      dice.chance(`station ${noun}`, id, 0.3) ? null : dice.int(`station ${noun}`, id, 0, top, 1)
    return {
      id,
      name: `${dice.pick('station noun', id, NOUNS)} ${dice.chance('station fm', id, 0.7) ? 'FM' : 'Radio'}`,
      genre: dice.pick('station genre', id, GENRES).name,
      frequency: (dice.int('station frequency', id, 875, 1080) / 10).toFixed(1),
      market: city.name,
      broadcast_area: city.province ?? city.country,
      country: city.code2,
      station_state: city.province,
      image_url: `https://img.example.invalid/station/${id}.jpg`,
      aqh: dice.int('station aqh', id, 100, 90_000),
      platform: dice.pick('station platform', id, PLATFORMS),
      platL_followers: count('platL_followers', 900_000),
      platL_likes: count('platL_likes', 900_000),
      platN_followers: count('platN_followers', 400_000),
      platM_followers: count('platM_followers', 200_000),
      platO_views: count('platO_views', 30_000),
    }
  }
  const stations = Array.from({ length: SIZE.stations }, (_, i) => row(i + 1))
  return {
    radioStations({ code2 }: RadioAsk): Page {
      const rows = stations.filter(({ country }) => code2 === undefined || country === code2)
      return { rows, total: rows.length }
    },
  }
}
