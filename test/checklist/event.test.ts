import { describe, expect, test } from 'vitest'
import type { Scripted } from '../support/script.ts'
import { ask, nothingSent, obj, pairsOf } from './ask.ts'

describe('L. live events', () => {
  const events = (args: string, fields = 'nodes { name }') =>
    `{ artist(cmId: 5) { events(${args}) { ${fields} } } }`

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

  test('172, 173: live events take a status and two windows of days, negative and 0 too', async () => {
    const { sent } = await ask(events('status: CURRENT, fromDaysAgo: 0, toDaysAgo: -90'))
    expect([sent[0]?.path, sent[0]?.pairs]).toEqual([
      '/api/artist/5/current/events',
      ['fromDaysAgo=0', 'limit=100', 'offset=0', 'toDaysAgo=-90'],
    ])
    expect(
      await pairsOf(events('status: PAST, fromDaysAgo: 9, toDaysAgo: 0, cityId: null')),
    ).not.toContain('cityId=null')
    expect((await ask(events('status: PAST, fromDaysAgo: 9'))).sent).toHaveLength(0)
  })

  test('174, 175: links, prices and trends may be missing', async () => {
    const { data, errors } = await ask(
      events(
        'status: PAST, fromDaysAgo: 9, toDaysAgo: 0',
        'nodes { platQEventUrl platREventUrl platSEventUrl platTEventUrl price lowPrice highPrice priceTrend { price } }',
      ),
      obj([
        {
          id: 1,
          platQ_event_url: null,
          platR_event_url: 'https://r.example.invalid/1',
          price: null,
          price_trend: [],
        },
      ]),
    )
    expect(errors).toEqual([])
    expect(data.artist.events.nodes).toEqual([
      {
        platQEventUrl: null,
        platREventUrl: 'https://r.example.invalid/1',
        platSEventUrl: null,
        platTEventUrl: null,
        price: null,
        lowPrice: null,
        highPrice: null,
        priceTrend: [],
      },
    ])
  })
})
