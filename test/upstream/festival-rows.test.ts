import { describe, expect, it } from 'vitest'
import { additionalFields } from '../../src/upstream/decode.ts'
import type { Listing } from '../../src/upstream/endpoint.ts'
import { festivals } from '../../src/upstream/endpoints/festival.ts'
import { radioStations } from '../../src/upstream/endpoints/radio.ts'
import { FESTIVAL, RADIO_STATION } from '../support/wire-row.ts'

const opened = <R>(listing: Listing<R>, obj: unknown, drift: string[] = []) =>
  listing.open({ obj }, { note: (path) => drift.push(path) })?.rows ?? expect.fail('unreadable')

describe('a festival', () => {
  it('tells its day as written, its size as shown, and its pages', () => {
    const drift: string[] = []
    const [festival] = opened(festivals, [FESTIVAL], drift)
    expect(festival).toMatchObject({
      cmId: 450,
      name: 'Saltmarsh Weekender',
      date: '2026-06-12',
      startsAt: '2026-06-12T00:00:00',
      numberOfDays: 3,
      city: 'Westharbour',
      countryCode: 'GB',
      performerCount: 41,
      popularityRank: 912,
      eventSize: 'Medium (5,000-20,000)',
      topGenres: [{ cmId: 12, name: 'indie' }],
      links: { platQ: 'https://platq.example.invalid/f/450', platR: null, platS: null },
    })
    expect(additionalFields(festival)).toBeNull()
    expect(drift).toEqual([])
  })

  it('may have holes', () => {
    const drift: string[] = []
    const hollow = {
      date: '',
      numberOfDays: '3',
      popularityRank: null,
      topGenres: null,
      links: null,
    }
    expect(opened(festivals, [{ ...FESTIVAL, ...hollow }], drift)[0]).toMatchObject({
      date: null,
      startsAt: null,
      numberOfDays: 3,
      popularityRank: null,
      topGenres: [],
      links: null,
    })
    expect(drift).toEqual([])
  })
})

describe('a radio station', () => {
  it('tells its market, its listeners and its followers', () => {
    const drift: string[] = []
    const [row] = opened(radioStations, [RADIO_STATION], drift)
    expect(row).toMatchObject({
      cmId: 31,
      name: 'Harbour FM',
      genre: 'pop',
      frequency: '98.2',
      market: 'Westharbour',
      broadcastArea: 'West',
      country: 'GB',
      stationState: null,
      imageUrl: null,
      averageQuarterHour: 1200,
      platform: 'fm',
      platLFollowers: null,
      platLLikes: 5400,
      platNFollowers: null,
      platMFollowers: 812,
      platOViews: null,
    })
    expect(additionalFields(row)).toBeNull()
    expect(drift).toEqual([])
  })
})
