import { test } from 'vitest'
import { EVERY_COMMIT, effortOf } from './effort.ts'
import { bytesAreTakenAsTheyAre } from './wire.ts'

const { effort, title } = effortOf(2_000, EVERY_COMMIT)

test(
  `any bytes as an answer are told in words of the contract, and charged as asked (${title})`,
  {
    timeout: 60_000 + effort.numRuns * 100,
  },
  () => bytesAreTakenAsTheyAre(effort),
)
