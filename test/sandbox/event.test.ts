import { describe, expect, it } from 'vitest'
import { createSources } from '../../src/sandbox/source.ts'
import { createWorld } from '../../src/sandbox/world.ts'

interface VenueEvent {
  readonly event_id: number
  readonly event_name: string
  readonly start_date: string
  readonly end_date: string
  readonly artists: readonly { id: number; name: string; is_headliner: boolean | null }[]
}
interface Venue {
  readonly venueInfo: readonly { doc_id: number; name: string; city_id: number; capacity: number }[]
  readonly events: readonly VenueEvent[]
}
interface LiveEvent {
  readonly id: number
  readonly event_name: string
  readonly start_date: string
  readonly venue_id: number
  readonly venue_name: string
  readonly is_headliner: boolean
  readonly platQ_event_url: string | null
  readonly platR_event_url: string | null
  readonly platS_event_url: string | null
  readonly price: number | null
  readonly price_trend: readonly unknown[]
  readonly city: { readonly id: number }
}

const sources = createSources(createWorld(1))
const today = '2026-03-10'
const venue = (id: string) => sources.venueEvents({ today, id, offset: 0, limit: 100 }) as Venue
const events = (id: number, status: 'current' | 'past', more: object = {}) => {
  const window = { fromDaysAgo: status === 'past' ? 5_000 : 0, toDaysAgo: -400 }
  const page = sources.artistEvents({
    today,
    id,
    status,
    ...window,
    offset: 0,
    limit: 1000,
    ...more,
  })
  return (page?.rows ?? []) as LiveEvent[]
}
const ids = Array.from({ length: 40 }, (_, i) => i + 2)

describe('events', () => {
  it('are the same from the side of the venue and from the side of the artist', () => {
    const { events: here, venueInfo } = venue('77')
    expect(here.length).toBeGreaterThan(20)
    let unlisted = 0
    for (const event of here)
      for (const { id, name, is_headliner } of event.artists) {
        expect(sources.artist({ id })).toMatchObject({ name })
        const isPast = event.start_date < today
        const found = events(id, isPast ? 'past' : 'current').find(
          (one) => one.id === event.event_id,
        )
        if (!isPast && found === undefined) {
          unlisted++
          continue
        }
        expect(found).toMatchObject({
          event_name: event.event_name,
          start_date: event.start_date,
          venue_id: 77,
          venue_name: venueInfo[0]?.name,
          is_headliner: is_headliner ?? false,
        })
      }
    expect(unlisted).toBeLessThan(4)
  })

  it('of an artist all take place at venues that know them', () => {
    const found = ids.flatMap((id) => events(id, 'current').map((event) => ({ id, event })))
    expect(found.length).toBeGreaterThan(20)
    for (const { id, event } of found) {
      const { events: here, venueInfo } = venue(String(event.venue_id))
      expect(venueInfo[0]).toMatchObject({ doc_id: event.venue_id, city_id: event.city.id })
      const there = here.find((one) => one.event_id === event.id)
      expect(there?.artists.map((artist) => artist.id)).toContain(id)
    }
  })

  it('are past before today and current from today on, within the days asked', () => {
    const of = (status: 'current' | 'past', fromDaysAgo: number, toDaysAgo: number) =>
      ids
        .flatMap((id) => events(id, status, { fromDaysAgo, toDaysAgo }))
        .map((event) => event.start_date.slice(0, 10))
        .toSorted()
    const past = of('past', 100, -100)
    expect(past[0]?.localeCompare('2025-11-30')).toBeGreaterThanOrEqual(0)
    expect(past.at(-1)?.localeCompare(today)).toBeLessThan(0)
    const current = of('current', 100, -60)
    expect(current[0]?.localeCompare(today)).toBeGreaterThanOrEqual(0)
    expect(current.at(-1)?.localeCompare('2026-05-09')).toBeLessThanOrEqual(0)
    expect(of('past', 0, 5)).toEqual([])
  })

  it('tell platR only when past, prices from two sources, trends from one', () => {
    const [past, current] = [
      ids.flatMap((id) => events(id, 'past')),
      ids.flatMap((id) => events(id, 'current')),
    ]
    expect(current.every((event) => event.platR_event_url === null)).toBe(true)
    expect(past.some((event) => event.platR_event_url !== null)).toBe(true)
    for (const event of past) {
      const priced = event.platQ_event_url !== null || event.platS_event_url !== null
      expect(event.price === null).toBe(!priced)
      expect(event.price_trend).toHaveLength(event.platQ_event_url === null ? 0 : 28)
    }
    expect(past.some((event) => event.event_name.endsWith('(cancelled)'))).toBe(true)
  })

  it('are cut by city, offset and a limit that may be 0', () => {
    const [some] = ids.filter((id) => events(id, 'past').length > 6)
    const all = events(some ?? 0, 'past')
    expect(events(some ?? 0, 'past', { offset: 2, limit: 3 })).toEqual(all.slice(2, 5))
    expect(events(some ?? 0, 'past', { limit: 0 })).toEqual([])
    const cityId = all[0]?.city.id ?? 0
    const inCity = events(some ?? 0, 'past', { cityId })
    expect(inCity.length).toBeGreaterThan(0)
    expect(inCity.every((event) => event.city.id === cityId)).toBe(true)
  })

  it('at a venue may have no end and leave open who the headliner is', () => {
    const all = ['1', '2', '3', '4', '5'].flatMap((id) => venue(id).events)
    expect(all.some(({ end_date }) => end_date === '')).toBe(true)
    const parts = all.flatMap(({ artists }) => artists.map(({ is_headliner }) => is_headliner))
    expect(parts.some((part) => part === null)).toBe(true)
    expect(parts.some((part) => part === false)).toBe(true)
  })

  it('of an unknown venue are none, and so is its info; an unknown artist is not found', () => {
    for (const id of ['3001', '0', 'nowhere', '999999999999'])
      expect(venue(id)).toEqual({ venueInfo: [], events: [] })
    expect(
      sources.artistEvents({
        ...{ today, id: 6002, status: 'past', fromDaysAgo: 9, toDaysAgo: 0, offset: 0, limit: 9 },
      }),
    ).toBeUndefined()
  })
})

describe('search', () => {
  const search = (q: string, more: object = {}) =>
    sources.search({ today, q, offset: 0, limit: 100, ...more }) as Record<
      string,
      { id: number | string; name: string }[]
    >

  it('finds by a part of the name in any letter case, the whole name first', () => {
    const { name } = sources.artist({ id: 40 }) as { name: string }
    const { artists = [], tracks } = search(name.toUpperCase())
    expect(artists.map(({ id }) => id)).toContain(40)
    expect(artists[0]?.name).toBe(name)
    const { tracks: some = [] } = search('LANTERN', { type: 'tracks' })
    expect(some.length).toBeGreaterThan(10)
    for (const track of some) {
      expect(typeof track.id).toBe('string')
      expect(track.name.toLowerCase()).toContain('lantern')
    }
    expect(tracks).toBeDefined()
  })

  it('gives only the bucket of one type, and pages within it', () => {
    const all = search('a', { type: 'albums' })
    expect(Object.keys(all)).toEqual(['albums'])
    expect(search('a', { type: 'albums', offset: 3, limit: 2 }).albums).toEqual(
      all.albums?.slice(3, 5),
    )
    expect(search('no such name at all').artists).toEqual([])
  })

  it('looks one entity up by its address on platA', () => {
    const chart = sources.platAArtistChart({
      ...{ today, latest: true, interval: 'daily', type: 'followers', offset: 0 },
    }).rows as { id: number; platA_artist_ids: string[] }[]
    const [first] = chart
    const found = search(
      `https://open.plata.example.invalid/artist/${first?.platA_artist_ids[0]}?si=a&b=c`,
    )
    expect(found.artists?.map(({ id }) => id)).toEqual([first?.id])
    expect(found.tracks).toEqual([])
    expect(
      search('https://open.plata.example.invalid/artist/0000000000000000000000').artists,
    ).toEqual([])
  })

  it('keeps to trigger cities when told to', () => {
    const cities = (triggerCitiesOnly: boolean) =>
      search('a', { type: 'cities', triggerCitiesOnly }).cities as unknown as {
        trigger_city: boolean
      }[]
    expect(cities(true).length).toBeGreaterThan(0)
    expect(cities(true).every(({ trigger_city }) => trigger_city)).toBe(true)
    expect(cities(false).some(({ trigger_city }) => !trigger_city)).toBe(true)
  })

  it('suggests in one flat list, best match first, by kind and platform', () => {
    const suggest = (more: object) =>
      sources.suggestions({ today, q: 'lantern', offset: 0, limit: 50, ...more }).rows as {
        target: string
        match_strength: number
        platform: string
      }[]
    const strengths = suggest({}).map((one) => one.match_strength)
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a))
    expect(new Set(suggest({}).map((one) => one.target)).size).toBeGreaterThan(2)
    expect(suggest({ type: 'artists' }).every((one) => one.target === 'artist')).toBe(true)
    const platB = suggest({ platforms: ['platB'] })
    expect(platB.length).toBeGreaterThan(0)
    expect(platB.every((one) => one.platform === 'platB')).toBe(true)
    expect(suggest({ platforms: ['acr'] })).toEqual([])
  })
})
