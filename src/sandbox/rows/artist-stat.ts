import type { Page } from '../page.ts'
import { type ArtistCounter, COUNTERS, counterRank } from '../world/artist-counter.ts'
import { listenerCities } from '../world/audience.ts'
import { commaList, namesOf } from '../world/genre.ts'
import { createOrders, select } from '../world/order.ts'
import { SIZE } from '../world/size.ts'
import type { World } from '../world.ts'

interface StatAsk {
  readonly type: ArtistCounter
  readonly min: number | string
  readonly max: number | string
  readonly code2?: string
  readonly genreId?: number
  readonly subGenreId?: number
  readonly city?: string
  readonly unsigned?: boolean
  readonly offset: number
  readonly limit: number
}

const FIRST_ID = 2

const has = (genres: readonly { id: number }[], wanted: number | undefined): boolean =>
  wanted === undefined || genres.some((genre) => genre.id === wanted)

/** `GET /api/artist/{type}/list`. */
export const artistStatRows = (world: World) => {
  const { artistCounter, artists, dice } = world
  const orders = createOrders()

  const row = (id: number) => ({
    cm_artist_id: id,
    name: artists.name(id),
    code2: artists.code2(id),
    genres: commaList(dice, 'artist', id, namesOf(artists.genres(id))),
    cpp_rank: artists.rank(id),
    rank_eg: counterRank(dice, artists.rank(id), 'engagement', id),
    rank_fb: counterRank(dice, artists.rank(id), 'fan base', id),
    platA_popularity: artistCounter(id, 'sp_popularity'),
    platA_listeners_to_followers_ratio: artistCounter(id, 'sp_listeners_to_followers_ratio'),
    platA_followers_to_listeners_ratio: artistCounter(id, 'sp_followers_to_listeners_ratio'),
    ...Object.fromEntries(
      Object.entries(COUNTERS).map(([counter, member]) => [
        member.row,
        artistCounter(id, counter as ArtistCounter),
      ]),
    ),
    platB_fans: String(artistCounter(id, 'platB_fans')),
    sp_where_people_listen: listenerCities(world, id),
    signed: artists.signed(id),
  })

  const passes =
    (ask: StatAsk) =>
    (position: number): boolean => {
      const id = position + FIRST_ID
      const value = artistCounter(id, ask.type)
      if (value === null || value < Number(ask.min) || value > Number(ask.max)) return false
      if (ask.code2 !== undefined && artists.code2(id) !== ask.code2) return false
      if (ask.unsigned === true && artists.signed(id)) return false
      if (ask.genreId !== undefined || ask.subGenreId !== undefined) {
        const { primary, secondary, sub } = artists.genres(id)
        if (!has([primary, ...secondary], ask.genreId) || !has(sub, ask.subGenreId)) return false
      }
      const city = ask.city?.toLowerCase()
      return city === undefined || listenerCities(world, id)[0]?.name.toLowerCase() === city
    }

  return {
    /** The best first; an artist whose value the service does not know is never in a range. */
    artistsByStat(ask: StatAsk): Page {
      const { ascending } = orders(ask.type, SIZE.artists, (position) =>
        artistCounter(position + FIRST_ID, ask.type),
      )
      const { positions, total } = select(
        ascending.toReversed(),
        passes(ask),
        ask.offset,
        ask.limit,
      )
      return { rows: positions.map((position) => row(position + FIRST_ID)), total }
    },
  }
}
