import { describe, expect, test } from 'vitest'
import { run } from '../support/run.ts'
import { ask, DAY, HOUR, handClock, priceOf } from './ask.ts'

describe('8: temporal keys', () => {
  // On Tuesday the 10th, the newest daily chart is of the 9th, the newest weekly one of Friday the 6th.
  test.each([
    ['platAArtists', 'interval: DAILY, type: FOLLOWERS', '2026-03-09'],
    ['platB', 'countryCode: "US"', '2026-03-09'],
    ['platF', 'genre: "techno"', '2026-03-06'],
  ])(
    'two clients of %s, one with latest and one with that date, pay once',
    async (chart, args, date) => {
      const { clock } = handClock('2026-03-10T12:00:00Z')
      const opened = await run({ clock, sandbox: { flawedRows: false } })
      const query = (edition: string) =>
        `{ charts { ${chart}(${args}${edition}, first: 100) { nodes { rank rankHistory { date rank } } } } }`
      const latest = await ask(opened, query(''))
      expect(latest.credits.spent).toBe(1)
      const { price, dated } = {
        price: await priceOf(opened, query(`, date: "${date}"`)),
        dated: await ask(opened, query(`, date: "${date}"`)),
      }
      expect(price.max).toBe(0)
      expect(dated.errors).toEqual([])
      expect(dated.credits.spent).toBe(0)
      expect(dated.data).toEqual(latest.data)
      expect(opened.meter.credits).toBe(1)
    },
  )

  test('the latest chart lasts until the next is published, by the rhythm of its platform', async () => {
    // A Tuesday; the day of a weekly chart is a Friday, and either comes when its day is over.
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const opened = await run({ clock, sandbox: { flawedRows: false } })
    const daily = '{ charts { platB(countryCode: "US") { nodes { rankHistory { date } name } } } }'
    const weekly = '{ charts { platF(genre: "techno") { nodes { rankHistory { date } name } } } }'
    const spentOn = async (query: string) => (await ask(opened, query)).credits.spent
    const first = await ask(opened, daily)
    expect(first.credits.spent).toBe(1)
    expect(await spentOn(weekly)).toBe(1)
    expect(first.headers.get('cache-control')).toBe(`public, max-age=${12 * 3600}`)
    advance(12 * HOUR - 1)
    expect([await spentOn(daily), await spentOn(weekly)]).toEqual([0, 0])
    // What is past its life serves for an hour more while it is renewed.
    advance(1 + HOUR)
    const next = await ask(opened, daily)
    expect(next.credits.spent).toBe(1)
    expect(next.data).not.toEqual(first.data)
    expect(next.headers.get('cache-control')).toBe(`public, max-age=${23 * 3600}`)
    advance(2 * DAY)
    expect(await spentOn(weekly)).toBe(0)
    // Saturday the 14th, an hour in.
    advance(DAY)
    expect(await spentOn(weekly)).toBe(1)
  })

  test('a closed date is never fetched again', async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const opened = await run({ clock })
    const closed =
      '{ charts { platB(countryCode: "US", date: "2025-06-06") { nodes { rank name } } } }'
    const first = await ask(opened, closed)
    expect(first.credits.spent).toBe(1)
    for (const days of [1, 30, 1000]) {
      advance(days * DAY)
      expect((await priceOf(opened, closed)).max).toBe(0)
      const again = await ask(opened, closed)
      expect(again.data).toEqual(first.data)
      expect(again.credits.spent).toBe(0)
      expect(again.credits.stale).toBeUndefined()
    }
    expect(opened.meter.credits).toBe(1)
  })

  test('a date that is not settled, or has no edition, is fetched again', async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const opened = await run({ clock })
    const of = (date: string) =>
      `{ charts { platB(countryCode: "US", date: "${date}") { nodes { rank } } } }`
    await ask(opened, of('2026-03-09'))
    await ask(opened, of('2026-04-01'))
    expect(opened.meter.credits).toBe(2)
    advance(30 * DAY)
    expect((await ask(opened, of('2026-03-09'))).credits.spent).toBe(1)
    const published = await ask(opened, of('2026-04-01'))
    expect(published.credits.spent).toBe(1)
    expect(published.data.charts.platB.nodes.length).toBeGreaterThan(0)
  })
})

test('a settled day of a chart tells nothing of what things are called now', async () => {
  const { clock } = handClock('2026-03-10T12:00:00Z')
  const opened = await run({ clock, sandbox: { flawedRows: false } })
  const chart = (date: string) =>
    `{ charts { platB(countryCode: "US", date: "${date}") { nodes { track { cmId isrc name } } } } }`
  const numbers = async (date: string): Promise<number[]> =>
    (await ask(opened, chart(date))).data.charts.platB.nodes.map(
      ({ track }: { track: { cmId: number } }) => track.cmId,
    )
  const past = await numbers('2024-06-06')
  const newest = await numbers('2026-03-09')
  const gone = past.find((cmId) => !newest.includes(cmId))
  const now = (cmId: number | undefined) => `{ track(cmId: ${cmId}) { isrc name } }`
  expect((await priceOf(opened, now(gone))).min).toBe(1)
  expect((await ask(opened, now(gone))).credits.spent).toBe(1)
  expect((await ask(opened, now(newest[0]))).credits.spent).toBe(0)
})

describe('9: at zero balance', () => {
  test('reads keep working from stale data with age shown; no request leaves the process', async () => {
    const { clock, advance } = handClock('2026-03-10T00:30:00Z')
    const opened = await run({ clock, env: { CREDITS_PER_DAY: '3' } })
    const query = `{ artist(cmId: 5) { name rank } track(cmId: 7) { name durationMs }
      search(query: "river") { artists { nodes { name } } } }`
    const fresh = await ask(opened, query)
    expect(fresh.errors).toEqual([])
    expect(fresh.credits).toMatchObject({
      spent: 3,
      budget: { limit: 3, remaining: 0 },
      stretch: 3,
    })
    const { data: told } = await ask(opened, '{ credits { burnRate { stretch } } }')
    expect(told).toEqual({ credits: { burnRate: { stretch: 3 } } })

    advance(20 * HOUR)
    const requests = opened.meter.requests.length
    const { data, errors, credits, headers } = await ask(opened, query)
    expect(errors).toEqual([])
    expect(data).toEqual(fresh.data)
    expect(credits.spent).toBe(0)
    expect(credits.stale?.map(({ path, reason }) => [path.join('.'), reason]).sort()).toEqual([
      ['artist', 'CREDIT_BUDGET_EXHAUSTED'],
      ['search.artists', 'CREDIT_BUDGET_EXHAUSTED'],
      ['track', 'CREDIT_BUDGET_EXHAUSTED'],
    ])
    for (const { age } of credits.stale ?? []) expect(age).toBe(20 * 3600)
    expect(headers.get('age')).toBe(String(20 * 3600))
    expect(opened.meter.requests).toHaveLength(requests)

    const unheld = await ask(opened, '{ artist(cmId: 6) { name } track(cmId: 7) { name } }')
    expect(unheld.data).toEqual({ artist: null, track: { name: fresh.data.track.name } })
    expect(unheld.errors).toMatchObject([
      { path: ['artist'], extensions: { code: 'CREDIT_BUDGET_EXHAUSTED', credits: 1 } },
    ])
    expect(opened.meter.requests).toHaveLength(requests)

    advance(4 * HOUR)
    const { credits: next } = await ask(opened, query)
    expect(next).toMatchObject({ spent: 3, budget: { limit: 3, remaining: 0 } })
    expect(next.stale).toBeUndefined()
  })
})

describe('10: a forbidden premium endpoint', () => {
  const rows = (
    first: number,
  ) => `{ artists(cmIds: [${Array.from({ length: 8 }, (_, at) => first + at)}]) {
    cmId premium { platNAudienceStats } } }`

  test('is paid for once per TTL, not once per row', async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const opened = await run({ clock })
    opened.sandbox.faults.inject('artistPlatNAudienceStats', { status: 403 })
    const { data, errors, credits } = await ask(opened, rows(5))
    expect(data.artists).toHaveLength(8)
    expect(errors).toHaveLength(8)
    for (const { extensions } of errors) expect(extensions.code).toBe('UPSTREAM_FORBIDDEN')
    expect(opened.meter.requests).toHaveLength(1)
    expect(credits.spent).toBe(2)

    expect((await ask(opened, rows(100))).credits.spent).toBe(0)
    advance(9 * 60_000)
    expect((await ask(opened, rows(200))).credits.spent).toBe(0)
    advance(2 * 60_000)
    expect((await ask(opened, rows(5))).credits.spent).toBe(2)
    expect(opened.meter.credits).toBe(4)
  })

  test('is remembered across operations: one after another, they pay for it once per TTL', async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const opened = await run({ clock })
    opened.sandbox.faults.inject('artistPlatNAudienceStats', { status: 403 })
    const one = (cmId: number) => `{ artist(cmId: ${cmId}) { premium { platNAudienceStats } } }`
    for (const cmId of [5, 6, 7, 8]) {
      const { errors } = await ask(opened, one(cmId))
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_FORBIDDEN' } }])
    }
    expect(opened.meter.credits).toBe(2)
    advance(11 * 60_000)
    for (const cmId of [5, 6, 7, 8]) await ask(opened, one(cmId))
    expect(opened.meter.credits).toBe(4)
  })
})
