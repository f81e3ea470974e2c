import { describe, expect, test } from 'vitest'
import type { Scripted } from '../support/script.ts'
import { ask, nothingSent, numberOf, obj, pairsOf, refusal } from './ask.ts'

describe('L. venues and their events', () => {
  const venues = (args: string, fields = 'nodes { venueType }') => `{ venues${args} { ${fields} } }`

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

  test('164, 165, 166, 167: venues within their bounds, with their defaults', async () => {
    const list = (args: string) => `{ venues${args} { nodes { venueType } } }`
    expect(await pairsOf(list(''))).toEqual([
      'includeFutureShows=false',
      'limit=100',
      'offset=0',
      'sortColumn=name',
      'sortOrderDesc=false',
    ])
    expect(
      await pairsOf(
        list(
          '(filter: { cityId: 0, minCapacity: 0, venueType: CONCERT_HALL, search: "hall", countryCode: "GB" }, orderBy: { field: LATEST_SHOW_DATE, direction: DESC })',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        'cityId=0',
        'minCapacity=0',
        'venueType=concert_hall',
        'search=hall',
        'code2=GB',
        'sortColumn=latestShowDate',
        'sortOrderDesc=true',
      ]),
    )
    expect(
      (await refusal(list(`(filter: { search: "${'x'.repeat(201)}" })`)))?.extensions.argument,
    ).toBe('search')
    for (const bad of ['minCapacity: -1', 'maxCapacity: -1', 'cityId: -1'])
      await refusal(list(`(filter: { ${bad} })`))
  })

  test('176, 177, 178, 179: venue events by a text id; info is a list; dates and headliners may be missing', async () => {
    const text =
      '{ venue(cmId: "a-9_B") { name events { nodes { endDate lineup { isHeadliner artist { name } } } } } }'
    const { data, sent, errors } = await ask(
      text,
      obj({
        venueInfo: [{ doc_id: 'a-9_B', name: 'Hall' }],
        events: [
          { event_id: 1, end_date: '', artists: [{ id: 7, name: 'Ada', is_headliner: null }] },
        ],
      }),
    )
    expect(errors).toEqual([])
    expect([sent.length, sent[0]?.path, sent[0]?.pairs]).toEqual([
      1,
      '/api/event/venue/a-9_B',
      ['limit=100', 'offset=0'],
    ])
    expect(data.venue).toEqual({
      name: 'Hall',
      events: {
        nodes: [{ endDate: null, lineup: [{ isHeadliner: null, artist: { name: 'Ada' } }] }],
      },
    })
    expect((await ask(text, obj({ venueInfo: [], events: [] }))).data).toEqual({ venue: null })
  })
})
