import { expect, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'

test('the latest chart and the chart of its day are paid for once', async () => {
  const run = await openRun()
  const text = (date: string) =>
    `{ charts { platB(countryCode: "US"${date}) { nodes { rank rankHistory { date } } } } }`
  const latest = await run.query(text(''))
  const days = latest.data.charts.platB.nodes[0].rankHistory.map(
    ({ date }: { date: string }) => date,
  )
  const dated = await run.query(text(`, date: "${days.sort().at(-1)}"`))
  expect(dated.data).toEqual(latest.data)
  expect(dated.credits.spent).toBe(0)
  expect(run.meter.credits).toBe(1)
  await run.close()
})

test('a chart whose rows do not agree on a day is not taken for that of any', async () => {
  const row = (rank: number, day: string) => ({
    id: rank,
    rank,
    rankStats: [{ rank, timestp: day }],
  })
  const run = await openScripted(() => ({
    body: { obj: { length: 2, data: [row(1, '2026-01-02'), row(2, '2026-01-01')] } },
  }))
  await run.query('{ charts { platU { nodes { rank } } } }')
  await run.query('{ charts { platU(date: "2026-01-02") { nodes { rank } } } }')
  expect(run.upstream.requests.map(({ query }) => query)).toEqual([
    [['latest', 'true']],
    [['date', '2026-01-02']],
  ])
  await run.close()
})
