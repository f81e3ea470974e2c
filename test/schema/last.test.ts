import { expect, onTestFinished, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import { run } from '../support/run.ts'

/** A listing of so many playlists, of which the service tells no total. */
const open = async (count: number) => {
  const opened = await openScripted(({ query }) => {
    const numberOf = (name: string) => Number(query.find(([key]) => key === name)?.[1] ?? 0)
    const offset = numberOf('offset')
    const rows = Array.from({ length: count }, (_, at) => ({ id: at, name: `Evenings ${at}` }))
    return { body: { obj: rows.slice(offset, offset + numberOf('limit')), offset } }
  })
  onTestFinished(() => opened.close())
  const read = async (page: string) => {
    const { data, errors, credits } = await opened.query(`{ playlists(platform: PLAT_B, ${page}) {
      edges { cursor node { cmId } } totalCount pageInfo { hasNextPage hasPreviousPage } } }`)
    const edges: { cursor: string; node: { cmId: string } }[] = data.playlists?.edges ?? []
    return {
      ids: edges.map(({ node }) => Number(node.cmId)),
      cursors: edges.map(({ cursor }) => cursor),
      ...data.playlists?.pageInfo,
      totalCount: data.playlists?.totalCount,
      codes: errors.map(({ extensions }) => extensions.code),
      spent: credits.spent,
    }
  }
  return read
}

test('the last of a listing without a total are told where its first window is all of it', async () => {
  const read = await open(45)
  const last = await read('last: 3')
  expect(last).toMatchObject({ ids: [42, 43, 44], codes: [], spent: 1, totalCount: null })
  expect(last).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  expect(await read(`last: 3, before: "${last.cursors[0]}"`)).toMatchObject({ ids: [39, 40, 41] })
  expect(await read(`last: 3, after: "${last.cursors[1]}"`)).toMatchObject({ ids: [44], codes: [] })
  const all = await read('last: 100')
  expect(all).toMatchObject({ codes: [], spent: 0, hasNextPage: false, hasPreviousPage: false })
  expect(all.ids).toHaveLength(45)
})

test('they are an error where it is not', async () => {
  const read = await open(100)
  expect(await read('last: 3')).toMatchObject({
    ids: [],
    codes: ['UPSTREAM_BAD_RESPONSE'],
    spent: 1,
  })
  expect(await read('last: 0')).toMatchObject({ ids: [], codes: [] })
})

test.each([
  ['a listing by its total', 'playlists(platform: PLAT_B, '],
  ['a listing in one answer', 'radioStations(countryCode: "US", '],
])('pages of %s between two cursors end there, whichever way they go', async (_, field) => {
  const opened = await run({ sandbox: { flawedRows: false } })
  const read = async (page: string) => {
    const { data, errors } = await opened.query(`{ listing: ${field} ${page}) {
      edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`)
    expect(errors).toEqual([])
    const { edges, pageInfo } = data.listing
    return { cursors: edges.map(({ cursor }: { cursor: string }) => cursor), ...pageInfo }
  }
  const { cursors } = await read('first: 12')
  expect(cursors).toHaveLength(12)
  const [after, , , , , , , until] = cursors
  const inside = cursors.slice(1, 7)
  const walk = async (isBack: boolean) => {
    const seen: string[] = []
    let place = isBack ? until : after
    for (let pages = 1; ; pages++) {
      expect(pages).toBeLessThan(9)
      const page = await read(
        isBack
          ? `last: 3, before: "${place}", after: "${after}"`
          : `first: 3, after: "${place}", before: "${until}"`,
      )
      if (isBack) seen.unshift(...page.cursors)
      else seen.push(...page.cursors)
      if (!(isBack ? page.hasPreviousPage : page.hasNextPage)) return seen
      place = isBack ? page.startCursor : page.endCursor
    }
  }
  expect(await walk(false)).toEqual(inside)
  expect(await walk(true)).toEqual(inside)
  const none = await read(`first: 3, after: "${inside[0]}", before: "${inside[1]}"`)
  expect(none).toMatchObject({ cursors: [], hasNextPage: false })
  const nowhere = { cursors: [], startCursor: null, endCursor: null }
  for (const size of ['first: 3', 'last: 3', 'first: 0', 'last: 0'])
    for (const before of [inside[1], inside[0], after])
      expect(await read(`${size}, after: "${inside[0]}", before: "${before}"`)).toMatchObject(
        nowhere,
      )
})
