import { test } from 'vitest'
import { documentsLeaveNothing, keysAreTurnedAway } from './crowd.ts'

/** A busy machine takes five milliseconds for each. */
const PATIENCE_MS = 3 * 3_600_000

test('38: 100,000 wrong keys leave memory bounded and an honest client served', () =>
  keysAreTurnedAway(100_000))

test(
  '60: a million random documents leave memory bounded and honest questions answered',
  () => documentsLeaveNothing(1_000_000),
  PATIENCE_MS,
)
