import { expect, onTestFinished, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'

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
