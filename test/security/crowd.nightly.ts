import { test } from 'vitest'
import { documentsLeaveNothing, keysAreTurnedAway } from './crowd.ts'

test('100,000 wrong keys leave memory bounded and an honest client served', () =>
  keysAreTurnedAway(100_000))

test('a million random documents leave memory bounded and honest questions answered', () =>
  documentsLeaveNothing(1_000_000))
