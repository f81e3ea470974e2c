import { expect, test } from 'vitest'
import type { Answer } from '../../src/upstream/answer.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import { createMemoryShelf } from '../../src/upstream/shelf.ts'

const answerOf = (key: string, bytes: number, kind: Answer['class']): Answer => ({
  key,
  endpoint: artist,
  args: {},
  content: { value: null },
  at: 0,
  freshUntil: 1,
  usableUntil: 1,
  bytes,
  class: kind,
})

test('windows push out windows and no record', () => {
  const shelf = createMemoryShelf(10_000_000)
  shelf.put(answerOf('artist', 10_000, 'record'))
  for (let window = 0; window < 20; window++)
    shelf.put(answerOf(`window ${window}`, 400_000, 'window'))
  expect(shelf.peek('artist')).toBeDefined()
  expect(shelf.peek('window 19')).toBeDefined()
  expect(shelf.peek('window 0')).toBeUndefined()
  expect(shelf.bytes).toBeLessThanOrEqual(10_000_000)
})

test('a single answer takes a twentieth of the bytes, and never more than eight million', () => {
  const small = createMemoryShelf(1_000_000)
  small.put(answerOf('fits', 50_000, 'window'))
  small.put(answerOf('large', 50_001, 'window'))
  expect([small.peek('fits')?.bytes, small.peek('large')]).toEqual([50_000, undefined])
  const wide = createMemoryShelf(1_000_000_000)
  wide.put(answerOf('fits', 8_000_000, 'window'))
  wide.put(answerOf('large', 8_000_001, 'window'))
  expect([wide.peek('fits')?.bytes, wide.peek('large')]).toEqual([8_000_000, undefined])
})

test('ids that do not exist push out at most a tenth', () => {
  const shelf = createMemoryShelf(1_000_000)
  for (let id = 0; id < 100; id++) shelf.put(answerOf(`artist ${id}`, 4000, 'record'))
  for (let id = 0; id < 10_000; id++) shelf.put(answerOf(`guess ${id}`, 800, 'negative'))
  for (let id = 0; id < 100; id++) expect(shelf.peek(`artist ${id}`)).toBeDefined()
  expect(shelf.bytes).toBeLessThanOrEqual(100 * 4000 + 100_000)
})

test('an answer that changes its class leaves the old place', () => {
  const shelf = createMemoryShelf(1_000_000)
  shelf.put(answerOf('track', 800, 'negative'))
  shelf.put(answerOf('track', 4000, 'record'))
  expect(shelf.peek('track')?.class).toBe('record')
  expect(shelf.bytes).toBe(4000)
})
