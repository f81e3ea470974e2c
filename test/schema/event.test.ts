import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'
import { LIVE_EVENT } from '../support/wire-row.ts'

const EVENT = { ...LIVE_EVENT, venue_url: 'https://harrow.example.invalid/', price: '25.00' }
const UNPLACED = { ...EVENT, id: 60002, venue_id: null, city: null }

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.close()))
})
const run = async (answer: (seen: Seen) => Scripted) => {
  const started = await openScripted(answer)
  open.push(started)
  return started
}

describe('the events of an artist', () => {
  it('cost one credit, with venue and city as the row tells them', async () => {
    const { query, upstream } = await run(() => ({ body: { obj: [EVENT, UNPLACED] } }))
    const { data, errors, credits } = await query(
      `{ artist(cmId: 3301) { events(status: CURRENT, fromDaysAgo: 0, toDaysAgo: -90) {
          totalCount
          nodes {
            __typename id cmId name type imageUrl startDate endDate isHeadliner
            venue { id name url capacity } venueName venueUrl venueCapacity
            city { cmId name province population } countryCode
            price lowPrice highPrice currency priceTrend { date price }
            platQEventUrl platREventUrl platSEventUrl platTEventUrl additionalFields
          }
      } } }`,
    )
    expect(errors).toEqual([])
    const [first, second] = data.artist.events.nodes
    expect(first).toEqual({
      __typename: 'LiveEvent',
      id: 'LiveEvent:3301:60001',
      cmId: 60001,
      name: 'Lanterns at the Dock (cancelled)',
      type: 'concert',
      imageUrl: null,
      startDate: '2026-02-10T19:00:00.000Z',
      endDate: '2026-02-10T23:00:00.000Z',
      isHeadliner: true,
      venue: {
        id: 'Venue:9100',
        name: 'Harrow Dock Hall',
        url: 'https://harrow.example.invalid/',
        capacity: 1800,
      },
      venueName: 'Harrow Dock Hall',
      venueUrl: 'https://harrow.example.invalid/',
      venueCapacity: 1800,
      city: { cmId: 78, name: 'Westharbour', province: 'West', population: null },
      countryCode: 'GB',
      price: 25,
      lowPrice: 18.5,
      highPrice: 40,
      currency: 'GBP',
      priceTrend: [{ date: '2026-01-02', price: 25 }],
      platQEventUrl: 'https://platq.example.invalid/e/60001',
      platREventUrl: null,
      platSEventUrl: null,
      platTEventUrl: null,
      additionalFields: null,
    })
    expect(second).toMatchObject({ id: 'LiveEvent:3301:60002', venue: null, city: null })
    expect(credits).toMatchObject({ spent: 1, savedBy: { hydrated: 1 } })
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/artist/3301/current/events'])
    expect(Object.fromEntries(upstream.requests[0]?.query ?? [])).toEqual({
      fromDaysAgo: '0',
      toDaysAgo: '-90',
      offset: '0',
      limit: '100',
    })
  })

  it('are there beside the artist, and one failing list leaves the rest', async () => {
    const { query } = await run(({ path }) => {
      if (path.includes('/past/')) return { status: 403, body: { error: 'no' } }
      return path.endsWith('/events')
        ? { body: { obj: [EVENT] } }
        : { body: { obj: { id: 3301, name: 'The Paper Lanterns' } } }
    })
    const { data, errors, credits } = await query(
      `{ artist(cmId: 3301) {
          name
          upcoming: events(status: CURRENT, fromDaysAgo: 0, toDaysAgo: -90, cityId: 78) { nodes { name } }
          past: events(status: PAST, fromDaysAgo: 365, toDaysAgo: 0) { nodes { name } }
      } }`,
    )
    expect(data.artist).toEqual({
      name: 'The Paper Lanterns',
      upcoming: { nodes: [{ name: 'Lanterns at the Dock (cancelled)' }] },
      past: null,
    })
    expect(errors).toMatchObject([
      { path: ['artist', 'past'], extensions: { code: 'UPSTREAM_FORBIDDEN' } },
    ])
    expect(credits.spent).toBe(3)
  })

  it('of the various artists are null, and nobody is asked', async () => {
    const { query, upstream } = await run(() => ({
      body: { obj: { id: 501, artists: [{ id: 1, name: 'Various Artists' }] } },
    }))
    const { data, errors } = await query(
      `{ track(cmId: 501) { artists {
          name events(status: PAST, fromDaysAgo: 9, toDaysAgo: 0) { totalCount }
          premium { wherePeopleListen }
      } } }`,
    )
    expect(errors).toEqual([])
    expect(data.track.artists).toEqual([
      { name: 'Various Artists', events: null, premium: { wherePeopleListen: null } },
    ])
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/track/501'])
  })

  it('may be none, in each way that the service says so', async () => {
    for (const obj of [[], {}, null]) {
      const { query } = await run(() => ({ body: { obj } }))
      const { data } = await query(
        '{ artist(cmId: 5) { events(status: PAST, fromDaysAgo: 9, toDaysAgo: 0) { nodes { id } pageInfo { hasNextPage } } } }',
      )
      expect(data.artist.events).toEqual({ nodes: [], pageInfo: { hasNextPage: false } })
    }
  })
})
