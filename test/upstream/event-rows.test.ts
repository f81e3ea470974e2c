import { describe, expect, it } from 'vitest'
import { additionalFields } from '../../src/upstream/decode.ts'
import { artistEvents } from '../../src/upstream/endpoints/event.ts'
import { LIVE_EVENT as EVENT } from '../support/wire-row.ts'

const opened = (obj: unknown, drift: string[] = []) =>
  artistEvents.open({ obj }, { note: (path) => drift.push(path) })?.rows ??
  expect.fail('unreadable')

describe('a live event', () => {
  it('tells what, where, when and for how much', () => {
    const drift: string[] = []
    const [event] = opened([EVENT], drift)
    expect(event).toMatchObject({
      cmId: 60001,
      name: 'Lanterns at the Dock (cancelled)',
      type: 'concert',
      imageUrl: null,
      startDate: '2026-02-10T19:00:00.000Z',
      endDate: '2026-02-10T23:00:00.000Z',
      isHeadliner: true,
      venue: { cmId: '9100', name: 'Harrow Dock Hall', url: null, capacity: 1800 },
      venueName: 'Harrow Dock Hall',
      venueUrl: null,
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
    })
    expect(additionalFields(event)).toBeNull()
    expect(drift).toEqual([])
  })

  it('may be without prices', () => {
    const free = { low_price: null, high_price: null, price: null, currency: null }
    expect(opened([{ ...EVENT, ...free, price_trend: [] }])[0]).toMatchObject({
      price: null,
      lowPrice: null,
      highPrice: null,
      currency: null,
      priceTrend: [],
    })
  })

  it('may have holes', () => {
    const drift: string[] = []
    const [first, second] = opened(
      [
        { ...EVENT, end_date: '', venue_id: null, city: null, price: '25.00', is_headliner: null },
        { ...EVENT, id: '60003', city: { id: null, name: 'Westharbour' }, price_trend: null },
      ],
      drift,
    )
    expect(first).toMatchObject({ endDate: null, city: null, price: 25, isHeadliner: null })
    expect(first?.venue?.cmId).toBeNull()
    expect(second).toMatchObject({ cmId: 60003, city: null, priceTrend: [] })
    expect(drift).toEqual(['city'])
  })

  it('without a number is left out, and counted', () => {
    const drift: string[] = []
    expect(opened([{ ...EVENT, id: null }, EVENT], drift).map((row) => row?.cmId)).toEqual([
      undefined,
      60001,
    ])
    expect(drift).toEqual(['row'])
  })

  it('may be none at all, in each way that the service says so', () => {
    for (const nothing of [[], {}, null]) expect(opened(nothing)).toEqual([])
  })
})
