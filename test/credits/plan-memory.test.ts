import { expect, test } from 'vitest'
import { heapInMb } from '../support/heap.ts'
import { openRun } from '../support/run.ts'
import { ask } from './ask.ts'

const CHART =
  'query Chart($day: Date!) { charts { platB(countryCode: "US", date: $day, first: 100) { nodes { artistCredits { artist { score } } } } } }'

test('what is kept of runs is bounded, however many requests each of them needed', async () => {
  // A megabyte of the ten is for it: some forty charts with their artists.
  const run = await openRun({ env: { CACHE_MAX_MB: '10' }, sandbox: { flawedRows: false } })
  const askDays = async (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const day = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10)
      const { errors } = await ask(run, CHART, { variables: { day } })
      expect(errors).toEqual([])
    }
    return heapInMb()
  }
  try {
    const before = await askDays(0, 50)
    expect((await askDays(50, 550)) - before).toBeLessThan(10)
  } finally {
    await run.close()
  }
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
      at % 2 === 0 ? 'y'.repeat(600) : Array.from({ length: 100 }, () => at % 10),
    ]),
  )
  const run = await openRun({ env: { CACHE_MAX_MB: '10' }, sandbox: { flawedRows: false } })
  const askPages = async (from: number, to: number) => {
    for (let most = from; most < to; most++) {
      const { data } = await ask(run, query, {
        variables: { words, most },
        headers: { 'x-credits-limit': '1000' },
      })
      expect(data.charts.platB.nodes).toHaveLength(60)
    }
    return heapInMb()
  }
  try {
    const before = await askPages(1, 10)
    expect((await askPages(10, 60)) - before).toBeLessThan(10)
  } finally {
    await run.close()
  }
})

test('nor how much is sent along', async () => {
  const query = `query Along($day: Date!, $along: JSON) { charts { platB(countryCode: "US", date: $day, first: 1) { nodes {
    artistCredits { artist { score premium @include(if: false) { platNAudienceStats(params: $along) } } } } } } }`
  const run = await openRun({ env: { CACHE_MAX_MB: '10' }, sandbox: { flawedRows: false } })
  const askDays = async (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const day = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10)
      const along = Array.from({ length: 25_000 }, () => ({}))
      const { errors } = await ask(run, query, { variables: { day, along } })
      expect(errors).toEqual([])
    }
    return heapInMb()
  }
  try {
    const before = await askDays(0, 1)
    expect((await askDays(1, 41)) - before).toBeLessThan(5)
  } finally {
    await run.close()
  }
})
