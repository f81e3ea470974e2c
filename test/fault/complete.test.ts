import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = (letter: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${letter}${at + 1}`)
/** The rows of the faults by what they befall: token, rate, network, cache, budget and server. */
const ROWS = Object.entries({ T: 17, R: 10, N: 15, C: 8, B: 9, S: 8 }).flatMap(([letter, count]) =>
  rows(letter, count),
)
/** Those that several processes have in common through Redis. */
const SHARED = ['R4', 'B3', 'B4', 'B5', 'B6', 'B9']

const ROW = /\btest(?:\.each(?:<[^`]*?>)?\((?:[^`]*?)\))?\(\s*'([A-Z]\d+(?:, [A-Z]\d+)*): /g
const NOT_RUN = /\b(?:test|describe|it)\.(?:skip|skipIf|runIf|todo|only|fails)\b/

const rowsIn = (source: string) =>
  [...source.matchAll(ROW)].flatMap(([, named = '']) => named.split(', '))

const folder = new URL('.', import.meta.url)
const sources = readdirSync(folder)
  .filter((name) => /\.(test|redis)\.ts$/.test(name) && name !== 'complete.test.ts')
  .map((name) => ({ name, source: readFileSync(new URL(name, folder), 'utf8') }))
const named = (suite: string) =>
  sources.filter(({ name }) => name.endsWith(suite)).flatMap(({ source }) => rowsIn(source))

test('every row is named by a test, and those of one process by one that needs no Redis', () => {
  expect(ROWS.filter((row) => !named('.ts').includes(row))).toEqual([])
  const own = ROWS.filter((row) => !SHARED.includes(row))
  expect(own.filter((row) => !named('.test.ts').includes(row))).toEqual([])
  expect(named('.ts').filter((row) => !ROWS.includes(row))).toEqual([])
})

test('no test of a row is left out of the run', () => {
  expect(sources.filter(({ source }) => NOT_RUN.test(source)).map(({ name }) => name)).toEqual([])
})

test('a row counts where a test is named by it, and nowhere else', () => {
  expect(rowsIn("test('T7: a', f)\n  test('T5, T6: b', f)")).toEqual(['T7', 'T5', 'T6'])
  expect(rowsIn("test.each<[string, Wrong]>([\n  ['x', f()],\n])('N4: c %s', f)")).toEqual(['N4'])
  expect(rowsIn("const a = 'N1: no'\ntest('all of N1: no', f)")).toEqual([])
})
