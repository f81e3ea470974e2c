import { test } from 'vitest'
import { documentsLeaveNothing, keysAreTurnedAway } from './crowd.ts'

test(
  '38: 10,000 wrong keys leave memory bounded and an honest client served',
  () => keysAreTurnedAway(10_000),
  300_000,
)

test(
  '60: 100,000 random documents leave memory bounded and honest questions answered',
  () => documentsLeaveNothing(100_000),
  900_000,
)
