import { describe, expect, it } from 'vitest'
import { createSources } from '../../src/sandbox/source.ts'
import { createWorld } from '../../src/sandbox/world.ts'

type Row = Record<string, unknown>
const sources = createSources(createWorld(1))
const today = '2026-03-10'
const numbers = (rows: readonly unknown[], member: string) =>
  (rows as Row[]).map((row) => Number(row[member]))
const falling = (values: readonly number[]) => values.toSorted((a, b) => b - a)
const rising = (values: readonly number[]) => values.toSorted((a, b) => a - b)

describe('artists by statistic', () => {
  const ask = { type: 'sp_followers', min: 20_000, max: 900_000, offset: 0, limit: 200 } as const

  it('lie between min and max, both inclusive, the greatest first', () => {
    const { rows, total } = sources.artistsByStat(ask)
    const followers = numbers(rows, 'platA_followers')
    expect(followers).toEqual(falling(followers))
    expect(Math.min(...followers)).toBeGreaterThanOrEqual(20_000)
    expect(Math.max(...followers)).toBeLessThanOrEqual(900_000)
    expect(total).toBeGreaterThan(200)
    const [one = 0] = followers
    const exact = sources.artistsByStat({ ...ask, min: one, max: one })
    expect(numbers(exact.rows, 'platA_followers')).toContain(one)
  })

  it('continue at the offset and end with nothing', () => {
    const first = sources.artistsByStat({ ...ask, limit: 20 }).rows
    const second = sources.artistsByStat({ ...ask, limit: 10, offset: 10 }).rows
    expect(second).toEqual(first.slice(10))
    expect(sources.artistsByStat({ ...ask, offset: 99_999 }).rows).toEqual([])
  })

  it('are filtered by country, signing, genre and top city', () => {
    const { rows } = sources.artistsByStat({ ...ask, code2: 'DE', unsigned: true })
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows as Row[]) expect(row).toMatchObject({ code2: 'DE', signed: false })
    const some = sources.artistsByStat({ ...ask, limit: 60 }).rows as {
      cm_artist_id: number
      sp_where_people_listen: { name: string }[]
    }[]
    const listened = some.find((row) => row.sp_where_people_listen.length > 0)
    const city = listened?.sp_where_people_listen[0]?.name ?? ''
    const inCity = sources.artistsByStat({ ...ask, city: city.toUpperCase() }).rows as typeof some
    expect(inCity.map((row) => row.cm_artist_id)).toContain(listened?.cm_artist_id)
    for (const row of inCity) expect(row.sp_where_people_listen[0]?.name).toBe(city)
    const pop = sources.artistsByStat({ ...ask, genreId: 1 })
    expect(pop.total).toBeGreaterThan(0)
    expect(pop.total).toBeLessThan(sources.artistsByStat(ask).total)
    for (const row of pop.rows as { genres: string }[]) expect(row.genres).toMatch(/\bpop\b/)
    expect(sources.artistsByStat({ ...ask, subGenreId: 101 }).total).toBeLessThan(pop.total)
  })

  it('tell platB_fans in a string and leave some counters null', () => {
    const { rows } = sources.artistsByStat({ ...ask, min: 0, max: 1e12 })
    for (const row of rows as Row[]) expect(row.platB_fans).toMatch(/^\d+$/)
    expect((rows as Row[]).some((row) => row.platL_talks === null)).toBe(true)
  })
})

describe('playlists', () => {
  const ask = { today, offset: 0, limit: 100 }

  it('are editorial ones unless asked otherwise, most followed first on platB', () => {
    const { rows, total } = sources.playlistsPlatB(ask)
    for (const row of rows as Row[]) expect(row.editorial).toBe(true)
    expect(numbers(rows, 'followers')).toEqual(falling(numbers(rows, 'followers')))
    expect(Math.max(...numbers(rows, 'followers'))).toBeGreaterThan(2 ** 32)
    expect(total).toBeLessThan(30_000)
    expect(sources.playlistsPlatB({ ...ask, editorial: false }).total).toBe(30_000)
  })

  it.each(['active_ratio', 'fdiff_month', 'fdiff_percent_week', 'followers'] as const)(
    'can be ordered by %s both ways',
    (sortColumn) => {
      const order = (sortOrderDesc: boolean) =>
        numbers(sources.playlistsPlatB({ ...ask, sortColumn, sortOrderDesc }).rows, sortColumn)
      expect(order(true)).toEqual(falling(order(true)))
      expect(order(false)).toEqual(rising(order(false)))
      expect(order(true)[0]).toBeGreaterThan(Number(order(false)[0]))
    },
  )

  it('are filtered by country, curator, tag, top and shortlist', () => {
    const all = { ...ask, editorial: false }
    const french = sources.playlistsPlatC({ ...all, code2: 'FR' })
    expect(french.total).toBeGreaterThan(0)
    for (const row of french.rows as Row[]) expect(row.code2).toBe('FR')
    const curated = sources.playlistsPlatB({ ...all, curatorIds: ['u_77'] })
    for (const row of curated.rows as Row[]) expect(row.owner_id).toBe(77)
    const others = sources.playlistsPlatB({ ...all, excludedCuratorListIds: ['u_77'] })
    expect(others.total + curated.total).toBe(30_000)
    const jazz = sources.playlistsPlatB({ ...all, tagIds: [8] })
    for (const row of jazz.rows as { genre: string }[]) expect(row.genre).toContain('jazz')
    expect(sources.playlistsPlatB({ ...all, topPlaylist: true }).total).toBe(3_000)
    const lists = (userListIds: number[]) => sources.playlistsPlatB({ ...all, userListIds }).total
    expect(lists([3, 4])).toBeGreaterThan(lists([3]))
    const found = sources.playlistsPlatC({ ...all, descriptionSearch: 'DREAMY' }).total
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(30_000)
    expect(sources.playlistsPlatC({ ...all, descriptionSearch: 'no such word' }).total).toBe(0)
  })
})

describe('the track filter', () => {
  const ask = { today, offset: 0, limit: 100 }
  interface Filtered {
    readonly cm_track: number
    readonly score: number
    readonly latest: Row
    readonly weekly_diff?: Row
    readonly album: readonly { readonly release_date: string }[]
    readonly name: string
  }
  const filter = (more: object) => {
    const { rows, total } = sources.tracksByFilter({ ...ask, ...more })
    return { rows: rows as Filtered[], total }
  }

  it('orders by score, the greatest first, and excludes remixes unless told otherwise', () => {
    const { rows, total } = filter({})
    expect(numbers(rows, 'score')).toEqual(falling(numbers(rows, 'score')))
    expect(total).toBeGreaterThan(10_000)
    expect(total).toBeLessThan(24_000)
    expect(filter({ originalsOnly: false }).total).toBe(24_000)
  })

  it('holds every range within its period, negative bounds too', () => {
    const falls = filter({
      ...{
        range_period: 'weekly_diff',
        max_platA_plays: -1_000,
        sortColumn: 'weekly_diff.platA_plays',
      },
      sortOrderDesc: false,
    })
    expect(falls.total).toBeGreaterThan(0)
    const changes = falls.rows.map((row) => Number(row.weekly_diff?.platA_plays))
    expect(Math.max(...changes)).toBeLessThanOrEqual(-1_000)
    expect(changes).toEqual(rising(changes))
    const both = filter({ min_platA_popularity: 40, max_platA_popularity: 45, min_score: 41 })
    expect(both.total).toBeGreaterThan(0)
    for (const { latest, score } of both.rows) {
      expect(Number(latest.platA_popularity)).toBeGreaterThanOrEqual(40)
      expect(Number(latest.platA_popularity)).toBeLessThanOrEqual(45)
      expect(score).toBeGreaterThanOrEqual(41)
    }
  })

  it('gives a map for latest and for the asked period, of that only the statistics asked for', () => {
    const [row] = filter({ range_period: 'monthly_diff', min_platE_plays: -1e9 }).rows
    const held = row as unknown as Row
    expect(Object.keys(held.monthly_diff as Row)).toEqual(['platE_plays'])
    expect(held.latest).toHaveProperty('platE_plays')
    expect(held).not.toHaveProperty('weekly_diff')
  })

  it('bounds the day of release whatever the period', () => {
    const { rows, total } = filter({
      ...{
        min_release_date: '2025-04-01',
        max_release_date: '2025-04-30',
        range_period: 'weekly_diff',
      },
    })
    expect(total).toBeGreaterThan(0)
    for (const { album } of rows) expect(album[0]?.release_date).toMatch(/^2025-04-/)
  })

  it('reads the cluster of versions four ways', () => {
    const of = (more: object) => filter({ originalsOnly: false, ...more })
    const all = 24_000
    const [edit, acoustic, both, either] = [
      of({ version_or: ['edit'] }).total,
      of({ version_or: ['acoustic'] }).total,
      of({ version_and: ['edit', 'acoustic'] }).total,
      of({ version_or: ['edit', 'acoustic'] }).total,
    ]
    expect(both).toBeGreaterThan(0)
    expect(edit + acoustic - both).toBe(either)
    expect(of({ version_not: ['edit'] }).total).toBe(all - edit)
    expect(of({ version_only: ['edit'] }).total).toBe(edit - both)
  })
})

describe('venues', () => {
  const ask = { today, offset: 0, limit: 100 }

  it('are ordered by name, capacity or latest show', () => {
    const names = (sources.venues(ask).rows as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
    const large = sources.venues({ ...ask, sortColumn: 'capacity', sortOrderDesc: true })
    expect(numbers(large.rows, 'capacity')).toEqual(falling(numbers(large.rows, 'capacity')))
    expect(large.total).toBe(3_000)
    const shows = (future: boolean) =>
      (
        sources.venues({
          ...{
            ...ask,
            sortColumn: 'latestShowDate',
            sortOrderDesc: true,
            includeFutureShows: future,
          },
        }).rows as { latest_show: { date: string } }[]
      ).map((row) => row.latest_show.date.slice(0, 10))
    expect(shows(false)).toEqual(shows(false).toSorted().reverse())
    expect(shows(false)[0]?.localeCompare(today)).toBeLessThan(0)
    expect(shows(true)[0]?.localeCompare(today)).toBeGreaterThan(0)
  })

  it('are filtered by country, city, capacity, type and part of the name', () => {
    const [first] = sources.venues({ ...ask, code2: 'GB' }).rows as Row[]
    expect(first?.country).toBe('GB')
    const inCity = sources.venues({ ...ask, cityId: Number(first?.city_id) })
    for (const row of inCity.rows as Row[]) expect(row.city).toBe(first?.city)
    const clubs = sources.venues({ ...ask, venueType: 'club', minCapacity: 500, maxCapacity: 900 })
    expect(clubs.total).toBeGreaterThan(0)
    for (const row of clubs.rows as Row[]) expect(row.venue_type).toBe('club')
    expect(Math.min(...numbers(clubs.rows, 'capacity'))).toBeGreaterThanOrEqual(500)
    expect(Math.max(...numbers(clubs.rows, 'capacity'))).toBeLessThanOrEqual(900)
    const named = sources.venues({ ...ask, search: 'LANTERN' })
    for (const row of named.rows as Row[]) expect(row.name).toContain('Lantern')
    expect(named.total).toBeGreaterThan(0)
  })
})

describe('festivals, stations and estimates', () => {
  it('festivals begin with the earliest, are sized by a label and filtered by the word', () => {
    const ask = { today, offset: 0, limit: 400 }
    const dates = (sources.festivals(ask).rows as { date: string }[]).map(({ date }) => date)
    expect(dates).toHaveLength(400)
    expect(dates.map((date) => date.slice(0, 10))).toEqual(
      dates.map((date) => date.slice(0, 10)).toSorted(),
    )
    expect(dates[0]).toMatch(/^2026-\d\d-\d\d \d\d:00:00$/)
    const mega = sources.festivals({ ...ask, eventSizes: ['mega'], code2s: ['US', 'GB'] })
    expect(mega.total).toBeGreaterThan(0)
    for (const row of mega.rows as Row[]) {
      expect(row.eventSize).toBe('Mega (over 50,000)')
      expect(['US', 'GB']).toContain(row.country)
    }
    const named = sources.festivals({ ...ask, name: 'weekEND' }).rows as Row[]
    for (const row of named) expect(row.name).toContain('Weekender')
  })

  it('stations come whole, or by country', () => {
    expect(sources.radioStations({}).rows).toHaveLength(600)
    const german = sources.radioStations({ code2: 'DE' }).rows as Row[]
    expect(german.length).toBeGreaterThan(0)
    for (const row of german) expect(row.country).toBe('DE')
  })

  it('estimates have an item for each id, in order, missing tracks as not_found', () => {
    const { rows } = sources.streamEstimates({ today, ids: [99_999, 5, 0] })
    expect(rows).toMatchObject([
      { cm_track: 99_999, status: 'not_found', estimates: [] },
      { cm_track: 5, status: 'available', estimates: [{ timestp: '2026-03-05' }] },
      { cm_track: 0, status: 'available', estimates: [{ timestp: '2026-03-05' }] },
    ])
  })

  it('estimates are weekly within a range, and the parts are the whole', () => {
    const { rows } = sources.streamEstimates({
      ...{ today, ids: [5], since: '2026-01-10', until: '2026-02-07' },
    })
    const [{ estimates } = { estimates: [] }] = rows as { estimates: Row[] }[]
    expect(estimates.map((one) => one.timestp)).toEqual([
      '2026-01-15',
      '2026-01-22',
      '2026-01-29',
      '2026-02-05',
    ])
    for (const one of estimates)
      expect(
        Number(one.expected_editorial) +
          Number(one.expected_chart) +
          Number(one.expected_user_other),
      ).toBe(one.expected_playlist_streams)
  })
})
