import { test } from 'vitest'
import { idleEndsFailNobody } from './idle.ts'

test('N14: 10,000 calls over connections that end while idle fail no client', () =>
  idleEndsFailNobody(10_000))
