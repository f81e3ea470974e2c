import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { figure } from '../support/figure.ts'

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

/** Each pattern as it stands in the code. */
const patterns = SOURCES.flatMap((name) => {
  const text = readFileSync(join('src', name), 'utf8')
  return [
    ...text.matchAll(
      /(?<=[(,=:?!\s[|&])\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=[\s,;).\]?:]|$)/gm,
    ),
  ].flatMap(([, body = '', flags = '']) => {
    try {
      return [{ name, pattern: new RegExp(body, flags.replace('y', '')) }]
    } catch {
      return []
    }
  })
})

const UNITS = [
  ...[
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '"',
    "'",
    '\\',
    '-',
    '_',
    '.',
    ',',
    ':',
    '=',
    '/',
    '<',
    '{',
    '[',
  ],
  ...[
    'é',
    '\u{1f3b5}',
    'a ',
    'a,',
    '0.',
    '-0',
    '""',
    '"a"',
    'Bearer ',
    'token:"',
    'x@',
    '\\"',
    'e+',
  ],
]
const ENDS = ['', '!', '\u0000', '"', '0']
const LENGTH = 20_000

const inputs = UNITS.flatMap((unit) =>
  ENDS.map((end) => unit.repeat(Math.floor(LENGTH / unit.length)) + end),
)

/** Milliseconds of the best of three, so that a busy machine does not count. */
const cost = (pattern: RegExp, input: string): number => {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 3 && best > 1; turn += 1) {
    const since = performance.now()
    input.search(pattern)
    best = Math.min(best, performance.now() - since)
  }
  return best
}

/** A pattern that is linear takes less than one here; one that is quadratic takes seconds. */
const TOO_LONG = 100

test('65: every pattern of the code is through with any text of 20 kB at once', () => {
  expect(patterns.length).toBeGreaterThan(40)
  let worst = { ms: 0, what: '' }
  const slow = new Set<string>()
  for (const { name, pattern } of patterns) {
    for (const input of inputs) {
      const ms = cost(pattern, input)
      if (ms > worst.ms) worst = { ms, what: `${name}: ${pattern}` }
      if (ms < TOO_LONG) continue
      slow.add(`${name}: ${pattern}`)
      break
    }
  }
  figure(
    `65: ${patterns.length} patterns on ${inputs.length} texts of 20 kB; the slowest took ${worst.ms.toFixed(1)} ms (${worst.what})`,
  )
  expect([...slow]).toEqual([])
}, 120_000)
