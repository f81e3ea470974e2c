import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The rows of the list; each is named by a test. */
const ROWS = Array.from({ length: 69 }, (_, at) => at + 1)

const NAMED = /\btest(?:\.each\((?:[^`]*?)\))?\(\s*'(\d+(?:, \d+)*): /g
const NOT_RUN = /\b(?:test|describe|it)\.(?:skip|skipIf|runIf|todo|only|fails)\b/

const rowsIn = (source: string) =>
  [...source.matchAll(NAMED)].flatMap(([, numbers = '']) => numbers.split(', ').map(Number))

const folder = new URL('.', import.meta.url)
const files = readdirSync(folder)
  .filter((name) => /\.(test|redis)\.ts$/.test(name) && name !== 'complete.test.ts')
  .map((name) => ({ name, source: readFileSync(new URL(name, folder), 'utf8') }))

test('every row of the list is named by a test', () => {
  const named = new Set(files.flatMap(({ source }) => rowsIn(source)))
  expect(ROWS.filter((row) => !named.has(row))).toEqual([])
  expect([...named].filter((row) => !ROWS.includes(row))).toEqual([])
})

test('no test of a row is left out of the run', () => {
  expect(files.filter(({ source }) => NOT_RUN.test(source)).map(({ name }) => name)).toEqual([])
})

test('a row counts where a test is named by it, alone or in a list, and nowhere else', () => {
  expect(rowsIn("test('7: a', f)\n  test('8, 19: b', f)")).toEqual([7, 8, 19])
  expect(rowsIn("test.each([\n  ['x'],\n])('51: c %s', f)")).toEqual([51])
  expect(rowsIn("const a = '9: no'\ntest('all of 5: no', f)")).toEqual([])
})
