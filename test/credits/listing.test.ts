import { describe, expect, onTestFinished, test } from 'vitest'
import { SIZE } from '../../src/sandbox/world/size.ts'
import { createWorld } from '../../src/sandbox/world.ts'
import { openGateway } from '../support/gateway.ts'
import { run } from '../support/run.ts'
import { ask, DAY, HOUR, handClock, priceOf } from './ask.ts'

const flawless = { sandbox: { flawedRows: false, rotation: 'none' } } as const

/** Artists with the most tracks, so that a window of 1,000 rows cannot hold those of a hundred. */
const prolific = (count: number): number[] => {
  const { tracks } = createWorld(1, false)
  const counts = new Map<number, number>()
  for (let id = 0; id < SIZE.tracks; id++)
    if (tracks.versions(id).includes('original'))
      for (const artist of tracks.artists(id)) counts.set(artist, (counts.get(artist) ?? 0) + 1)
  counts.delete(1)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, count)
    .map(([id]) => id)
}

const tracksOf = (cmIds: readonly number[]) => `{ artists(cmIds: [${cmIds}]) {
  cmId tracks(first: 10) { nodes { score track { cmId name } } pageInfo { hasNextPage } } } }`

describe('3: 20 artists × 10 tracks', () => {
  test('cost 1 credit when the window is complete', async () => {
    const opened = await run(flawless)
    const artists = prolific(20)
    const price = await priceOf(opened, tracksOf(artists))
    const { data, errors, credits } = await ask(opened, tracksOf(artists))
    expect(errors).toEqual([])
    for (const { tracks } of data.artists) expect(tracks.nodes).toHaveLength(10)
    expect(credits.spent).toBe(1)
    expect(opened.meter.credits).toBe(1)
    expect(opened.meter.requests[0]?.path).toContain('artists[]=')
    expect(credits.savedBy.batched).toBe(19)
    expect(price.min).toBeLessThanOrEqual(1)
    expect(price.max).toBeGreaterThanOrEqual(1)
    expect((await ask(opened, tracksOf(artists))).credits.spent).toBe(0)
  })

  test('otherwise cost 1 + the number of starved parents, and give what each artist alone would get', async () => {
    const opened = await run(flawless)
    const artists = prolific(100)
    const { data, errors, credits } = await ask(opened, tracksOf(artists))
    expect(errors).toEqual([])

    const [shared, ...others] = opened.meter.requests
    expect(shared?.path).toContain('limit=1000')
    const { token } = await (
      await fetch(`${opened.url}/api/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"refreshtoken":"seed"}',
      })
    ).json()
    const { obj, total } = await (
      await fetch(`${opened.url}${shared?.path}`, { headers: { authorization: `Bearer ${token}` } })
    ).json()
    expect(total).toBeGreaterThan(1000)
    const rowsOf = (artist: number) =>
      obj.filter((row: { artist: { id: number }[] }) => row.artist.some(({ id }) => id === artist))
    // Ten rows are a page, the eleventh shows that more follows.
    const starved = artists.filter((artist) => rowsOf(artist).length <= 10)
    expect(starved.length).toBeGreaterThan(5)
    expect(starved.length).toBeLessThan(95)
    expect(credits.spent).toBe(1 + starved.length)
    expect(others).toHaveLength(starved.length)
    expect(credits.savedBy).toMatchObject({ hydrated: 1000, batched: 99 - starved.length })

    const alone = openGateway(opened.url)
    onTestFinished(() => alone.gateway.close())
    for (const [at, artist] of artists.entries()) {
      const { data: own } = await ask(alone, tracksOf([artist]))
      expect(data.artists[at], `artist ${artist}`).toEqual(own.artists[0])
    }
  })
})

describe('4: paging 1,000 playlists by 50', () => {
  const page = `query ($after: String) { playlists(platform: PLAT_B, first: 50, after: $after) {
    edges { position node { cmId } } pageInfo { hasNextPage endCursor } } }`
  interface Edge {
    readonly position: number
    readonly node: { readonly cmId: string }
  }
  const read = async (opened: Awaited<ReturnType<typeof run>>, pages: number, from?: string) => {
    const edges: Edge[] = []
    let after = from ?? null
    for (let at = 0; at < pages; at++) {
      const { data, errors } = await ask(opened, page, { variables: { after } })
      expect(errors).toEqual([])
      edges.push(...data.playlists.edges)
      after = data.playlists.pageInfo.endCursor
    }
    return { edges, after: after ?? '' }
  }

  test('costs 2 credits at most, and pages never overlap or skip', async () => {
    const opened = await run()
    const { edges } = await read(opened, 20)
    const first = edges[0]?.position ?? 0
    expect(edges.map(({ position }) => position)).toEqual(
      Array.from({ length: 1000 }, (_, at) => first + at),
    )
    expect(new Set(edges.map(({ node }) => node.cmId)).size).toBe(1000)
    expect(opened.meter.credits).toBe(2)
  })

  test.each([
    ['while it is renewed behind the page', 7 * HOUR],
    ['once it is bought anew', 2 * DAY],
  ])('cursors survive a refresh of the window, %s', async (_, later) => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const opened = await run({ clock })
    const before = await read(opened, 10)
    const bought = opened.meter.credits
    advance(later)
    const behind = await read(opened, 10, before.after)
    const first = before.edges[0]?.position ?? 0
    expect([...before.edges, ...behind.edges].map(({ position }) => position)).toEqual(
      Array.from({ length: 1000 }, (_, at) => first + at),
    )
    expect(bought).toBe(2)
    expect(opened.meter.credits).toBe(3)
  })
})

describe('a page from the end', () => {
  const venues = (args: string) =>
    `{ venues(${args}) { totalCount edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor } } }`

  test('needs only what tells the total where no row is wanted', async () => {
    const opened = await run(flawless)
    const price = await priceOf(opened, venues('last: 0'))
    const { data, credits } = await ask(opened, venues('first: 0, last: 0'))
    expect(data.venues).toEqual({
      totalCount: SIZE.venues,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null },
    })
    expect([price.min, credits.spent, price.max]).toEqual([1, 1, 1])
  })

  test('costs what its price says, with and without cursors around it', async () => {
    const opened = await run(flawless)
    const { data } = await ask(opened, venues('first: 200'))
    const cursors: string[] = data.venues.edges.map(({ cursor }: { cursor: string }) => cursor)
    const places = [`before: "${cursors[150]}"`, `after: "${cursors[150]}"`, '']
    for (const place of places)
      for (const last of [0, 3, 120, 250]) {
        const fresh = openGateway(opened.url)
        onTestFinished(() => fresh.gateway.close())
        const query = venues(`last: ${last}, ${place}`)
        for (const how of ['cold', 'warm']) {
          const { min, max } = await priceOf(fresh, query)
          const { errors, credits } = await ask(fresh, query)
          expect(errors, query).toEqual([])
          expect(credits.spent, `${how} ${query}`).toBeGreaterThanOrEqual(min)
          expect(credits.spent, `${how} ${query}`).toBeLessThanOrEqual(max)
        }
      }
  })
})

describe('an answer that holds another', () => {
  test.each([
    [
      'one bucket of a search, where all are held',
      '{ search(query: "river") { artists { nodes { cmId name } } tracks { nodes { name } } } }',
      '{ search(query: "river") { artists { nodes { cmId name } } } }',
    ],
    [
      'a chart without its peaks, where it is held with them',
      '{ charts { platE(countryCode: "US", kind: TOP, genre: "techno", first: 4) { nodes { rank peakRank } } } }',
      '{ charts { platE(countryCode: "US", kind: TOP, genre: "techno", first: 4) { nodes { rank } } } }',
    ],
  ])('serves for it: %s', async (_, wide, narrow) => {
    const opened = await run(flawless)
    await ask(opened, wide)
    expect(await priceOf(opened, narrow)).toMatchObject({ min: 0, max: 0 })
    const served = await ask(opened, narrow)
    expect(served.credits).toMatchObject({ spent: 0, savedBy: { cache: 1 } })
    expect(opened.meter.credits).toBe(1)
    const alone = await run(flawless)
    expect(served.data).toEqual((await ask(alone, narrow)).data)
  })
})
