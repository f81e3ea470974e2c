import { LRUCache } from 'lru-cache'
import type { Page, Today } from '../page.ts'
import { dayOf, momentOf } from '../world/day.ts'
import { createOrders, type Order, select, walk } from '../world/order.ts'
import { SIZE } from '../world/size.ts'
import type { Show } from '../world/tour.ts'
import type { VenueType } from '../world/venue.ts'
import type { World } from '../world.ts'

interface VenueAsk extends Today {
  readonly code2?: string
  readonly cityId?: number
  readonly minCapacity?: number
  readonly maxCapacity?: number
  readonly venueType?: VenueType
  readonly search?: string
  readonly sortColumn?: 'name' | 'capacity' | 'latestShowDate'
  readonly sortOrderDesc?: boolean
  readonly includeFutureShows?: boolean
  readonly offset: number
  readonly limit: number
}

const FIRST_ID = 1

/** `GET /api/venue`. */
export const venueRows = ({ artists, tour, venues }: World) => {
  const orders = createOrders()

  const latestShow = (id: number, today: number, future: boolean): Show | undefined => {
    for (const show of tour.atVenue(id, today)) if (future || show.day < today) return show
    return undefined
  }
  const findBiggest = (id: number, today: number): number | undefined => {
    let best: number | undefined
    for (const { headliner, support } of tour.atVenue(id, today)) {
      for (const artist of support === null ? [headliner] : [headliner, support]) {
        if (best === undefined || artists.rank(artist) < artists.rank(best)) best = artist
      }
    }
    return best
  }

  /** A venue's whole past is looked through, so what was found is kept. */
  const biggest = new LRUCache<string, { artist: number | undefined }>({ max: SIZE.venues })
  const biggestArtist = (id: number, today: number): number | undefined => {
    const key = `${id} ${today}`
    const held = biggest.get(key) ?? { artist: findBiggest(id, today) }
    biggest.set(key, held)
    return held.artist
  }

  const row = (id: number, today: number, future: boolean) => {
    const city = venues.city(id)
    const show = latestShow(id, today, future)
    const artist = biggestArtist(id, today)
    return {
      id,
      name: venues.name(id),
      image_url: venues.image(id),
      city: city.name,
      city_id: city.id,
      country: city.code2,
      ...venues.place(id),
      capacity: venues.capacity(id),
      venue_type: venues.type(id),
      latest_show:
        show === undefined
          ? null
          : { date: momentOf(show.day, 19 * 3600), title: artists.name(show.headliner) },
      biggest_artist: artist === undefined ? null : { id: artist, name: artists.name(artist) },
    }
  }

  const orderOf = (ask: VenueAsk): Order => {
    const today = dayOf(ask.today)
    const future = ask.includeFutureShows === true
    switch (ask.sortColumn) {
      case 'capacity':
        return orders('capacity', SIZE.venues, (position) => venues.capacity(position + FIRST_ID))
      case 'latestShowDate':
        return orders(`latest ${today} ${future}`, SIZE.venues, (position) => {
          return latestShow(position + FIRST_ID, today, future)?.day ?? null
        })
      default:
        return orders('name', SIZE.venues, (position) => venues.name(position + FIRST_ID))
    }
  }

  const passes = (ask: VenueAsk) => {
    const words = ask.search?.toLowerCase()
    return (position: number): boolean => {
      const id = position + FIRST_ID
      const city = venues.city(id)
      const capacity = venues.capacity(id)
      if (ask.code2 !== undefined && city.code2 !== ask.code2) return false
      if (ask.cityId !== undefined && city.id !== ask.cityId) return false
      if (capacity < (ask.minCapacity ?? 0)) return false
      if (capacity > (ask.maxCapacity ?? Number.POSITIVE_INFINITY)) return false
      if (ask.venueType !== undefined && venues.type(id) !== ask.venueType) return false
      return words === undefined || venues.name(id).toLowerCase().includes(words)
    }
  }

  return {
    venues(ask: VenueAsk): Page {
      const sorted = walk(orderOf(ask), ask.sortOrderDesc === true)
      const { positions, total } = select(sorted, passes(ask), ask.offset, ask.limit)
      const today = dayOf(ask.today)
      const future = ask.includeFutureShows === true
      return { rows: positions.map((position) => row(position + FIRST_ID, today, future)), total }
    },
  }
}
