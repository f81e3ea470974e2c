import { test } from 'vitest'
import { effortOf } from './effort.ts'
import { bytesAreTakenAsTheyAre } from './wire.ts'

const { effort, title } = effortOf(1_000_000)

test(`any bytes as an answer are told in words of the contract, and charged as asked (${title})`, () =>
  bytesAreTakenAsTheyAre(effort))
