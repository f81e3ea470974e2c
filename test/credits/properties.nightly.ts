import { describe, test } from 'vitest'
import { answersStay, pricesBound, valuesPriceAlike } from './property.ts'
import { faultsAreCounted, limitsHold, limitsHoldAtOnce } from './strain.ts'

const runs = Number(process.env.RUNS ?? 3000)
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const effort = { runs, seed }
/** Nothing is sent for a price: of two for each operation, there are a million. */
const CHEAP = 170

describe(`any operations, all night (SEED=${seed} RUNS=${runs})`, () => {
  test('cost what their price says', () => pricesBound(effort))
  test('get the same answer from a cold, a warm and a half-warm gateway', () => answersStay(effort))
  test('have one price, wherever their values stand', () =>
    valuesPriceAlike({ runs: CHEAP * runs, seed }))
  test('never pass their limit', () => limitsHold(effort))
  test('never pass their limits, fifty of them at once', () =>
    limitsHoldAtOnce({ runs: Math.ceil(runs / 10), seed }))
  test('spend what the meter shows, whatever goes wrong', () => faultsAreCounted(effort))
})
