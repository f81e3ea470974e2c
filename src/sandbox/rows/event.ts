import { type Page, pageOf, type Today } from '../page.ts'
import { dateOf, dayOf, momentOf } from '../world/day.ts'
import type { Show } from '../world/tour.ts'
import type { World } from '../world.ts'

interface VenueEventsAsk extends Today {
  readonly id: string
  readonly offset: number
  readonly limit: number
}
interface ArtistEventsAsk extends Today {
  readonly id: number
  readonly status: 'current' | 'past'
  readonly fromDaysAgo: number
  readonly toDaysAgo: number
  readonly cityId?: number
  readonly offset: number
  readonly limit: number
}

const HOUR = 3600
const CURRENCIES: Readonly<Record<string, string>> = { GB: 'GBP', US: 'USD', JP: 'JPY', BR: 'BRL' }

/** `GET /api/event/venue/{id}` and `GET /api/artist/{id}/{status}/events`: the same shows from two sides. */
export const eventRows = ({ artists, dice, tour, venues }: World) => {
  const nameOf = (show: Show): string => {
    const status = dice.roll('show status', show.id)
    const suffix = status < 0.04 ? ' (cancelled)' : status < 0.06 ? ' (postponed)' : ''
    return `${artists.name(show.headliner)} at ${venues.name(show.venue)}${suffix}`
  }
  const starts = (show: Show): number => dice.int('show hour', show.id, 17, 21) * HOUR
  const image = (show: Show): string => `https://img.example.invalid/event/${show.id}.jpg`

  const venueRow = (show: Show) => ({
    event_id: show.id,
    event_name: nameOf(show),
    event_image_url: image(show),
    start_date: momentOf(show.day, starts(show)),
    end_date: dice.chance('show open end', show.id, 0.3)
      ? ''
      : momentOf(show.day, starts(show) + 3 * HOUR),
    artists: [
      { id: show.headliner, name: artists.name(show.headliner), is_headliner: true },
      ...(show.support === null
        ? []
        : [
            {
              id: show.support,
              name: artists.name(show.support),
              is_headliner: dice.chance('show support known', show.id, 0.5) ? false : null,
            },
          ]),
    ],
  })

  const venueInfo = (id: number) => {
    const city = venues.city(id)
    return {
      doc_id: id,
      name: venues.name(id),
      ...venues.place(id),
      cm_location: city.id,
      code2: city.code2,
      image_url: venues.image(id),
      city_id: city.id,
      capacity: venues.capacity(id),
      city_name: city.name,
      venue_url: venues.url(id),
    }
  }

  /** Sources that list a show, one at least; platR alone only tells of it when it is past. */
  const sources = (show: Show, isPast: boolean) => {
    const url = (source: string): string =>
      `https://${source.toLowerCase()}.example.invalid/event/${show.id}`
    const lists = (source: string, share: number): boolean =>
      dice.chance(`show ${source}`, show.id, share)
    const [q, r, s] = [lists('platQ', 0.6), lists('platR', 0.4), lists('platS', 0.4)]
    const t = lists('platT', 0.3) || !(q || r || s)
    return {
      platQ_event_url: q ? url('platQ') : null,
      platR_event_url: r && isPast ? url('platR') : null,
      platS_event_url: s ? url('platS') : null,
      platT_event_url: t ? url('platT') : null,
    }
  }

  const artistRow = (artist: number, today: number) => (show: Show) => {
    const city = venues.city(show.venue)
    const urls = sources(show, show.day < today)
    const priced = urls.platQ_event_url !== null || urls.platS_event_url !== null
    const price = dice.int('show price', show.id, 1500, 19_000) / 100
    const lastPriced = Math.min(show.day, today)
    return {
      id: show.id,
      event_name: nameOf(show),
      ...urls,
      image_url: image(show),
      type: 'concert',
      start_date: momentOf(show.day, starts(show)),
      end_date: momentOf(show.day, starts(show) + 3 * HOUR),
      venue_id: show.venue,
      venue_name: venues.name(show.venue),
      venue_url: venues.url(show.venue),
      venue_capacity: venues.capacity(show.venue),
      city: { id: city.id, name: city.name, province: city.province ?? city.country },
      code2: city.code2,
      low_price: priced ? Math.round(price * 80) / 100 : null,
      high_price: priced ? Math.round(price * 220) / 100 : null,
      price: priced ? price : null,
      price_trend:
        urls.platQ_event_url === null
          ? []
          : Array.from({ length: 28 }, (_, i) => ({
              date: dateOf(lastPriced - 27 + i),
              price: Math.round(price * (90 + dice.int('show trend', show.id, 0, 20, i))) / 100,
            })),
      currency: priced ? (CURRENCIES[city.code2] ?? 'EUR') : null,
      is_headliner: show.headliner === artist,
    }
  }

  return {
    /** Latest first. An unknown venue is no error: no info, no events. */
    venueEvents({ id, offset, limit, today }: VenueEventsAsk): object {
      const venue = /^\d{1,9}$/.test(id) ? Number(id) : 0
      if (!venues.exists(venue)) return { venueInfo: [], events: [] }
      const shows = [...tour.atVenue(venue, dayOf(today))]
      return {
        venueInfo: [venueInfo(venue)],
        events: shows.slice(offset, offset + limit).map(venueRow),
      }
    },

    /** `current` begins today, the soonest first; `past` the latest first. */
    artistEvents(ask: ArtistEventsAsk): Page | undefined {
      if (!artists.exists(ask.id)) return undefined
      const today = dayOf(ask.today)
      const isPast = ask.status === 'past'
      const from = Math.max(today - ask.fromDaysAgo, isPast ? Number.NEGATIVE_INFINITY : today)
      const to = Math.min(today - ask.toDaysAgo, isPast ? today - 1 : Number.POSITIVE_INFINITY)
      const shows = [...tour.ofArtist(ask.id, from, to, today)].filter((show) => {
        const listed = Object.values(sources(show, isPast)).some((url) => url !== null)
        return listed && (ask.cityId === undefined || venues.city(show.venue).id === ask.cityId)
      })
      return pageOf(
        isPast ? shows : shows.toReversed(),
        ask.offset,
        ask.limit,
        artistRow(ask.id, today),
      )
    },
  }
}
