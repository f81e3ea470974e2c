import { expect, test } from 'vitest'
import { Passing } from '../src/passing.ts'
import { collect } from './support/heap.ts'

const WEIGHT = 10_000
const PRESENT = 16

/** Megabytes that are left of 4,000 values that came and went, once the young ones were looked through. */
const left = (present: {
  set(key: number, value: object): unknown
  delete(key: number): boolean
}): number => {
  const value = () => ({ of: Array.from({ length: WEIGHT / 8 }, (_, at) => at + 0.5) })
  const pass = (from: number, to: number) => {
    for (let key = from; key < to; key++) {
      present.set(key, value())
      present.delete(key - PRESENT)
    }
  }
  pass(0, 1_000)
  collect()
  const before = process.memoryUsage().heapUsed
  pass(1_000, 5_000)
  for (let round = 0; round < 3; round++) collect({ type: 'minor' })
  return (process.memoryUsage().heapUsed - before) / 1_000_000
}

test('what comes and goes does not grow old, as it does in a plain Map', () => {
  expect(left(new Passing<number, object>())).toBeLessThan(3)
  expect(left(new Map())).toBeGreaterThan(6)
})

test('it holds what has not left, in the order in which it came', () => {
  const present = new Passing<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    present.set(key, value)
  expect(present.delete('b')).toBe(true)
  expect(present.delete('b')).toBe(false)
  expect([present.has('b'), present.get('b'), present.get('c'), present.size]).toEqual([
    false,
    undefined,
    3,
    2,
  ])
  expect([...present.values()]).toEqual([1, 3])
})
