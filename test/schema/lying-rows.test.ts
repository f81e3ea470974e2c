import { expect, onTestFinished, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'

const COUNT = 400
/** More digits than a double holds, and a name that looks like the bounds of rows. */
const rowOf = (id: number) =>
  `{"id":${id},"name":"Dock },{\\"${id}\\"},{","followers":9007199254740993,"genre":"paper,lights","image_url":"https://img.example.invalid/${id}.jpg"}`

/** Playlists whose rows are these texts, however many are asked for. */
const opened = async (rows: readonly string[]) => {
  const run = await openScripted(({ query }) => {
    const of = (name: string) => Number(query.find(([key]) => key === name)?.[1])
    const some = rows.slice(of('offset'), of('offset') + of('limit'))
    return { text: `{"obj":[${some.join()}],"offset":${of('offset')},"total":${rows.length}}` }
  })
  onTestFinished(() => run.close())
  return run
}

const page = (after: string | null) =>
  `{ playlists(platform: PLAT_B, first: 50${after === null ? '' : `, after: "${after}"`}) {
    nodes { cmId name followers } totalCount pageInfo { hasNextPage endCursor } } }`

const walk = async ({ query }: Awaited<ReturnType<typeof opened>>) => {
  const nodes: { cmId: string; name: string; followers: string }[] = []
  let spent = 0
  for (let after: string | null = null; ; ) {
    const { data, errors, credits } = await query(page(after))
    expect(errors).toEqual([])
    nodes.push(...data.playlists.nodes)
    spent += credits.spent
    const { hasNextPage, endCursor } = data.playlists.pageInfo
    if (!hasNextPage) return { nodes, spent }
    after = endCursor
  }
}

test('rows of a wide window are read page by page, and are those that came', async () => {
  const run = await opened(Array.from({ length: COUNT }, (_, id) => rowOf(id)))
  const { nodes, spent } = await walk(run)
  expect(spent).toBe(2)
  expect(nodes).toEqual(
    Array.from({ length: COUNT }, (_, id) => ({
      cmId: String(id),
      name: `Dock },{"${id}"},{`,
      followers: '9007199254740993',
    })),
  )
})

test('a row that is no JSON, or lacks its number, is left out, and counted once', async () => {
  const rows = Array.from({ length: COUNT }, (_, id) => rowOf(id))
  rows[120] = '{"id":120,"name":oops}'
  rows[250] = '{"name":"of no number"}'
  const run = await opened(rows)
  for (const again of [0, 1]) {
    const { nodes, spent } = await walk(run)
    expect(spent).toBe(again === 0 ? 2 : 0)
    expect(nodes).toHaveLength(COUNT - 2)
    expect(nodes.map(({ cmId }) => cmId)).not.toContain('120')
  }
  expect(Object.fromEntries(run.gateway.upstream.drift.counts)).toEqual({ 'playlistsPlatB.row': 2 })
})

test('a wide answer of which the beginning is no JSON is refused as a whole', async () => {
  const run = await opened(['{id:0}', ...Array.from({ length: COUNT }, (_, id) => rowOf(id))])
  const { errors } = await run.query(page(null))
  expect(errors[0]?.extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
  expect(errors[0]?.message).toContain('not JSON')
})
