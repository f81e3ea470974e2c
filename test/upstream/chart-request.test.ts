import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import { platAArtistChart } from '../../src/upstream/endpoints/chart-plat-a.ts'
import { platBChart } from '../../src/upstream/endpoints/chart-plat-b.ts'
import { platDTrackChart } from '../../src/upstream/endpoints/chart-plat-d.ts'
import { platEChart } from '../../src/upstream/endpoints/chart-plat-e.ts'
import { platFChart, platFGenres } from '../../src/upstream/endpoints/chart-plat-f.ts'
import { platGChart, platGCities } from '../../src/upstream/endpoints/chart-plat-g.ts'
import { platUChart } from '../../src/upstream/endpoints/chart-plat-u.ts'
import type { Args } from '../../src/upstream/params.ts'
import { request } from '../../src/upstream/request.ts'

const LATEST = { latest: true }
const PLAT_A = { interval: 'weekly', type: 'followers', ...LATEST }
const PLAT_E = { countryCode: 'GLOBAL', kind: 'top', genre: 'latin', ...LATEST }

describe('a chart on the wire', () => {
  it.each<[Endpoint, Args, string]>([
    [
      platBChart,
      { countryCode: 'US', latest: true },
      '/api/charts/platB?country_code=US&latest=true',
    ],
    [
      platBChart,
      { countryCode: 'gb', date: '2026-01-02' },
      '/api/charts/platB?country_code=GB&date=2026-01-02',
    ],
    [platUChart, LATEST, '/api/charts/platU?latest=true'],
    [platUChart, { date: '2025-06-01' }, '/api/charts/platU?date=2025-06-01'],
    [
      platAArtistChart,
      { ...PLAT_A, offset: 0 },
      '/api/charts/platA/artists?interval=weekly&latest=true&offset=0&type=followers',
    ],
    [
      platAArtistChart,
      { interval: 'daily', type: 'playlist_reach', date: '2026-01-02', offset: 250 },
      '/api/charts/platA/artists?date=2026-01-02&interval=daily&offset=250&type=playlist_reach',
    ],
    [
      platDTrackChart,
      { ...LATEST, offset: 0, limit: 100 },
      '/api/charts/platD/tracks?latest=true&limit=100&offset=0',
    ],
    [
      platDTrackChart,
      { ...LATEST, interval: 'all_time', offset: 0, limit: 100 },
      '/api/charts/platD/tracks?latest=true&limit=100&offset=0',
    ],
    [
      platDTrackChart,
      { date: '2026-01-02', interval: 'semi-yearly', offset: 9900, limit: 100 },
      '/api/charts/platD/tracks?date=2026-01-02&interval=semi-yearly&limit=100&offset=9900',
    ],
    [
      platDTrackChart,
      { ...LATEST, countryChart: true, countryCode: 'DE', offset: 0, limit: 100 },
      '/api/charts/platD/tracks?code2=DE&countryChart=true&latest=true&limit=100&offset=0',
    ],
    [
      platEChart,
      { ...PLAT_E, raw: false },
      '/api/charts/platE?chart_type=track&country_code=GLOBAL&genre=latin&kind=top&latest=true&raw=false',
    ],
    [
      platEChart,
      { ...PLAT_E, countryCode: 'ie', genre: 'DanceEDM', chartType: 'trending' },
      '/api/charts/platE?chart_type=trending&country_code=IE&genre=danceedm&kind=top&latest=true&raw=true',
    ],
    [
      platFChart,
      { genre: 'drum & bass / jungle', latest: true, offset: 0 },
      '/api/charts/platF?genre=drum%20%26%20bass%20%2F%20jungle&latest=true&offset=0',
    ],
    [platFGenres, {}, '/api/charts/genres/platF'],
    [
      platGChart,
      {
        countryCode: 'us',
        city: 'São Paulo',
        genre: 'a-genre-not-shown',
        latest: true,
        offset: 200,
      },
      '/api/charts/platG?city=S%C3%A3o%20Paulo&country_code=US&genre=a-genre-not-shown&latest=true&offset=200',
    ],
    [
      platGChart,
      { countryCode: 'global', date: '2026-01-02' },
      '/api/charts/platG?country_code=GLOBAL&date=2026-01-02',
    ],
    [platGCities, { countryCode: 'de' }, '/api/charts/platG/DE/cities'],
  ])('%# is what the specification says', (endpoint, args, path) => {
    const { wire } = request(endpoint, args)
    expect(wire).toMatchObject({ method: 'GET', path, credits: 1 })
    expect(wire.body).toBeUndefined()
  })

  it.each<[string, Endpoint, Args, RegExp]>([
    ['neither a day nor the latest', platUChart, {}, /^date: a day is required/],
    ['a day with latest false only', platUChart, { latest: false }, /^date: a day is required/],
    ['a day that no calendar has', platUChart, { date: '2026-02-30' }, /^date must be a day/],
    ['no country on platB', platBChart, LATEST, /^countryCode must be/],
    [
      'a platB country of three letters',
      platBChart,
      { countryCode: 'USA', ...LATEST },
      /^countryCode/,
    ],
    [
      'a platA chart without a type',
      platAArtistChart,
      { interval: 'daily', ...LATEST },
      /^type must/,
    ],
    [
      'an unknown platA interval',
      platAArtistChart,
      { ...PLAT_A, interval: 'yearly' },
      /^interval must/,
    ],
    [
      'a negative offset',
      platAArtistChart,
      { ...PLAT_A, offset: -1 },
      /^offset must be an integer of 0/,
    ],
    [
      '101 rows of platD',
      platDTrackChart,
      { ...LATEST, limit: 101 },
      /^limit .* from 1 to 100, got 101/,
    ],
    [
      'platD behind 9900',
      platDTrackChart,
      { ...LATEST, offset: 9901 },
      /^offset .* 0 to 9900, got 9901/,
    ],
    ['no platF genre', platFChart, LATEST, /^genre must/],
    ['an empty platF genre', platFChart, { genre: '', ...LATEST }, /^genre must/],
    [
      'a platE country of seven letters',
      platEChart,
      { ...PLAT_E, countryCode: 'GLOBALS' },
      /^countryCode/,
    ],
    ['an unknown platE kind', platEChart, { ...PLAT_E, kind: 'new' }, /^kind must/],
    [
      'a platG country that is a word',
      platGChart,
      { countryCode: 'EUROPE', ...LATEST },
      /^countryCode/,
    ],
  ])('is not sent with %s', (_what, endpoint, args, message) => {
    expect(() => request(endpoint, args)).toThrow(message)
  })
})

describe('the life of a chart', () => {
  const now = Date.parse('2026-01-20T12:00:00Z')
  const lifeOf = (endpoint: Endpoint, args: Args, shown?: Args, at = now) =>
    typeof endpoint.freshFor === 'number' ? endpoint.freshFor : endpoint.freshFor(args, at, shown)
  const forever = Number.POSITIVE_INFINITY
  const SIX_HOURS = 21_600_000

  const HOUR = 3_600_000
  const latest = (endpoint: Endpoint, date?: string, at = now) =>
    lifeOf(endpoint, LATEST, date === undefined ? undefined : { date }, at) / HOUR

  it('of the latest ends with the day on which no newer one is published', () => {
    expect(latest(platBChart, '2026-01-19')).toBe(12)
    expect(latest(platFChart, '2026-01-16')).toBe(4 * 24 - 12)
  })

  it('of the latest is short while its next edition is late, and never longer than it is late', () => {
    const after = (hours: number) =>
      latest(platBChart, '2026-01-18', Date.parse('2026-01-20') + hours * HOUR)
    expect([0, 0.1, 1, 4, 12, 48].map(after)).toEqual([0.25, 0.25, 1, 4, 6, 6])
  })

  it('of the latest ends at the next midnight, or in six hours, where its rows do not tell their day', () => {
    expect(latest(platBChart)).toBe(6)
    expect(latest(platBChart, undefined, Date.parse('2026-01-20T22:00:00Z'))).toBe(2)
  })

  it('is endless once a daily chart is older than three days', () => {
    expect(lifeOf(platBChart, { date: '2026-01-16' })).toBe(forever)
    expect(lifeOf(platBChart, { date: '2026-01-18' })).toBe(SIX_HOURS)
  })

  it('is endless once a weekly chart is older than eight days', () => {
    expect(lifeOf(platFChart, { date: '2026-01-11' })).toBe(forever)
    expect(lifeOf(platFChart, { date: '2026-01-13' })).toBe(SIX_HOURS)
    expect(lifeOf(platAArtistChart, { interval: 'weekly', date: '2026-01-13' })).toBe(SIX_HOURS)
    expect(lifeOf(platAArtistChart, { interval: 'daily', date: '2026-01-13' })).toBe(forever)
  })

  it('waits for the end of a longer span', () => {
    expect(lifeOf(platDTrackChart, { interval: 'monthly', date: '2026-01-01' })).toBe(SIX_HOURS)
    expect(lifeOf(platDTrackChart, { interval: 'yearly', date: '2025-03-01' })).toBe(SIX_HOURS)
    expect(lifeOf(platDTrackChart, { interval: 'all_time', date: '2026-01-13' })).toBe(forever)
  })
})
