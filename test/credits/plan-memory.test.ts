import { expect, test } from 'vitest'
import { heapInMb } from '../support/heap.ts'
import { run as openRun } from '../support/run.ts'
import { type Answered, ask, type Wanted } from './ask.ts'

/** Megabytes by which the heap grows with the runs from `settled` to `last`, none of which may fail. */
const growthOf = async (
  query: string,
  wanted: (at: number) => Wanted,
  settled: number,
  last: number,
  look: (answered: Answered) => void = ({ errors }) => expect(errors).toEqual([]),
): Promise<number> => {
  // A megabyte of the ten is for what is kept of runs: some forty charts with their artists.
  const run = await openRun({ env: { CACHE_MAX_MB: '10' }, sandbox: { flawedRows: false } })
  const askUntil = async (from: number, to: number) => {
    for (let at = from; at < to; at++) look(await ask(run, query, wanted(at)))
    return heapInMb()
  }
  const before = await askUntil(0, settled)
  return (await askUntil(settled, last)) - before
}

const dayAt = (at: number): string => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10)

test('what is kept of runs is bounded, however many requests each of them needed', async () => {
  const chart =
    'query Chart($day: Date!) { charts { platB(countryCode: "US", date: $day, first: 100) { nodes { artistCredits { artist { score } } } } } }'
  const growth = await growthOf(chart, (at) => ({ variables: { day: dayAt(at) } }), 50, 550)
  expect(growth).toBeLessThan(10)
})

test('nor does it matter how long what they were asked with is', async () => {
  // One client's words, in the arguments of sixty requests of each run; other variables, so that each run is kept.
  const query = `query Words($words: JSON, $most: Int!) {
    charts { platB(countryCode: "US", date: "2025-06-06", first: 60) { nodes { artistCredits { artist {
      premium { platNAudienceStats(params: $words) } } } } } }
    artistsByStat(stat: PLAT_A_FOLLOWERS, min: 1, max: 100000000, first: $most) { nodes { artist { cmId } } } }`
  const words = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `word${at}`,
      at % 2 === 0 ? 'y'.repeat(600) : Array.from({ length: 40 }, () => at % 10),
    ]),
  )
  const headers = { 'x-credits-limit': '1000' }
  const growth = await growthOf(
    query,
    (at) => ({ variables: { words, most: 1 + at }, headers }),
    9,
    59,
    ({ data, errors }) => expect([errors, data.charts.platB.nodes.length]).toEqual([[], 60]),
  )
  expect(growth).toBeLessThan(10)
})

test('nor how much is sent along', async () => {
  const query = `query Along($day: Date!, $along: JSON) { charts { platB(countryCode: "US", date: $day, first: 1) { nodes {
    artistCredits { artist { score premium @include(if: false) { platNAudienceStats(params: $along) } } } } } } }`
  const along = Array.from({ length: 25_000 }, () => ({}))
  const growth = await growthOf(query, (at) => ({ variables: { day: dayAt(at), along } }), 1, 41)
  expect(growth).toBeLessThan(5)
})
