import { afterEach, expect, test } from 'vitest'
import { ask, priceOf } from '../credits/ask.ts'
import { openScripted } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

const IDS = Array.from({ length: 20 }, (_, at) => at + 10)
const TRACKS = `query ($ids: [Int!]!) { artists(cmIds: $ids) { cmId tracks(first: 3) {
  nodes { track { cmId } } pageInfo { hasNextPage } } } }`

test('twenty artists with their tracks cost one credit, and give what each alone gives', async () => {
  const run = await openRun()
  open.push(run)
  const { data, errors, credits } = await run.query(TRACKS, { ids: IDS })
  expect(errors).toEqual([])
  expect(credits.spent).toBe(1)
  expect(credits.savedBy.batched).toBe(19)
  expect(run.meter.credits).toBe(1)
  const cold = await openRun()
  open.push(cold)
  for (const [at, id] of IDS.entries()) {
    const alone = await cold.query(TRACKS, { ids: [id] })
    expect(alone.data.artists[0]).toEqual(data.artists[at])
  }
})

const rowBy = (artistId: number, track: number) => ({
  cm_track: track,
  name: `Track ${track}`,
  artist: [{ id: artistId, name: `Artist ${artistId}` }],
  album: [],
})

test('an artist whom the shared window leaves wanting is asked for alone', async () => {
  const run = await openScripted(({ query }) => {
    const artists = query.filter(([name]) => name === 'artists[]').map(([, id]) => Number(id))
    if (artists.length === 1)
      return {
        body: {
          obj: [rowBy(artists[0] ?? 0, 900), rowBy(artists[0] ?? 0, 901)],
          offset: 0,
          total: 2,
        },
      }
    const rows = Array.from({ length: 1000 }, (_, at) => rowBy(2, at + 1))
    return { body: { obj: rows, offset: 0, total: 5000 } }
  })
  open.push(run)
  const { data, errors, credits } = await run.query(
    '{ artists(cmIds: [2, 3]) { tracks(first: 2) { nodes { track { cmId } } } } }',
  )
  expect(errors).toEqual([])
  expect(data.artists.map(({ tracks }: { tracks: unknown }) => tracks)).toEqual([
    { nodes: [{ track: { cmId: 1 } }, { track: { cmId: 2 } }] },
    { nodes: [{ track: { cmId: 900 } }, { track: { cmId: 901 } }] },
  ])
  expect(credits.spent).toBe(2)
  expect(run.upstream.requests).toHaveLength(2)
})

test.each([
  ['is whole', 12, () => true],
  ['is cut', 40_000, () => true],
  ['was cut before rows were left out', 40_000, (at: number) => at % 7 > 1],
  ['has rows that nobody can read', 40_000, () => true],
])('pages go on behind the rows of a shared window that %s', async (name, total, isKept) => {
  const isUnreadable = (at: number) => name.endsWith('read') && at % 5 === 1
  const run = await openScripted(({ query }) => {
    const artists = query.filter(([key]) => key === 'artists[]').map(([, id]) => Number(id))
    const numberOf = (key: string) => Number(query.find(([other]) => other === key)?.[1])
    const all = Array.from({ length: total }, (_, at) => at).filter((at) =>
      artists.includes((at % 4) + 2),
    )
    const some = all.slice(numberOf('offset'), numberOf('offset') + numberOf('limit'))
    const rows = some
      .filter(isKept)
      .map((at) => (isUnreadable(at) ? null : rowBy((at % 4) + 2, at)))
    return { body: { obj: rows, offset: numberOf('offset'), total: all.length } }
  })
  open.push(run)
  const page = '{ edges { cursor node { track { cmId } } } }'
  const { data, errors } = await run.query(
    `{ artists(cmIds: [2, 3]) { tracks(first: 2) ${page} } }`,
  )
  expect(errors).toEqual([])
  for (const [at, artist] of [2, 3].entries()) {
    const seen = data.artists[at].tracks.edges
    const last = seen.at(-1)?.cursor
    const { data: behind } = await run.query(
      `{ artist(cmId: ${artist}) { tracks(first: 150, after: "${last}") ${page} } }`,
    )
    const own = Array.from({ length: total }, (_, row) => row).filter(
      (row) => (row % 4) + 2 === artist && isKept(row) && !isUnreadable(row),
    )
    const ids = [...seen, ...behind.artist.tracks.edges].map(({ node }) => node.track.cmId)
    expect(ids).toEqual(own.slice(0, 152))
  }
})

test.each([
  // The last of these has no tracks.
  ['tells all', 12, 0, [2, 3, 4, 7]],
  ['tells some', 2_400, 2, [2, 3, 4]],
])(
  "behind a shared window that %s of %i tracks, each artist's further, wider and last pages cost %i",
  async (_, total, each, cmIds) => {
    const opened = () =>
      openScripted(({ query }) => {
        const artists = query.filter(([key]) => key === 'artists[]').map(([, id]) => Number(id))
        const numberOf = (key: string) => Number(query.find(([other]) => other === key)?.[1])
        const all = Array.from({ length: total }, (_, at) => rowBy((at % 4) + 2, at)).filter(
          ({ artist: [by] }) => artists.includes(by?.id ?? 0),
        )
        const offset = numberOf('offset')
        return {
          body: { obj: all.slice(offset, offset + numberOf('limit')), offset, total: all.length },
        }
      })
    const [run, cold] = [await opened(), await opened()]
    open.push(run, cold)
    const fields =
      '{ totalCount nodes { track { cmId } } pageInfo { hasNextPage hasPreviousPage endCursor } }'
    const { data, credits } = await run.query(
      `{ artists(cmIds: [${cmIds}]) { tracks(first: 1) { pageInfo { endCursor } } } }`,
    )
    expect(credits.spent).toBe(1)
    for (const [at, artist] of cmIds.entries()) {
      const { endCursor } = data.artists[at].tracks.pageInfo
      const further = endCursor === null ? [] : [`first: 1, after: "${endCursor}"`]
      let spent = 0
      for (const page of [...further, 'first: 200', 'first: 3', 'last: 2']) {
        const text = `{ artist(cmId: ${artist}) { tracks(${page}) ${fields} } }`
        const { min } = await priceOf(run, text)
        const given = await ask(run, text)
        expect([given.errors, given.credits.spent]).toEqual([[], min])
        expect(given.data).toEqual((await cold.query(text)).data)
        spent += given.credits.spent
      }
      expect(spent).toBe(each)
    }
  },
)

test('a total that the shared window does not tell is asked for only where it is selected', async () => {
  const run = await openScripted(({ query }) => {
    const artists = query.filter(([name]) => name === 'artists[]').map(([, id]) => Number(id))
    const rows = Array.from({ length: 1000 }, (_, at) => rowBy((at % 2) + 2, at + 1))
    const own = rows.filter(({ artist }) => artists.includes(artist[0]?.id ?? 0))
    return { body: { obj: own, offset: 0, total: artists.length === 1 ? 4000 : 8000 } }
  })
  open.push(run)
  const text = (field: string) => `{ artists(cmIds: [2, 3]) { tracks(first: 2) { ${field} } } }`
  expect((await run.query(text('nodes { score }'))).credits.spent).toBe(1)
  const { data, credits } = await run.query(text('totalCount'))
  expect(data.artists[1].tracks.totalCount).toBe(4000)
  expect(credits.spent).toBe(2)
})

test('where rows of the shared window name none of the artists, each of these is asked for alone', async () => {
  const run = await openScripted(({ query }) => {
    const artists = query.filter(([name]) => name === 'artists[]').map(([, id]) => Number(id))
    const rows = Array.from({ length: 6 }, (_, at) => rowBy((at % 2) + 2, at + 1))
    const own = rows.filter(({ artist }) => artists.includes(artist[0]?.id ?? 0))
    const obj = own.map((row) => (row.cm_track < 3 ? { ...row, artist: [] } : row))
    return { body: { obj, offset: 0, total: own.length } }
  })
  open.push(run)
  const text = 'tracks(first: 2) { totalCount nodes { track { cmId } } }'
  const { data, errors, credits } = await run.query(`{ artists(cmIds: [2, 3]) { ${text} } }`)
  expect(errors).toEqual([])
  expect(data.artists.map(({ tracks }: { tracks: unknown }) => tracks)).toEqual([
    { totalCount: 3, nodes: [{ track: { cmId: 1 } }, { track: { cmId: 3 } }] },
    { totalCount: 3, nodes: [{ track: { cmId: 2 } }, { track: { cmId: 4 } }] },
  ])
  expect(credits.spent).toBe(3)
})
