import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const POINTS = Array.from({ length: 200 }, (_, at) => at + 1)
const NAMED = /\btest(?:\.each\([^`]*?\]\))?\(\s*'(\d+(?:, \d+)*): /g
const NOT_RUN = /\b(?:test|describe|it)\.(?:skip|skipIf|runIf|todo|only|fails)\b/

const pointsIn = (source: string) =>
  [...source.matchAll(NAMED)].flatMap(([, numbers = '']) => numbers.split(', ').map(Number))

const folder = new URL('.', import.meta.url)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'complete.test.ts')
  .map((name) => ({ name, source: readFileSync(new URL(name, folder), 'utf8') }))

test('every point of the list of 200 is named by a test', () => {
  const named = new Set(files.flatMap(({ source }) => pointsIn(source)))
  expect(POINTS.filter((point) => !named.has(point))).toEqual([])
  expect([...named].filter((point) => !POINTS.includes(point))).toEqual([])
})

test('no test of a point is left out of the run', () => {
  expect(files.filter(({ source }) => NOT_RUN.test(source)).map(({ name }) => name)).toEqual([])
})

test('a point counts where a test is named by it, alone or in a list, and nowhere else', () => {
  expect(pointsIn("test('7: a', f)\n  test('8, 19: b', f)")).toEqual([7, 8, 19])
  expect(pointsIn("test.each([\n  ['x'],\n])('51: c %s', f)\ntest(\n  '52: d', f)")).toEqual([
    51, 52,
  ])
  expect(pointsIn("const a = '9: no'\ntest('1..20: no', f)\ntest('all of 5: no', f)")).toEqual([])
})

test('the points that are read in another way are explained', () => {
  const readings = readFileSync(new URL('../../docs/readings.md', import.meta.url), 'utf8')
  for (const point of [5, 60, 70, 71, 89, 110, 123, 127, 137])
    expect(readings).toContain(`- Point ${point}: `)
})
