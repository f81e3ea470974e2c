import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import { artistEvents } from '../../src/upstream/endpoints/event.ts'
import { festivals } from '../../src/upstream/endpoints/festival.ts'
import { radioStations } from '../../src/upstream/endpoints/radio.ts'
import { venueEvents } from '../../src/upstream/endpoints/venue.ts'
import { venues } from '../../src/upstream/endpoints/venue-list.ts'
import type { Args } from '../../src/upstream/params.ts'
import { request } from '../../src/upstream/request.ts'

const EVENTS = { cmId: 3301, status: 'current', fromDaysAgo: 0, toDaysAgo: -90 }

describe('venues, events, festivals and radio on the wire', () => {
  it.each<[Endpoint, Args, string]>([
    [
      venues,
      { offset: 0, limit: 100 },
      '/api/venue?includeFutureShows=false&limit=100&offset=0&sortColumn=name&sortOrderDesc=false',
    ],
    [
      venues,
      {
        countryCode: 'gb',
        cityId: 0,
        minCapacity: 0,
        maxCapacity: 90_000,
        venueType: 'concert_hall',
        search: 'Dock & Hall',
        includeFutureShows: true,
        orderBy: 'latestShowDate',
        isDescending: true,
      },
      '/api/venue?cityId=0&code2=GB&includeFutureShows=true&maxCapacity=90000&minCapacity=0&search=Dock%20%26%20Hall&sortColumn=latestShowDate&sortOrderDesc=true&venueType=concert_hall',
    ],
    [
      venueEvents,
      { cmId: '9100', offset: 0, limit: 100 },
      '/api/event/venue/9100?limit=100&offset=0',
    ],
    [venueEvents, { cmId: 'hall_7-B' }, '/api/event/venue/hall_7-B'],
    [
      artistEvents,
      { ...EVENTS, offset: 0, limit: 100 },
      '/api/artist/3301/current/events?fromDaysAgo=0&limit=100&offset=0&toDaysAgo=-90',
    ],
    [
      artistEvents,
      { cmId: 2, status: 'past', fromDaysAgo: 3650, toDaysAgo: 0, cityId: 78, limit: 0 },
      '/api/artist/2/past/events?cityId=78&fromDaysAgo=3650&limit=0&toDaysAgo=0',
    ],
    [
      festivals,
      { offset: 100_000, limit: 100 },
      '/api/festival/list?limit=100&offset=100000&sortColumn=startDate&sortOrderDesc=false',
    ],
    [
      festivals,
      {
        countryCodes: ['us', 'GB', 'US'],
        genreIds: [12, 3],
        eventSizes: ['mega', 'large'],
        name: 'salt',
        orderBy: 'festivalName',
        isDescending: true,
      },
      '/api/festival/list?code2s[]=GB&code2s[]=US&eventSizes[]=large&eventSizes[]=mega&genreIds[]=3&genreIds[]=12&name=salt&sortColumn=festivalName&sortOrderDesc=true',
    ],
    [radioStations, {}, '/api/radio/station-list'],
    [radioStations, { countryCode: 'GB' }, '/api/radio/station-list?code2=GB'],
  ])('%# is what the specification says', (endpoint, args, path) => {
    // Lists are compared without their order: which of two genres goes first is ours to choose.
    const sorted = (text: string) => text.split(/[?&]/).sort()
    const { wire } = request(endpoint, args)
    expect(wire).toMatchObject({ method: 'GET', credits: 1 })
    expect(sorted(wire.path)).toEqual(sorted(path))
    expect(wire.body).toBeUndefined()
  })

  it('takes every order that the specification lists', () => {
    for (const orderBy of ['name', 'capacity', 'latestShowDate'])
      expect(request(venues, { orderBy }).wire.path).toContain(`sortColumn=${orderBy}&`)
    for (const orderBy of [
      'rank',
      'score',
      'festivalName',
      'startDate',
      'numberOfDays',
      'eventSize',
      'totalEditions',
    ])
      expect(request(festivals, { orderBy }).wire.path).toContain(`sortColumn=${orderBy}&`)
    for (const venueType of 'stadium arena amphitheater festival theater concert_hall club'.split(
      ' ',
    ))
      expect(request(venues, { venueType }).wire.path).toContain(`venueType=${venueType}`)
  })

  it.each<[string, Endpoint, Args, RegExp]>([
    [
      'a venue that leaves its place in the path',
      venueEvents,
      { cmId: '../token' },
      /^cmId must be/,
    ],
    ['a venue of dots', venueEvents, { cmId: '..' }, /^cmId must be/],
    ['an empty venue', venueEvents, { cmId: '' }, /^cmId must be/],
    ['101 events of a venue', venueEvents, { cmId: '1', limit: 101 }, /^limit .*1 to 100/],
    ['artist 1', artistEvents, { ...EVENTS, cmId: 1 }, /^cmId .* from 2 to 2147483647, got 1/],
    ['an unknown status', artistEvents, { ...EVENTS, status: 'future' }, /^status must be one of/],
    ['no first day', artistEvents, { ...EVENTS, fromDaysAgo: undefined }, /^fromDaysAgo must be/],
    ['no last day', artistEvents, { ...EVENTS, toDaysAgo: null }, /^toDaysAgo must be/],
    ['101 events of an artist', artistEvents, { ...EVENTS, limit: 101 }, /^limit .*0 to 100/],
    ['101 venues', venues, { limit: 101 }, /^limit .*1 to 100/],
    ['venues behind 100,000', venues, { offset: 100_001 }, /^offset .*0 to 100000/],
    ['a negative capacity', venues, { minCapacity: -1 }, /^minCapacity must be/],
    ['capacities in the wrong order', venues, { minCapacity: 2, maxCapacity: 1 }, /^minCapacity:/],
    ['a venue search of 201 characters', venues, { search: 'x'.repeat(201) }, /^search .*1 to 200/],
    ['a country of three letters', venues, { countryCode: 'GBR' }, /^countryCode must be/],
    ['a festival name of 101 characters', festivals, { name: 'x'.repeat(101) }, /^name .*1 to 100/],
    ['an unknown festival size', festivals, { eventSizes: ['tiny'] }, /^eventSizes must be one of/],
    ['a country of digits', radioStations, { countryCode: '44' }, /^countryCode must be/],
  ])('are not sent with %s', (_what, endpoint, args, message) => {
    expect(() => request(endpoint, args)).toThrow(message)
  })

  it('count a text in characters as people do', () => {
    expect(request(festivals, { name: '🎪'.repeat(100) }).wire.path).toContain('name=%F0%9F%8E%AA')
  })
})
