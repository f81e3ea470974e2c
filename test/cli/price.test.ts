import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { priceCommand } from '../../src/cli/price.ts'

const folderOf = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'refrain-price-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const CHART = `query Chart { charts { platB(countryCode: "US", first: 20) { nodes { rank track { name } } } } }`
const DEARER = CHART.replace('track { name }', 'track { name durationMs }')
const ARTIST = `query Artist($id: Int!) { artist(cmId: $id) { ...Page premium { platDTopVideos } } }`
const FRAGMENT = 'fragment Page on Artist { name careerStatus { stage } }'

describe('refrain price', () => {
  test('prices the operations of a folder, with fragments of other files', () => {
    const folder = folderOf({
      'chart.graphql': CHART,
      'pages/artist.graphql': ARTIST,
      'pages/fragment.graphql': FRAGMENT,
      'variables.json': '{"Artist":{"id":5}}',
    })
    const { code, text } = priceCommand([
      folder,
      '--variables',
      join(folder, 'variables.json'),
      '--json',
    ])
    expect(code).toBe(0)
    expect(
      JSON.parse(text).operations.map(
        ({ name, plan }: { name: string; plan: { min: number; max: number } }) => [
          name,
          plan.min,
          plan.max,
        ],
      ),
    ).toEqual([
      ['Chart', 1, 1],
      ['Artist', 3, 3],
    ])
  })

  test('fails where an operation may cost more than it may', () => {
    const folder = folderOf({ 'chart.graphql': DEARER })
    expect(priceCommand([folder, '--max', '21']).code).toBe(0)
    const { code, text } = priceCommand([folder, '--max', '20'])
    expect(code).toBe(1)
    expect(text).toContain('Chart may cost 21 credits, more than 20')
  })

  test('fails where an operation became dearer, and names the path that caused it', () => {
    const before = folderOf({ 'chart.graphql': CHART })
    const after = folderOf({ 'chart.graphql': DEARER })
    const { code, text } = priceCommand([after, '--base', before])
    expect(code).toBe(1)
    expect(text).toContain(
      'Chart may cost 21 credits in place of 1: charts.platB.nodes.track (track) +20',
    )
    expect(priceCommand([before, '--base', after]).code).toBe(0)
  })

  test('does not price what is no operation of the schema, or lacks its variables', () => {
    const wrong = folderOf({ 'a.graphql': 'query A { nobody }', 'b.graphql': 'query {' })
    const { code, text } = priceCommand([wrong])
    expect(code).toBe(2)
    expect(text).toContain('Cannot query field "nobody" on type "Query"')
    expect(text).toContain('Syntax Error')
    const open = folderOf({ 'artist.graphql': `${ARTIST} ${FRAGMENT}` })
    expect(priceCommand([open])).toEqual({
      code: 2,
      text: expect.stringContaining('its variables need values'),
    })
  })
})

test('the built command prints a table and ends as it says', async () => {
  const folder = folderOf({ 'chart.graphql': DEARER })
  await new Promise((resolve) => execFile('npm', ['run', '--silent', 'build'], resolve))
  const ended = await new Promise<{ code: unknown; out: string }>((resolve) =>
    execFile('node', ['dist/cli/main.js', 'price', folder, '--max', '5'], (error, out) =>
      resolve({ code: error?.code, out }),
    ),
  )
  expect(ended.code).toBe(1)
  expect(ended.out).toMatch(/^operation +min +likely +max +what it asks for\nChart +1 +3 +21 /)
}, 60_000)
