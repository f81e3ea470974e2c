import { describe, test } from 'vitest'
import { faultsAreCounted, limitsHold, limitsHoldAtOnce } from './strain.ts'

/** The same cases with every commit; SEED and RUNS draw others. */
const runs = Number(process.env.RUNS ?? 150)
const seed = Number(process.env.SEED ?? 20_260_310)
const effort = { runs, seed }
/** Fifty operations each. */
const few = { runs: Math.ceil(runs / 10), seed }

describe(`any operations under strain (SEED=${seed} RUNS=${runs})`, {
  timeout: 60_000 + runs * 2000,
}, () => {
  test('never pass their limit, and say of everything missing that it was not bought', () =>
    limitsHold(effort))

  test('never pass their limits, fifty of them at once', () => limitsHoldAtOnce(few))

  test('spend what the meter shows, whatever goes wrong', () => faultsAreCounted(effort))
})
