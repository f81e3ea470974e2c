import { describe, expect, test } from 'vitest'
import type { Scripted, Seen } from '../support/script.ts'
import { ask, obj } from './ask.ts'

const pairsOf = async (text: string) => (await ask(text)).sent[0]?.pairs ?? []
const numberOf = ({ query }: Seen, name: string) => Number(query.find(([key]) => key === name)?.[1])
const nothingSent = async (text: string) => {
  const { sent, errors } = await ask(text)
  expect([sent, errors.length > 0], text).toEqual([[], true])
}

describe('L. venues and festivals, in detail', () => {
  const venues = (args: string, fields = 'nodes { venueType }') => `{ venues${args} { ${fields} } }`
  const festivals = (args: string) => `{ festivals${args} { nodes { name } } }`

  test('164: a wide page of venues is several requests, none above 100 rows', async () => {
    const { data, sent, errors } = await ask(
      venues('(first: 250)', 'nodes { venueType } totalCount pageInfo { hasNextPage }'),
      (seen): Scripted => ({
        body: {
          obj: {
            data: Array.from({ length: 100 }, (_, at) => ({
              id: String(numberOf(seen, 'offset') + at),
              venue_type: 'club',
            })),
            total: 1000,
          },
        },
      }),
    )
    expect(errors).toEqual([])
    expect(sent.map((seen) => [numberOf(seen, 'offset'), numberOf(seen, 'limit')])).toEqual([
      [0, 100],
      [100, 100],
      [200, 100],
    ])
    expect(data.venues.nodes).toHaveLength(250)
    expect([data.venues.totalCount, data.venues.pageInfo]).toEqual([1000, { hasNextPage: true }])
  })

  test('165: each kind of venue, capacities that are equal, and the greatest id of a city', async () => {
    for (const type of [
      'stadium',
      'arena',
      'amphitheater',
      'festival',
      'theater',
      'concert_hall',
      'club',
    ])
      expect(await pairsOf(venues(`(filter: { venueType: ${type.toUpperCase()} })`))).toContain(
        `venueType=${type}`,
      )
    expect(
      await pairsOf(venues('(filter: { cityId: 2147483647, minCapacity: 500, maxCapacity: 500 })')),
    ).toEqual(expect.arrayContaining(['cityId=2147483647', 'minCapacity=500', 'maxCapacity=500']))
    await nothingSent(venues('(filter: { minCapacity: 501, maxCapacity: 500 })'))
    await nothingSent(venues('(filter: { countryCode: "GBR" })'))
  })

  test('164, 166, 167: 200 characters are a search, the orders are three, future shows are asked for', async () => {
    expect(await pairsOf(venues(`(filter: { search: "${'x'.repeat(200)}" })`))).toContain(
      `search=${'x'.repeat(200)}`,
    )
    for (const [field, column] of [
      ['NAME', 'name'],
      ['CAPACITY', 'capacity'],
      ['LATEST_SHOW_DATE', 'latestShowDate'],
    ])
      expect(await pairsOf(venues(`(orderBy: { field: ${field} })`))).toContain(
        `sortColumn=${column}`,
      )
    expect(await pairsOf(venues('(filter: { includeFutureShows: true })'))).toContain(
      'includeFutureShows=true',
    )
  })

  test('168, 169: each size and each order of festivals as the service spells it', async () => {
    expect(
      (await pairsOf(festivals('(filter: { eventSizes: [SMALL, MEDIUM, LARGE, MEGA] })'))).filter(
        (pair) => pair.startsWith('eventSizes'),
      ),
    ).toEqual(['large', 'medium', 'mega', 'small'].map((size) => `eventSizes[]=${size}`))
    for (const [field, column] of [
      ['RANK', 'rank'],
      ['SCORE', 'score'],
      ['NAME', 'festivalName'],
      ['START_DATE', 'startDate'],
      ['NUMBER_OF_DAYS', 'numberOfDays'],
      ['EVENT_SIZE', 'eventSize'],
      ['TOTAL_EDITIONS', 'totalEditions'],
    ])
      expect(await pairsOf(festivals(`(orderBy: { field: ${field}, direction: DESC })`))).toEqual(
        expect.arrayContaining([`sortColumn=${column}`, 'sortOrderDesc=true']),
      )
    expect(await pairsOf(festivals(`(filter: { name: "${'x'.repeat(100)}" })`))).toContain(
      `name=${'x'.repeat(100)}`,
    )
  })
})

describe('L. radio and events, in detail', () => {
  const events = (args: string, fields = 'nodes { name }') =>
    `{ artist(cmId: 5) { events(${args}) { ${fields} } } }`

  test('171: without a country nothing at all is sent, and pages cost nothing more', async () => {
    const { data, sent, credits } = await ask(
      `{ a: radioStations(first: 2) { nodes { name } }
         b: radioStations(last: 1) { nodes { name } pageInfo { hasPreviousPage } } }`,
      obj([
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
        { id: 3, name: 'C' },
      ]),
    )
    expect([sent.length, sent[0]?.path, sent[0]?.pairs, credits.spent]).toEqual([
      1,
      '/api/radio/station-list',
      [],
      1,
    ])
    expect(data).toEqual({
      a: { nodes: [{ name: 'A' }, { name: 'B' }] },
      b: { nodes: [{ name: 'C' }], pageInfo: { hasPreviousPage: true } },
    })
  })

  test('172: both windows and the status are required, artist 1 has no events', async () => {
    await nothingSent(events('status: PAST, toDaysAgo: 9'))
    await nothingSent(events('fromDaysAgo: 9, toDaysAgo: 0'))
    await nothingSent(events('status: SOON, fromDaysAgo: 9, toDaysAgo: 0'))
    await nothingSent(
      '{ artist(cmId: 1) { events(status: PAST, fromDaysAgo: 9, toDaysAgo: 0) { nodes { name } } } }',
    )
  })

  test('173: a page of none is one, and a city is passed on', async () => {
    const none = await ask(
      events('status: CURRENT, fromDaysAgo: 9, toDaysAgo: 0, first: 0'),
      obj([{ id: 1, event_name: 'One' }]),
    )
    expect([none.data.artist.events.nodes, none.errors]).toEqual([[], []])
    expect(
      await pairsOf(events('status: CURRENT, fromDaysAgo: 9, toDaysAgo: 0, cityId: 78')),
    ).toContain('cityId=78')
  })

  test('174: what the service does give comes through, 0 and the order of a trend too', async () => {
    const { data } = await ask(
      events(
        'status: CURRENT, fromDaysAgo: 0, toDaysAgo: -9',
        'nodes { platSEventUrl lowPrice price currency priceTrend { date price } }',
      ),
      obj([
        {
          id: 1,
          platS_event_url: 'https://s.example.invalid/1',
          low_price: 0,
          price: 42.5,
          currency: 'EUR',
          price_trend: [
            { date: '2025-05-01', price: 40 },
            { date: '2025-05-02', price: 42.5 },
          ],
        },
      ]),
    )
    expect(data.artist.events.nodes).toEqual([
      {
        platSEventUrl: 'https://s.example.invalid/1',
        lowPrice: 0,
        price: 42.5,
        currency: 'EUR',
        priceTrend: [
          { date: '2025-05-01', price: 40 },
          { date: '2025-05-02', price: 42.5 },
        ],
      },
    ])
  })

  test('175: events of platR belong to the past, and are not expected among current ones', async () => {
    const text = `{ artist(cmId: 5) {
      past: events(status: PAST, fromDaysAgo: 9, toDaysAgo: 0) { nodes { platREventUrl } }
      current: events(status: CURRENT, fromDaysAgo: 9, toDaysAgo: 0) { nodes { platREventUrl } } } }`
    const { data, sent, errors } = await ask(
      text,
      ({ path }): Scripted => ({
        body: {
          obj: [
            path.includes('/past/')
              ? { id: 1, platR_event_url: 'https://r.example.invalid/1' }
              : { id: 2 },
          ],
        },
      }),
    )
    expect([errors, sent.length]).toEqual([[], 2])
    expect(data.artist).toEqual({
      past: { nodes: [{ platREventUrl: 'https://r.example.invalid/1' }] },
      current: { nodes: [{ platREventUrl: null }] },
    })
  })

  test('176: pages of venue events follow each other by offset, at most 100 rows each', async () => {
    const { data, sent, errors } = await ask(
      '{ venue(cmId: "0042") { events(first: 120) { nodes { id } pageInfo { hasNextPage } } } }',
      (seen): Scripted => {
        const offset = numberOf(seen, 'offset')
        const rows = Array.from({ length: 110 }, (_, at) => ({ event_id: at + 1, artists: [] }))
        return {
          body: {
            obj: {
              venueInfo: [{ doc_id: '0042', name: 'Hall' }],
              events: rows.slice(offset, offset + 100),
            },
          },
        }
      },
    )
    expect(errors).toEqual([])
    expect(
      sent.map((seen) => [seen.path, numberOf(seen, 'offset'), numberOf(seen, 'limit')]),
    ).toEqual([
      ['/api/event/venue/0042', 0, 100],
      ['/api/event/venue/0042', 100, 100],
    ])
    expect(data.venue.events.nodes).toHaveLength(110)
    expect(data.venue.events.pageInfo.hasNextPage).toBe(false)
  })

  test('178, 179: what is given is read: an end, a headliner, and one who is none', async () => {
    const { data } = await ask(
      '{ venue(cmId: "42") { events { nodes { endDate lineup { isHeadliner } } } } }',
      obj({
        venueInfo: [{ doc_id: '42' }],
        events: [
          {
            event_id: 1,
            end_date: '2025-07-02T22:00:00.000Z',
            artists: [
              { id: 7, is_headliner: true },
              { id: 8, is_headliner: false },
            ],
          },
        ],
      }),
    )
    expect(data.venue.events.nodes).toEqual([
      {
        endDate: '2025-07-02T22:00:00.000Z',
        lineup: [{ isHeadliner: true }, { isHeadliner: false }],
      },
    ])
  })
})
