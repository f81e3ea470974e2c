import type { World } from '../world.ts'

export interface ListenerCity {
  readonly code2: string
  readonly listeners: number
  readonly name: string
}

/** Where people listen to an artist, most listeners first; a few artists have none on record. */
export const listenerCities = (
  { artistCounter, artists, cities, dice }: World,
  id: number,
): ListenerCity[] => {
  if (dice.chance('artist listeners', id, 0.05)) return []
  const listeners = artistCounter(id, 'sp_monthly_listeners') ?? 0
  return [0, 1, 2, 3, 4].map((turn) => {
    const city = turn === 0 ? artists.city(id) : cities.draw('artist listeners', id, turn)
    return {
      code2: city.code2,
      listeners: Math.floor((listeners * 0.08) / (turn + 1)),
      name: city.name,
    }
  })
}

/** Score of an artist, 0 to 99 and falling with its rank. */
export const artistScore = ({ artists }: World, id: number): number =>
  Math.round(9900 * (1 - Math.log(artists.rank(id)) / Math.log(9000))) / 100
