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
