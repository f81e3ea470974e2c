import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const POINTS = 200

test('every point of the list of 200 is named by a test', () => {
  const folder = new URL('.', import.meta.url)
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'complete.test.ts')
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const named = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/'(\d+(?:, \d+)*): /g)].flatMap(([, numbers = '']) =>
        numbers.split(', ').map(Number),
      ),
    ),
  )
  const missing = Array.from({ length: POINTS }, (_, at) => at + 1).filter((at) => !named.has(at))
  expect(missing).toEqual([])
})

test('the points that are read in another way are explained', () => {
  const readings = readFileSync(new URL('../../docs/readings.md', import.meta.url), 'utf8')
  for (const point of [60, 70, 71, 110, 127]) expect(readings).toContain(`- Point ${point}: `)
})
