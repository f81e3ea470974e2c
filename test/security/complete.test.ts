import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The rows of the list; each is named by a test, or waits for what it is about. */
const ROWS = Array.from({ length: 69 }, (_, at) => at + 1)
const OF_LATER: Readonly<Record<number, string>> = {
  42: 'a value in Redis that somebody edited: there is no Redis yet',
  43: 'Redis without TLS or password: there is no Redis yet',
}

const NAMED = /\btest(?:\.each\((?:[^`]*?)\))?\(\s*'(\d+(?:, \d+)*): /g
const NOT_RUN = /\b(?:test|describe|it)\.(?:skip|skipIf|runIf|todo|only|fails)\b/

const rowsIn = (source: string) =>
  [...source.matchAll(NAMED)].flatMap(([, numbers = '']) => numbers.split(', ').map(Number))

const folder = new URL('.', import.meta.url)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'complete.test.ts')
  .map((name) => ({ name, source: readFileSync(new URL(name, folder), 'utf8') }))

test('every row of the list is named by a test, or says what it waits for', () => {
  const named = new Set(files.flatMap(({ source }) => rowsIn(source)))
  const waiting = Object.keys(OF_LATER).map(Number)
  expect(ROWS.filter((row) => !named.has(row))).toEqual(waiting)
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
