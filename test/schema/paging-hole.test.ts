import { expect, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'

test('a page with a hole is filled from the window behind, and repeats no row', async () => {
  const rows = Array.from({ length: 1500 }, (_, at) => (at === 3 ? null : { cm_track: at + 10 }))
  const run = await openScripted(({ query }) => {
    const { offset, limit } = Object.fromEntries(query)
    const from = Number(offset)
    return { body: { obj: rows.slice(from, from + Number(limit)), offset: from, total: 1500 } }
  })
  const { data, errors } = await run.query(
    '{ tracksByStat(first: 100) { nodes { track { cmId } } } }',
  )
  expect(errors).toEqual([])
  const ids = data.tracksByStat.nodes.map((node: { track: { cmId: number } }) => node.track.cmId)
  expect(ids).toEqual([10, 11, 12, ...Array.from({ length: 97 }, (_, at) => at + 14)])
  expect(run.upstream.requests).toHaveLength(2)
  await run.close()
})
