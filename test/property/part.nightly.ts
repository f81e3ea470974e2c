import { it } from 'vitest'
import { gracePreserves, killsAreTold, mintsArePaced, tokensArePresentedOnce } from './course.ts'
import { effortOf } from './effort.ts'
import { linesAreLines, pausesAreBounded, pursesHold } from './part.ts'

const parts = [
  ['a pause is bounded, whatever the headers say', 1_000_000, pausesAreBounded],
  ['a line of the log is one, without a secret', 1_000_000, linesAreLines],
  ['a shared purse is never overrun', 1_000_000, pursesHold],
  ['each refresh token is presented once', 1_000_000, tokensArePresentedOnce],
  ['no kill and no lost answer ends the line of a service with grace', 250_000, gracePreserves],
  [
    'a kill in an exchange loses nothing that was saved, and is told otherwise',
    250_000,
    killsAreTold,
  ],
  ['exchanges of tokens keep their pace', 50_000, mintsArePaced],
] as const

for (const [name, runs, holds] of parts) {
  const { effort, title } = effortOf(runs)
  it(`${name} (${title})`, () => holds(effort))
}
