import { describe, it } from 'vitest'
import { EVERY_COMMIT, effortOf } from './effort.ts'
import { PARTS } from './parts.ts'

describe('any course of events', () => {
  for (const [name, runs, , holds] of PARTS) {
    const { effort, title } = effortOf(runs, EVERY_COMMIT)
    it(`${name} (${title})`, { timeout: 60_000 + effort.numRuns * 100 }, () => holds(effort))
  }
})
