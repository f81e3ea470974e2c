import { test } from 'vitest'
import { readsCostDistinctKeys } from './zipf.ts'

test('100,000 reads of 10,000 tracks, few of them asked for often, cost one credit for each that was read', () =>
  readsCostDistinctKeys(100_000, 10_000))
