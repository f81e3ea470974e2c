import { describe, it } from 'vitest'
import { gracePreserves, killsAreTold, mintsArePaced, tokensArePresentedOnce } from './course.ts'
import { EVERY_COMMIT, effortOf } from './effort.ts'
import { linesAreLines, pausesAreBounded, pursesHold } from './part.ts'

const parts = [
  ['a pause is bounded, whatever the headers say', 2_000, pausesAreBounded],
  ['a line of the log is one, without a secret', 2_000, linesAreLines],
  ['a shared purse is never overrun', 2_000, pursesHold],
  ['each refresh token is presented once', 2_000, tokensArePresentedOnce],
  ['no kill and no lost answer ends the line of a service with grace', 1_000, gracePreserves],
  [
    'a kill in an exchange loses nothing that was saved, and is told otherwise',
    1_000,
    killsAreTold,
  ],
  ['exchanges of tokens keep their pace', 50, mintsArePaced],
] as const

describe('any course of events', () => {
  for (const [name, runs, holds] of parts) {
    const { effort, title } = effortOf(runs, EVERY_COMMIT)
    it(`${name} (${title})`, { timeout: 60_000 + effort.numRuns * 100 }, () => holds(effort))
  }
})
