import { test } from 'vitest'
import { readsCostDistinctKeys } from './zipf.ts'

test('5,000 reads of 500 tracks, few of them asked for often, cost one credit for each that was read', () =>
  readsCostDistinctKeys(5000, 500))
