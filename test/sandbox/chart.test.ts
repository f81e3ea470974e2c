import { describe, expect, it } from 'vitest'
import { createSources, isPage } from '../../src/sandbox/source.ts'
import { createWorld } from '../../src/sandbox/world.ts'

interface Stat {
  readonly rank: number
  readonly timestp: string
}
interface Row {
  readonly [member: string]: unknown
  readonly name: string | null
  readonly isrc: string | null
  readonly cm_track: number | null
  readonly cm_artist: readonly number[]
  readonly artist_names: readonly string[]
  readonly album_ids: readonly number[]
  readonly album_names: readonly string[]
  readonly rank: number
  readonly pre_rank: number | null
  readonly peak_rank: number
  readonly peak_date: string
  readonly added_at: string
  readonly time_on_chart: number | string
  readonly rankStats: readonly Stat[]
}

const sources = createSources(createWorld(1))
const today = '2026-03-10'
const rowsOf = (given: object | undefined): Row[] => {
  if (given === undefined || !isPage(given)) throw new Error('not a page')
  return given.rows as Row[]
}
const platB = (date: string, country_code = 'US') =>
  rowsOf(sources.platBChart({ today, date, country_code }))

/** Every chart of tracks, on a day that is a Friday. */
const DAY = '2026-02-06'
const CHARTS: Record<string, () => Row[]> = {
  platB: () => platB(DAY),
  platU: () => rowsOf(sources.platUChart({ today, date: DAY })),
  platE: () =>
    rowsOf(
      sources.platEChart({
        ...{ today, date: DAY, country_code: 'GB', kind: 'trending', genre: 'latin', offset: 0 },
      }),
    ),
  platF: () => rowsOf(sources.platFChart({ today, date: DAY, genre: 'house', offset: 0 })),
  platG: () => rowsOf(sources.platGChart({ today, date: DAY, country_code: 'US', offset: 0 })),
  platD: () => rowsOf(sources.platDTrackChart({ today, date: DAY, offset: 0, limit: 100 })),
}

describe('a chart row', () => {
  it.each(Object.keys(CHARTS))('of %s names a track as its own metadata does', (name) => {
    const rows = CHARTS[name]?.().filter(({ cm_track }) => cm_track !== null) ?? []
    expect(rows.length).toBeGreaterThan(40)
    for (const row of rows) {
      const track = sources.track({ id: row.cm_track ?? -1, today }) as {
        name: string
        isrc: string
        artists: { id: number; name: string }[]
      }
      expect(track).toMatchObject({ name: row.name, isrc: row.isrc })
      const ids = track.artists.map(({ id }) => id)
      if (row.cm_artist !== undefined && row.cm_artist.length > 0)
        expect(row.cm_artist).toEqual(ids)
      const names = (row.artist_names ?? row.platD_artist_names) as string[]
      expect(names).toEqual(expect.arrayContaining(track.artists.map((artist) => artist.name)))
    }
  })

  it('has ranks from 1 on, without a gap or a track twice', () => {
    for (const make of Object.values(CHARTS)) {
      const rows = make()
      expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, i) => i + 1))
      const tracks = rows.flatMap(({ cm_track }) => cm_track ?? [])
      expect(new Set(tracks).size).toBe(tracks.length)
    }
  })

  it('agrees with the neighbouring days on ranks, peak, entry and history', () => {
    const days = ['2026-02-01', '2026-02-02', '2026-02-03', '2026-02-04']
    const charts = days.map((day) => new Map(platB(day).map((row) => [row.platB, row])))
    const [first, second, third, last] = charts
    expect(last?.size).toBe(100)
    for (const [track, row] of last ?? []) {
      expect(row.pre_rank).toBe(third?.get(track)?.rank ?? null)
      expect(row.rankStats.at(-1)).toMatchObject({ rank: row.rank })
      for (const [i, chart] of [first, second, third].entries()) {
        const there = row.rankStats.find(({ timestp }) => timestp.startsWith(days[i] ?? ''))
        expect(there?.rank).toBe(chart?.get(track)?.rank)
        if (there !== undefined) expect(row.peak_rank).toBeLessThanOrEqual(there.rank)
      }
      const before = third?.get(track)
      if (before === undefined) continue
      expect(row.added_at).toBe(before.added_at)
      expect(row.time_on_chart).toBe(Number(before.time_on_chart) + 1)
      expect(row.peak_rank).toBe(Math.min(before.peak_rank, row.rank))
    }
    expect([...(last?.values() ?? [])].some(({ pre_rank }) => pre_rank === null)).toBe(true)
    expect([...(last?.values() ?? [])].some((row) => row.pre_rank !== row.rank)).toBe(true)
  })

  it('that comes back after a day off the chart has no rank of the day before', () => {
    let returned = 0
    for (let day = 2; day <= 28; day++) {
      const date = (of: number) => `2026-01-${String(of).padStart(2, '0')}`
      const before = new Set(platB(date(day - 1)).map((row) => row.platB))
      for (const row of platB(date(day))) {
        expect(row.pre_rank === null).toBe(!before.has(row.platB))
        if (row.pre_rank === null && row.rankStats.length > 1) returned++
      }
    }
    expect(returned).toBeGreaterThan(0)
  })

  it('names no track that is not out yet', () => {
    for (const date of ['2020-01-01', '2021-06-01', '2024-03-03'])
      for (const { release_dates } of platB(date) as unknown as { release_dates: string[] }[])
        if (release_dates[0] !== undefined)
          expect(release_dates[0].slice(0, 10).localeCompare(date)).toBeLessThanOrEqual(0)
  })

  it('is flawed now and then: no track, no artist, arrays of different lengths', () => {
    const rows = [0, 200, 400, 600, 800].flatMap((offset) =>
      rowsOf(sources.platGChart({ today, date: DAY, country_code: 'GLOBAL', offset })),
    )
    expect(rows).toHaveLength(1000)
    const share = (is: (row: Row) => boolean) => rows.filter(is).length / rows.length
    for (const is of [
      (row: Row) => row.cm_track === null,
      (row: Row) => row.cm_artist.length === 0,
      (row: Row) => row.cm_artist.length > 0 && row.cm_artist.length !== row.artist_names.length,
      (row: Row) => row.album_ids.length !== row.album_names.length,
      (row: Row) => row.cm_artist.includes(1),
    ]) {
      expect(share(is)).toBeGreaterThan(0)
      expect(share(is)).toBeLessThan(0.05)
    }
  })

  it('is never flawed in a world without flaws, and the same row otherwise', () => {
    const flawless = createSources(createWorld(1, false))
    const ask = { today, date: DAY, country_code: 'GLOBAL', offset: 0 }
    const [rows, some] = [rowsOf(flawless.platGChart(ask)), rowsOf(sources.platGChart(ask))]
    expect(rows.every((row) => row.cm_artist.length === row.artist_names.length)).toBe(true)
    expect(rows.every((row) => row.album_ids.length === row.album_names.length)).toBe(true)
    expect(rows.every((row) => row.cm_track !== null && row.cm_artist.length > 0)).toBe(true)
    const same = rows.filter((row, i) => JSON.stringify(row) === JSON.stringify(some[i]))
    expect(same.length).toBeGreaterThan(170)
    expect(same.length).toBeLessThan(200)
  })

  it('stamps days with midnight of a western zone, summer and winter', () => {
    const stamp = (date: string) => platB(date)[0]?.rankStats.at(-1)?.timestp
    expect(stamp('2025-04-23')).toBe('2025-04-23T07:00:00.000Z')
    expect(stamp('2025-12-24')).toBe('2025-12-24T08:00:00.000Z')
  })
})

describe('a chart', () => {
  it('of platB has 100 rows of some 60 first artists', () => {
    for (const country of ['US', 'GB', 'DE', 'JP']) {
      const rows = platB('2026-01-15', country)
      expect(rows).toHaveLength(100)
      const first = new Set(rows.map((row) => row.artist_names[0]))
      expect(first.size).toBeGreaterThan(50)
      expect(first.size).toBeLessThan(72)
    }
  })

  it('of platU has 50 rows, of platD up to 500 by limit and offset', () => {
    expect(rowsOf(sources.platUChart({ today, latest: true }))).toHaveLength(50)
    const platD = (offset: number, limit: number) =>
      rowsOf(sources.platDTrackChart({ today, latest: true, offset, limit })).length
    expect([platD(0, 100), platD(450, 100), platD(500, 100)]).toEqual([100, 50, 0])
  })

  it('with an offset alone has pages of its own size, then empty ones', () => {
    const latest = { today, latest: true }
    const pages: [size: number, all: number, page: (offset: number) => object | undefined][] = [
      [
        ...([100, 500] as const),
        (offset) =>
          sources.platAArtistChart({ ...latest, interval: 'daily', type: 'followers', offset }),
      ],
      [
        ...([50, 300] as const),
        (offset) =>
          sources.platEChart({
            ...{ ...latest, country_code: 'GLOBAL', kind: 'top', genre: 'world', offset },
          }),
      ],
      [
        ...([100, 300] as const),
        (offset) => sources.platFChart({ ...latest, genre: 'techno', offset }),
      ],
      [
        ...([200, 1000] as const),
        (offset) => sources.platGChart({ ...latest, country_code: 'US', offset }),
      ],
    ]
    for (const [size, all, page] of pages) {
      const seen: number[] = []
      for (let offset = 0; offset < all; offset += size) {
        const rows = rowsOf(page(offset))
        expect(rows).toHaveLength(size)
        seen.push(...rows.map(({ rank }) => rank))
      }
      expect(seen).toEqual(Array.from({ length: all }, (_, i) => i + 1))
      expect(rowsOf(page(all))).toEqual([])
      expect(rowsOf(page(7))[0]?.rank).toBe(8)
    }
  })

  it('takes yesterday for the latest, and the last Friday on platF', () => {
    const stamp = (rows: Row[]) => rows[0]?.rankStats.at(-1)?.timestp.slice(0, 10)
    expect(stamp(rowsOf(sources.platBChart({ today, latest: true, country_code: 'US' })))).toBe(
      '2026-03-09',
    )
    const platF = sources.platFChart({ today, latest: true, genre: 'techno', offset: 0 })
    expect(stamp(rowsOf(platF))).toBe('2026-03-06')
  })

  it('has no edition of today, of the future or before 2020: 404 on some, no rows on others', () => {
    for (const date of ['2026-03-10', '2027-01-01', '2019-12-31']) {
      const ask = { today, date, country_code: 'US', offset: 0, limit: 10 }
      expect(sources.platBChart(ask)).toBeUndefined()
      expect(sources.platUChart(ask)).toBeUndefined()
      expect(sources.platGChart(ask)).toBeUndefined()
      expect(rowsOf(sources.platDTrackChart(ask))).toEqual([])
      expect(rowsOf(sources.platEChart({ ...ask, kind: 'top', genre: 'latin' }))).toEqual([])
      expect(rowsOf(sources.platFChart({ ...ask, genre: 'techno' }))).toEqual([])
      expect(
        rowsOf(sources.platAArtistChart({ ...ask, interval: 'daily', type: 'followers' })),
      ).toEqual([])
    }
    expect(platB('2020-01-01')).toHaveLength(100)
  })

  it('of platF is empty on a day that is no Friday', () => {
    const on = (date: string) =>
      rowsOf(sources.platFChart({ today, date, genre: 'techno', offset: 0 })).length
    expect([on('2026-03-05'), on('2026-03-06'), on('2026-03-07')]).toEqual([0, 100, 0])
  })

  it('of platG in a city has rows for the cities that it names, and none for GLOBAL', () => {
    const [city = ''] = sources.platGCities({ country_code: 'US' })
    const at = (country_code: string, name: string) =>
      rowsOf(sources.platGChart({ today, latest: true, country_code, city: name, offset: 0 }))
        .length
    expect([at('US', city), at('US', 'Nowhere'), at('GLOBAL', city)]).toEqual([200, 0, 0])
  })
})

describe('the artist chart of platA', () => {
  it('agrees with itself over days, and with the artists', () => {
    interface ArtistRow {
      readonly id: number
      readonly name: string
      readonly rank: number
      readonly change: string | null
      readonly peak_rank: number
      readonly rankStats: readonly { readonly date: string; readonly rank: string }[]
      readonly time_on_chart: number
    }
    const on = (date: string) => {
      const given = sources.platAArtistChart({
        ...{ today, date, interval: 'daily', type: 'monthly_listeners', offset: 0 },
      })
      return given.rows as ArtistRow[]
    }
    const [before, after] = [on('2025-07-01'), on('2025-07-02')]
    const earlier = new Map(before.map((row) => [row.id, row]))
    let moved = 0
    for (const row of after) {
      const past = earlier.get(row.id)
      expect(sources.artist({ id: row.id })).toMatchObject({ name: row.name })
      expect(row.rankStats.at(-1)).toEqual({ date: '2025-07-02', rank: String(row.rank) })
      expect(row.peak_rank).toBeLessThanOrEqual(row.rank)
      if (past === undefined) continue
      expect(row.rankStats.at(-2)).toEqual({ date: '2025-07-01', rank: String(past.rank) })
      expect(row.change).toBe(String(past.rank - row.rank))
      expect(row.time_on_chart).toBe(past.time_on_chart + 1)
      if (past.rank !== row.rank) moved++
    }
    expect(moved).toBeGreaterThan(0)
  })
})
