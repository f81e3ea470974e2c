import { describe, test } from 'vitest'
import { answersStay, pricesBound, valuesPriceAlike } from './property.ts'

/** The same operations with every commit; `npm run nightly` draws others, and more. */
const seed = Number(process.env.SEED ?? 20_260_310)
const few = Number(process.env.RUNS ?? 100)

describe(`any operations, without faults (SEED=${seed} RUNS=${few})`, {
  timeout: 60_000 + few * 1_000,
}, () => {
  test('cost what their price says: at least min, at most max, and what the meter shows', () =>
    pricesBound({ runs: few, seed }))

  test('get the same answer from a cold, a warm and a half-warm gateway', () =>
    answersStay({ runs: few, seed }))

  test('have one price, whether their values stand in the document or beside it', () =>
    valuesPriceAlike({ runs: 20 * few, seed }))
})
