import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ask, naive, priceOf } from './credits/ask.ts'
import { openScripted } from './support/gateway.ts'

interface Case {
  readonly name: string
  readonly response: { readonly status: number; readonly body: unknown }
}

const responseOf = (file: string, name: string) => {
  const text = readFileSync(new URL(`fixtures/${file}.json`, import.meta.url), 'utf8')
  const { cases }: { cases: readonly Case[] } = JSON.parse(text)
  const found = cases.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${file}.json has no case ${name}`)
  return found.response
}

const opened = async (...script: Parameters<typeof openScripted>) => {
  const run = await openScripted(...script)
  const maxAge = async (query: string) => {
    const response = await run.gateway.yoga.fetch('http://gateway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    await response.text()
    return Number(/max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1])
  }
  return { ...run, maxAge }
}

describe('an answer', () => {
  test.each([
    ['artist', 'obj-null', '{ artist(cmId: 3999) { name } }'],
    ['artist', 'obj-empty-object', '{ artist(cmId: 3998) { name } }'],
    ['artist', 'not-found-404', '{ artist(cmId: 2147483647) { name } }'],
    ['search', 'empty', '{ search(query: "zzzzqx") { artists { nodes { name } } } }'],
    [
      'search',
      'empty',
      '{ search(query: "zzzzqx") { artists { nodes { name } } tracks { nodes { name } } } }',
    ],
    ['venue-events', 'venue-unknown', '{ venue(cmId: "0") { name } }'],
    ['venue-list', 'empty', '{ venues(filter: { search: "zzzz" }) { nodes { venueType } } }'],
    [
      'artist-stat-list',
      'no-match-string',
      '{ artistsByStat(stat: PLAT_A_FOLLOWERS, min: 1, max: 2) { nodes { rank } } }',
    ],
    [
      'chart-platF',
      'not-the-weekly-day',
      '{ charts { platF(genre: "techno", date: "2026-01-03") { nodes { rank } } } }',
    ],
  ])(
    'of %s.json, %s, is kept for minutes only where there is nothing: %s',
    async (file, name, query) => {
      const run = await opened(() => responseOf(file, name))
      const life = await run.maxAge(query)
      await run.close()
      expect(life).toBeGreaterThan(0)
      expect(life).toBeLessThanOrEqual(300)
    },
  )

  test.each([
    ['artist', 'base', '{ artist(cmId: 3301) { name } }'],
    ['search', 'single-type', '{ search(query: "paper") { artists { nodes { name } } } }'],
  ])(
    'of %s.json, %s, is kept for longer where there is something: %s',
    async (file, name, query) => {
      const run = await opened(() => responseOf(file, name))
      const life = await run.maxAge(query)
      await run.close()
      expect(life).toBeGreaterThan(300)
    },
  )
})

describe('an artist whose data is being rebuilt', () => {
  const PARTIAL = '{ artist(cmId: 3301, allowPartial: true) { name } }'

  test('is kept for minutes only', async () => {
    const run = await opened(() => responseOf('artist', 'partial-data'))
    const life = await run.maxAge(PARTIAL)
    await run.close()
    expect(life).toBeGreaterThan(0)
    expect(life).toBeLessThanOrEqual(300)
  })

  test('is asked for once more without the header after a 406', async () => {
    const run = await opened((_seen, count) =>
      responseOf('artist', count === 1 ? 'partial-data-unavailable-406' : 'base'),
    )
    const { data, errors } = await run.query(PARTIAL)
    const asked = run.upstream.requests.map((seen) => seen.headers['x-accept-partial-data'])
    await run.close()
    expect(errors).toEqual([])
    expect(data).toEqual({ artist: { name: 'The Paper Lanterns' } })
    expect(asked).toEqual(['true', undefined])
  })

  test('is asked for without it as long as a 406 is remembered, by whoever asks', async () => {
    const replies = [
      responseOf('artist', 'partial-data-unavailable-406'),
      { status: 500 },
      { status: 500 },
      responseOf('artist', 'base'),
    ]
    const run = await opened((_seen, count) => replies[count - 1] ?? { status: 500 })
    const failed = await run.query(PARTIAL)
    const bought = await run.query(PARTIAL)
    const again = `{ other: ${PARTIAL.slice(1)}`
    const held = [await run.query(again), await run.query(PARTIAL), await run.query(again)]
    const asked = run.upstream.requests.map((seen) => seen.headers['x-accept-partial-data'])
    await run.close()
    expect(failed.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }])
    expect(bought).toMatchObject({ errors: [], data: { artist: { name: 'The Paper Lanterns' } } })
    expect(bought.credits.spent).toBe(1)
    for (const { errors, data, credits } of held) {
      expect([errors, credits.spent]).toEqual([[], 0])
      expect(Object.values(data)).toEqual([{ name: 'The Paper Lanterns' }])
    }
    expect(asked).toEqual(['true', undefined, undefined, undefined])
  })

  test('costs two credits at most, and what it costs again', async () => {
    const run = await opened(({ headers }) =>
      'x-accept-partial-data' in headers
        ? responseOf('artist', 'partial-data-unavailable-406')
        : responseOf('artist', 'base'),
    )
    const whole = 'whole: artist(cmId: 3301) { name }'
    const both = `{ ${whole} ${PARTIAL.slice(1)}`
    const prices = [await priceOf(run, PARTIAL), await priceOf(run, both)]
    const first = await ask(run, PARTIAL)
    const [after, again, beside] = [
      await priceOf(run, PARTIAL),
      await ask(run, PARTIAL),
      await priceOf(run, both),
    ]
    await run.close()
    expect(prices).toMatchObject([
      { min: 1, likely: 1, max: 2 },
      { min: 2, likely: 2, max: 2 },
    ])
    expect([first.errors, first.credits.spent, naive(first)]).toEqual([[], 2, 2])
    expect(after).toMatchObject({ min: 0, likely: 0, max: 0 })
    expect([again.errors, again.credits.spent, naive(again)]).toEqual([[], 0, 2])
    expect(beside).toMatchObject({ min: 0, likely: 0, max: 0 })
  })

  test('fails with the refusal of the whole record, where that is refused alike', async () => {
    const refused = responseOf('artist', 'partial-data-unavailable-406')
    const run = await opened(() => refused)
    const all = [await run.query(PARTIAL), await run.query(PARTIAL)]
    const asked = run.upstream.requests.length
    await run.close()
    for (const { errors } of all)
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_REJECTED' } }])
    expect(asked).toBe(2)
  })
})

test('a short page of playlists ends early, and the next goes on in the wide window, no row twice, while the total says more', async () => {
  const run = await opened(({ query }) => {
    const { offset, limit } = Object.fromEntries(query)
    const from = Number(offset)
    const obj = [0, 2, 101]
      .filter((at) => at >= from && at < from + Number(limit))
      .map((at) => ({ position: at + 1, id: at + 1, name: `List ${at + 1}` }))
    return { body: { obj, offset: from, total: 102 } }
  })
  const ask = async (after = '') => {
    const { data } = await run.query(
      `{ playlists(platform: PLAT_B, first: 100${after}) { pageInfo { hasNextPage endCursor } edges { node { cmId } } } }`,
    )
    const { pageInfo, edges } = data.playlists
    const ids = edges.map(({ node }: { node: { cmId: string } }) => node.cmId)
    return { ids, more: pageInfo.hasNextPage, end: pageInfo.endCursor }
  }
  const first = await ask()
  expect(first).toMatchObject({ ids: ['1', '3'], more: true })
  expect(await ask(`, after: "${first.end}"`)).toMatchObject({ ids: ['102'], more: false })
  const windows = run.upstream.requests.map(({ query }) => Object.fromEntries(query))
  await run.close()
  expect(windows.map(({ offset, limit }) => [offset, limit])).toEqual([
    ['0', '100'],
    ['0', '1000'],
  ])
})
