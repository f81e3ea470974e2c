import { expect, test } from 'vitest'
import { openRun } from '../support/run.ts'
import { ask, priceOf } from './ask.ts'

test.each([0, 3])('events of venues in a listing, %d of each, are in the price', async (first) => {
  const run = await openRun({ sandbox: { flawedRows: false } })
  try {
    const query = `{ venues(first: 2) { nodes { venue { events(first: ${first}) { nodes { name } } } } } }`
    const { min, max } = await priceOf(run, query)
    const { errors, credits } = await ask(run, query)
    expect(errors).toEqual([])
    expect([min, credits.spent, max]).toEqual([1, 3, 3])
    expect(run.meter.credits).toBe(3)
  } finally {
    await run.close()
  }
})
