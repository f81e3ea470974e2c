import { gracePreserves, killsAreTold, mintsArePaced, tokensArePresentedOnce } from './course.ts'
import { linesAreLines, pausesAreBounded, pursesHold } from './part.ts'

/** Properties of single parts, each with how often it is tried with every commit, and by night. */
export const PARTS = [
  ['a pause is bounded, whatever the headers say', 2_000, 1_000_000, pausesAreBounded],
  ['a line of the log is one, without a secret', 2_000, 1_000_000, linesAreLines],
  ['a shared purse is never overrun', 2_000, 1_000_000, pursesHold],
  ['each refresh token is presented once', 2_000, 1_000_000, tokensArePresentedOnce],
  [
    'no kill and no lost answer ends the line of a service with grace',
    1_000,
    250_000,
    gracePreserves,
  ],
  [
    'a kill in an exchange loses nothing that was saved, and is told otherwise',
    1_000,
    250_000,
    killsAreTold,
  ],
  ['exchanges of tokens keep their pace', 50, 50_000, mintsArePaced],
] as const
