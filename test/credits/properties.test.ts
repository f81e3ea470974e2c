import { describe, test } from 'vitest'
import { answersStay, pricesBound, valuesPriceAlike } from './property.ts'

const runs = Number(process.env.RUNS ?? 150)
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const effort = { runs, seed }

describe(`any operations, without faults (SEED=${seed} RUNS=${runs})`, {
  timeout: 60_000 + runs * 500,
}, () => {
  test('cost what their price says: at least min, at most max, and what the meter shows', () =>
    pricesBound(effort))

  test('get the same answer from a cold, a warm and a half-warm gateway', () => answersStay(effort))

  test('have one price, whether their values stand in the document or beside it', () =>
    valuesPriceAlike(effort))
})
