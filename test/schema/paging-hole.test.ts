import { describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../credits/ask.ts'
import { openScripted } from '../support/gateway.ts'

const PAGE = 'pageInfo { hasNextPage endCursor }'

/** A service whose pages have these rows, one behind the other, however many are asked for. */
const opened = async (pages: readonly (readonly unknown[])[]) => {
  const starts = new Map<number, readonly unknown[]>()
  let start = 0
  for (const rows of pages) {
    starts.set(start, rows)
    start += rows.length
  }
  const run = await openScripted(({ query }) => {
    const offset = Number(query.find(([key]) => key === 'offset')?.[1] ?? 0)
    const data = starts.get(offset) ?? []
    return { body: { obj: { length: data.length, data } } }
  })
  onTestFinished(() => run.close())
  return run
}

const ranked = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, rank: from + at }))

const CHARTS = {
  platF: (page: string) =>
    `{ charts { chart: platF(genre: "techno", ${page}) { nodes { rank } ${PAGE} } } }`,
  platG: (page: string) =>
    `{ charts { chart: platG(countryCode: "US", ${page}) { nodes { rank } ${PAGE} } } }`,
  platE: (page: string) =>
    `{ charts { chart: platE(countryCode: "GLOBAL", kind: TOP, genre: "latin", ${page}) { nodes { rank } ${PAGE} } } }`,
  platAArtists: (page: string) =>
    `{ charts { chart: platAArtists(interval: DAILY, type: FOLLOWERS, ${page}) { nodes { rank } ${PAGE} } } }`,
  platDTracks: (page: string) =>
    `{ charts { chart: platDTracks(${page}) { nodes { rank } ${PAGE} } } }`,
}

/** Pages until the last, and the ranks of all their rows. */
const walk = async (
  { query }: Awaited<ReturnType<typeof opened>>,
  chart: (page: string) => string,
  size: number,
) => {
  const ranks: number[] = []
  const sizes: number[] = []
  let page = `first: ${size}`
  for (;;) {
    const { data, errors } = await query(chart(page))
    expect(errors).toEqual([])
    const { nodes, pageInfo } = data.charts.chart
    ranks.push(...nodes.map(({ rank }: { rank: number }) => rank))
    sizes.push(nodes.length)
    if (!pageInfo.hasNextPage) return { ranks, sizes }
    page = `first: ${size}, after: "${pageInfo.endCursor}"`
  }
}

describe.each(Object.entries(CHARTS))(
  "a chart, whose page size is the service's: %s",
  (_, chart) => {
    test('gives every row once, however many come with each page', async () => {
      for (const size of [7, 50, 200]) {
        const run = await opened([ranked(0, 50), ranked(50, 30), ranked(80, 45)])
        const { ranks, sizes } = await walk(run, chart, size)
        expect(ranks).toEqual(ranked(0, 125).map(({ rank }) => rank))
        expect(sizes.slice(0, -1)).not.toContain(0)
      }
    })

    test('goes on behind rows that cannot be read, though a page of them has none to show', async () => {
      const run = await opened([ranked(0, 2), [null, null], ranked(4, 2)])
      const { ranks, sizes } = await walk(run, chart, 2)
      expect(ranks).toEqual([0, 1, 4, 5])
      expect(sizes).toContain(0)
    })

    test('has no page without rows before its end where the last rows of a page cannot be read', async () => {
      for (const size of [1, 2, 3, 7]) {
        const run = await opened([
          [...ranked(0, 3), null, null],
          [null, ...ranked(6, 2)],
        ])
        const { ranks, sizes } = await walk(run, chart, size)
        expect(ranks).toEqual([0, 1, 2, 6, 7])
        expect(sizes.slice(0, -1)).not.toContain(0)
      }
    })
  },
)

test('a chart ends where nothing can be read, though the service never does', async () => {
  const run = await openScripted(() => ({ body: { obj: { length: 2, data: [null, null] } } }))
  onTestFinished(() => run.close())
  expect((await walk(run, CHARTS.platF, 7)).ranks).toEqual([])
  expect(run.upstream.requests).toHaveLength(10)
})

test('a listing that is never paged ends with its last readable row, and begins with its first', async () => {
  const rows = [null, { id: 1, name: 'Harbour FM' }, null, { id: 3, name: 'Dock FM' }, null]
  const run = await openScripted(() => ({ body: { obj: rows } }))
  onTestFinished(() => run.close())
  const stations = async (page: string) => {
    const { data } = await run.query(
      `{ radioStations(${page}) { nodes { cmId } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } }`,
    )
    const { nodes, pageInfo } = data.radioStations
    return { ids: nodes.map(({ cmId }: { cmId: number }) => cmId), ...pageInfo }
  }
  const first = await stations('first: 1')
  expect(first).toMatchObject({ ids: [1], hasNextPage: true, hasPreviousPage: false })
  const next = await stations(`first: 1, after: "${first.endCursor}"`)
  expect(next).toMatchObject({ ids: [3], hasNextPage: false, hasPreviousPage: true })
  expect(await stations('last: 2')).toMatchObject({ ids: [1, 3], hasPreviousPage: false })
  const last = await stations('last: 1')
  expect(last).toMatchObject({ ids: [3], hasNextPage: false, hasPreviousPage: true })
  const before = await stations(`last: 1, before: "${last.startCursor}"`)
  expect(before).toMatchObject({ ids: [1], hasNextPage: true, hasPreviousPage: false })
})

test('a page with a hole has a row less, and the next one goes on behind it: none costs more than its price', async () => {
  const rows = Array.from({ length: 1500 }, (_, at) => (at === 3 ? null : { cm_track: at + 10 }))
  const run = await openScripted(({ query }) => {
    const { offset, limit } = Object.fromEntries(query)
    const from = Number(offset)
    return { body: { obj: rows.slice(from, from + Number(limit)), offset: from, total: 1500 } }
  })
  onTestFinished(() => run.close())
  const page = async (place: string) => {
    const query = `{ tracksByStat(first: 100${place}) { nodes { track { cmId } } ${PAGE} } }`
    const { data, errors, credits, plan } = await ask(run, query, {
      headers: { 'x-credits-plan': 'report' },
    })
    expect(errors).toEqual([])
    expect(credits.spent).toBe(plan.max)
    const { nodes, pageInfo } = data.tracksByStat
    const ids = nodes.map(({ track }: { track: { cmId: number } }) => track.cmId)
    return { ids, ...pageInfo }
  }
  const first = await page('')
  expect(first.ids).toEqual([10, 11, 12, ...Array.from({ length: 96 }, (_, at) => at + 14)])
  expect(first.hasNextPage).toBe(true)
  const next = await page(`, after: "${first.endCursor}"`)
  expect(next.ids).toEqual(Array.from({ length: 100 }, (_, at) => at + 110))
  expect(run.upstream.requests).toHaveLength(2)
})
