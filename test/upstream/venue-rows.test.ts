import { describe, expect, it } from 'vitest'
import { additionalFields } from '../../src/upstream/decode.ts'
import { eventsOfVenue, venueEvents } from '../../src/upstream/endpoints/venue.ts'
import { venues } from '../../src/upstream/endpoints/venue-list.ts'
import { VENUE_EVENT as EVENT, VENUE_INFO as INFO, VENUE_ROW as ROW } from '../support/wire-row.ts'

const opened = (obj: unknown, drift: string[] = []) =>
  venueEvents.open({ obj }, { note: (path) => drift.push(path) })

describe('an answer about a venue', () => {
  it('tells the venue and its events', () => {
    const drift: string[] = []
    const venue = opened({ venueInfo: [INFO], events: [EVENT] }, drift)
    expect(venue).toMatchObject({
      cmId: '9100',
      name: 'Harrow Dock Hall',
      imageUrl: 'https://img.example.invalid/v/9100.jpg',
      url: null,
      capacity: 1800,
      cityName: 'Westharbour',
      cityId: 78,
      locationId: 78,
      countryCode: 'GB',
      latitude: 51.1,
      longitude: -2.2,
    })
    const rows = eventsOfVenue.rows(venue ?? null).rows.slice()
    expect(rows).toMatchObject([
      {
        cmId: 60001,
        name: 'Lanterns at the Dock',
        imageUrl: null,
        startDate: '2026-02-10T19:00:00.000Z',
        endDate: null,
      },
    ])
    expect(
      rows[0]?.lineup.map(({ artist, name, isHeadliner }) => [artist?.cmId, name, isHeadliner]),
    ).toEqual([
      [3301, 'The Paper Lanterns', true],
      [3302, 'Nima Vell', null],
    ])
    expect(additionalFields(venue)).toBeNull()
    expect(drift).toEqual([])
  })

  it('is nothing for an unknown venue', () => {
    expect(opened({ venueInfo: [], events: [] })).toBeNull()
    expect(opened({ venueInfo: [] })).toBeNull()
    expect(opened(null)).toBeNull()
    expect(eventsOfVenue.rows(null).rows).toEqual([])
  })

  it('keeps the events of a venue that is not described', () => {
    const venue = opened({ venueInfo: [], events: [EVENT] })
    expect(venue?.name).toBeNull()
    expect(eventsOfVenue.rows(venue ?? null).rows).toHaveLength(1)
  })

  it('takes one object for a list of one', () => {
    expect(opened({ venueInfo: INFO, events: [] })?.cmId).toBe('9100')
  })

  it('leaves out an event without a number, in its place', () => {
    const drift: string[] = []
    const venue = opened({ venueInfo: [INFO], events: [{ event_name: 'x' }, EVENT] }, drift)
    expect(
      eventsOfVenue
        .rows(venue ?? null)
        .rows.slice()
        .map((row) => row?.cmId ?? null),
    ).toEqual([null, 60001])
    expect(drift).toEqual(['events.[]'])
  })

  it('is unreadable without venue and events', () => {
    expect(opened({ data: [INFO] })).toBeUndefined()
    expect(opened('venue')).toBeUndefined()
  })
})

const listed = (obj: unknown, drift: string[] = []) =>
  venues.open({ obj }, { note: (path) => drift.push(path) }) ?? expect.fail('unreadable')

describe('a row of the venue listing', () => {
  it('tells the venue, its type, its latest show and its biggest artist', () => {
    const drift: string[] = []
    const { rows, total } = listed({ data: [ROW], total: 1 }, drift)
    expect(total).toBe(1)
    expect(rows[0]?.venue).toMatchObject({
      cmId: '9100',
      name: 'Harrow Dock Hall',
      imageUrl: 'https://img.example.invalid/v/9100.jpg',
      cityName: 'Westharbour',
      cityId: 78,
      countryCode: 'GB',
      latitude: 51.1,
      longitude: -2.2,
      capacity: 1800,
    })
    expect(rows[0]).toMatchObject({
      venueType: 'concert_hall',
      latestShow: { date: '2025-12-30T19:00:00.000Z', title: 'The Paper Lanterns' },
      biggestArtist: { cmId: 3301, name: 'The Paper Lanterns' },
    })
    expect(additionalFields(rows[0])).toBeNull()
    expect(drift).toEqual([])
  })

  it('lets values be missing, and counts a type that is not in the list', () => {
    const drift: string[] = []
    const hollow = { ...ROW, image_url: null, lat: null, lng: '-2.2', capacity: null }
    const { rows, total } = listed(
      {
        data: [{ ...hollow, venue_type: 'other', latest_show: null, biggest_artist: null }],
        total: '1',
      },
      drift,
    )
    expect(total).toBe(1)
    expect(rows[0]).toMatchObject({ venueType: null, latestShow: null, biggestArtist: null })
    expect(rows[0]?.venue).toMatchObject({ latitude: null, longitude: -2.2, capacity: null })
    expect(new Set(drift)).toEqual(new Set(['venueType']))
  })

  it('may be none at all', () => {
    expect(listed({ data: [], total: 0 })).toEqual({ rows: [], total: 0, offset: null })
  })
})
