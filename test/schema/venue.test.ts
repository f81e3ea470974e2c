import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'
import { VENUE_EVENT, VENUE_INFO, VENUE_ROW } from '../support/wire-row.ts'

const INFO = { ...VENUE_INFO, venue_url: 'https://harrow.example.invalid/', new_member: true }
const eventOf = (id: number) => ({
  ...VENUE_EVENT,
  event_id: id,
  event_name: `Event ${id}`,
  artists: [
    { id: 3301, name: 'The Paper Lanterns', is_headliner: true },
    { id: null, name: 'A local band', is_headliner: null },
  ],
})
const ROW = { ...VENUE_ROW, image_url: null }

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.close()))
})
/** A venue with 130 events, and a listing that knows it. */
const answer = ({ path, query }: Seen): Scripted => {
  if (path === '/api/venue') return { body: { obj: { data: [ROW], total: 1 } } }
  if (path !== '/api/event/venue/9100') return { body: { obj: { venueInfo: [], events: [] } } }
  const offset = Number(Object.fromEntries(query).offset)
  const events = Array.from({ length: 130 }, (_, i) => eventOf(60_001 + i))
  return { body: { obj: { venueInfo: [INFO], events: events.slice(offset, offset + 100) } } }
}
const run = async () => {
  const started = await openScripted(answer)
  open.push(started)
  return started
}
const sent = (requests: readonly Seen[]) =>
  requests.map(({ path, query }) => {
    const { offset, limit } = Object.fromEntries(query)
    return `${path} ${offset} ${limit}`
  })

describe('a venue', () => {
  it('and its first events are one request', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      `{ venue(cmId: 9100) {
          id cmId name imageUrl url capacity cityName cityId locationId countryCode latitude longitude additionalFields
          events(first: 2) {
            totalCount pageInfo { hasNextPage }
            nodes {
              id cmId name imageUrl startDate endDate venue { id name }
              lineup { name isHeadliner artist { id name } }
            }
          }
      } }`,
    )
    expect(errors).toEqual([])
    const { events, ...venue } = data.venue
    expect(venue).toEqual({
      id: 'Venue:9100',
      cmId: '9100',
      name: 'Harrow Dock Hall',
      imageUrl: 'https://img.example.invalid/v/9100.jpg',
      url: 'https://harrow.example.invalid/',
      capacity: 1800,
      cityName: 'Westharbour',
      cityId: 78,
      locationId: 78,
      countryCode: 'GB',
      latitude: 51.1,
      longitude: -2.2,
      additionalFields: { new_member: true },
    })
    expect(events).toMatchObject({ totalCount: null, pageInfo: { hasNextPage: true } })
    expect(events.nodes[0]).toEqual({
      id: 'VenueEvent:60001',
      cmId: 60001,
      name: 'Event 60001',
      imageUrl: null,
      startDate: '2026-02-10T19:00:00.000Z',
      endDate: null,
      venue: { id: 'Venue:9100', name: 'Harrow Dock Hall' },
      lineup: [
        {
          name: 'The Paper Lanterns',
          isHeadliner: true,
          artist: { id: 'Artist:3301', name: 'The Paper Lanterns' },
        },
        { name: 'A local band', isHeadliner: null, artist: null },
      ],
    })
    expect(sent(upstream.requests)).toEqual(['/api/event/venue/9100 0 100'])
    expect(credits.spent).toBe(1)
  })

  it('is walked in windows of a hundred events', async () => {
    const { query, upstream } = await run()
    const { data, credits } = await query(
      '{ venue(cmId: "9100") { events(first: 1000) { nodes { cmId } pageInfo { hasNextPage } } } }',
    )
    expect(data.venue.events.nodes).toHaveLength(130)
    expect(data.venue.events.pageInfo.hasNextPage).toBe(false)
    expect(sent(upstream.requests)).toEqual([
      '/api/event/venue/9100 0 100',
      '/api/event/venue/9100 100 100',
    ])
    expect(credits.spent).toBe(2)
  })

  it('that is not known is null', async () => {
    const { query } = await run()
    const { data, errors } = await query('{ venue(cmId: "77") { name } }')
    expect(data).toEqual({ venue: null })
    expect(errors).toEqual([])
  })

  it('is found by its global id, and costs nothing for its keys', async () => {
    const { query, upstream } = await run()
    const keys = await query('{ node(id: "Venue:9100") { id ... on Venue { cmId } } }')
    expect(keys.data.node).toEqual({ id: 'Venue:9100', cmId: '9100' })
    expect(upstream.requests).toEqual([])
    const { data } = await query(
      '{ nodes(ids: ["Venue:9100", "Venue:77"]) { ... on Venue { name } } }',
    )
    expect(data.nodes).toEqual([{ name: 'Harrow Dock Hall' }, null])
  })

  it.each(['../token', '', '..', 'a/b', 'x'.repeat(65)])('is not asked for as %j', async (cmId) => {
    const { query, upstream } = await run()
    const { data, errors } = await query('query ($id: ID!) { venue(cmId: $id) { name } }', {
      id: cmId,
    })
    expect(data).toEqual({ venue: null })
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'cmId' })
    expect(upstream.requests).toEqual([])
  })
})

describe('a venue of the listing', () => {
  it('is free for what its row tells', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      `{ venues(filter: { minCapacity: 0, venueType: CONCERT_HALL }) { totalCount nodes {
          venue { id name imageUrl cityName cityId countryCode latitude longitude capacity }
          venueType latestShow { date title } biggestArtist { id name } additionalFields
      } } }`,
    )
    expect(errors).toEqual([])
    expect(data.venues).toEqual({
      totalCount: 1,
      nodes: [
        {
          venue: {
            id: 'Venue:9100',
            name: 'Harrow Dock Hall',
            imageUrl: null,
            cityName: 'Westharbour',
            cityId: 78,
            countryCode: 'GB',
            latitude: 51.1,
            longitude: -2.2,
            capacity: 1800,
          },
          venueType: 'CONCERT_HALL',
          latestShow: { date: '2025-12-30T19:00:00.000Z', title: 'The Paper Lanterns' },
          biggestArtist: { id: 'Artist:3301', name: 'The Paper Lanterns' },
          additionalFields: null,
        },
      ],
    })
    expect(credits).toMatchObject({ spent: 1, savedBy: { hydrated: 2 } })
    expect(Object.fromEntries(upstream.requests[0]?.query ?? [])).toEqual({
      minCapacity: '0',
      venueType: 'concert_hall',
      includeFutureShows: 'false',
      sortColumn: 'name',
      sortOrderDesc: 'false',
      offset: '0',
      limit: '100',
    })
  })

  it('shares one request between what the row does not tell and its events', async () => {
    const { query, upstream } = await run()
    const { data, credits } = await query(
      '{ venues { nodes { venue { name url events(first: 1) { nodes { venue { name url } } } } } } }',
    )
    const told = { name: 'Harrow Dock Hall', url: 'https://harrow.example.invalid/' }
    expect(data.venues.nodes).toEqual([
      { venue: { ...told, events: { nodes: [{ venue: told }] } } },
    ])
    expect(sent(upstream.requests)).toEqual(['/api/venue 0 100', '/api/event/venue/9100 0 100'])
    expect(credits.spent).toBe(2)
  })

  it('keeps its siblings when it is asked for wrongly', async () => {
    const { query } = await run()
    const { data, errors } = await query(
      '{ bad: venues(filter: { minCapacity: 2, maxCapacity: 1 }) { totalCount } good: venues { totalCount } }',
    )
    expect(data).toEqual({ bad: null, good: { totalCount: 1 } })
    expect(errors).toMatchObject([
      { path: ['bad'], extensions: { code: 'BAD_USER_INPUT', argument: 'minCapacity' } },
    ])
  })
})
