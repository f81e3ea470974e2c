import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { priceCommand } from '../../src/cli/price.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const folderOf = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'refrain-price-'))
  folders.push(folder)
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

interface Told {
  readonly name: string
  readonly plan: { readonly min: number; readonly max: number }
}
const prices = (text: string) =>
  JSON.parse(text).operations.map(({ name, plan }: Told) => [name, plan.min, plan.max])

describe('refrain price', () => {
  test('prices the operations of a folder, with fragments of other files', () => {
    const folder = folderOf({
      'chart.graphql': CHART,
      'pages/artist.graphql': ARTIST,
      'pages/fragment.gql': FRAGMENT,
      'schema.graphql': 'type Query { other: Int }',
      'readme.md': 'query {',
      'variables.json': '{"Artist":{"id":5}}',
    })
    const variables = join(folder, 'variables.json')
    const { code, text } = priceCommand([folder, '--variables', variables, '--json'])
    expect(code).toBe(0)
    expect(prices(text)).toEqual([
      ['Chart', 1, 1],
      // Who does not exist has no premium answers.
      ['Artist', 1, 3],
    ])
  })

  test('shows for each operation which field causes how many requests', () => {
    const folder = folderOf({
      'a.graphql': `query Page { artists(cmIds: [5, 6, 7]) { rank } ${DEARER.slice('query Chart {'.length)}`,
    })
    expect(priceCommand([folder])).toEqual({
      code: 0,
      text: [
        'operation  min  likely  max  what it asks for',
        'Page       4    24      24   artists: artist ×3, charts.platB: platBChart, charts.platB.nodes.track: track ×20',
      ].join('\n'),
    })
  })

  test('fails where an operation may cost more than it may', () => {
    const folder = folderOf({ 'chart.graphql': DEARER })
    expect(priceCommand([folder, '--max', '21']).code).toBe(0)
    const { code, text } = priceCommand([folder, '--max', '20'])
    expect(code).toBe(1)
    expect(text).toContain('Chart may cost 21 credits, more than 20')
  })

  test.each([
    [
      'goes to a record',
      CHART,
      DEARER,
      '21 credits in place of 1: charts.platB.nodes.track (track) +20',
    ],
    [
      'asks for more of the same',
      'query Chart { artists(cmIds: [5, 6]) { rank } }',
      'query Chart { artists(cmIds: [5, 6, 7]) { rank } }',
      '3 credits in place of 2: artists (artist) +1',
    ],
    [
      'asks for larger pages, and for less elsewhere',
      `query Chart { a: artist(cmId: 5) { rank } charts { platB(countryCode: "US", first: 20) { nodes { track { durationMs } } } } }`,
      `query Chart { charts { platB(countryCode: "US", first: 50) { nodes { track { durationMs } } } } }`,
      '51 credits in place of 22: charts.platB.nodes.track (track) +30',
    ],
    [
      'has no name of its own',
      'query { artist(cmId: 5) { rank } }',
      'query { artist(cmId: 5) { rank premium { platDTopVideos } } }',
      '3 credits in place of 1: artist.premium.platDTopVideos (artistPlatDTopVideos) +2',
    ],
  ])('names the path that made an operation dearer that %s', (_, old, now, told) => {
    const before = folderOf({ 'pages/chart.graphql': old })
    const after = folderOf({ 'pages/chart.graphql': now })
    const { code, text } = priceCommand([after, '--base', before])
    expect(code).toBe(1)
    expect(text).toContain(told)
    expect(priceCommand([before, '--base', after]).code).toBe(0)
    expect(priceCommand([after, '--base', after]).code).toBe(0)
  })

  test('prints what the page on credits shows', () => {
    const page = (track: string) =>
      `query Page { album(cmId: 5) { name } charts { platB(countryCode: "US", first: 20) { nodes { track { ${track} } } } } }`
    const before = folderOf({ 'page.graphql': page('name') })
    const after = folderOf({ 'page.graphql': page('name durationMs') })
    const { code, text } = priceCommand([after, '--max', '20', '--base', before])
    expect(code).toBe(1)
    const [, shown] = /```text\n(.*?)\n```/s.exec(readFileSync('docs/credits.md', 'utf8')) ?? []
    expect(text).toBe(shown)
  })

  test('compares what it can, and says what it could not', () => {
    const before = folderOf({ 'chart.graphql': CHART, 'old.graphql': 'query Old { nobody }' })
    const after = folderOf({
      'chart.graphql': DEARER,
      'new.graphql': 'query New { album(cmId: 5) { label } }',
    })
    const { code, text } = priceCommand([after, '--base', before])
    expect(code).toBe(1)
    expect(text).toContain('Chart may cost 21 credits in place of 1')
    expect(text).toContain(
      `not compared: ${join(before, 'old.graphql')}: Old: Cannot query field "nobody" on type "Query".`,
    )
    expect(text).not.toContain('New may')
  })

  const wide =
    'query Wide { artistsByStat(stat: RANK, min: 1, max: 9, first: 10000) { nodes { rank } } a: artistsByStat(stat: RANK, min: 1, max: 8, first: 10000) { nodes { rank } } b: artistsByStat(stat: RANK, min: 1, max: 7) { nodes { rank } } }'
  test.each([
    [
      'no operation of the schema',
      'query A { nobody }',
      'A: Cannot query field "nobody" on type "Query".',
    ],
    ['no GraphQL', 'query {', 'Syntax Error: Expected Name, found <EOF>.'],
    [
      'without its variables',
      `${ARTIST} ${FRAGMENT}`,
      'Artist: Variable "$id" of required type "Int!" was not provided. Give it with --variables.',
    ],
    ['without a fragment', ARTIST, 'Artist: Unknown fragment "Page".'],
    ['two of one name', `${CHART} ${CHART}`, 'Chart: another one has its name in'],
    [
      'two fragments of one name',
      `${CHART} ${FRAGMENT} fragment Page on Artist { name }`,
      'fragment Page is another one in',
    ],
    [
      'deeper than the gateway answers',
      `query Deep { node(id: "Artist:5") ${'{ ... on Artist { tracks { nodes { artists'.repeat(7)} { name } ${'} } } }'.repeat(7)} }`,
      'Deep: the operation has 23 levels, at most 20 are answered',
    ],
    [
      'larger than the gateway answers',
      wide,
      'Wide: the operation asks for up to 20020 rows and entities, at most 20000 are given',
    ],
    [
      'of more tokens than the gateway reads',
      `query Long { artist(cmId: 5) { ${'name '.repeat(2000)} } }`,
      'Long: Syntax Error: Document contains more that 2000 tokens',
    ],
    ['nothing', 'fragment Page on Artist { name }', 'no operation'],
  ])('does not price %s', (_, document, told) => {
    const { code, text } = priceCommand([folderOf({ 'a.graphql': document })])
    expect(text).toContain(told)
    expect(code).toBe(2)
  })

  test('without files it says how it is used, and a wrong option is refused', () => {
    expect(priceCommand([]).code).toBe(2)
    const folder = folderOf({ 'a.graphql': CHART, 'list.json': '[]', 'cut.json': '{"a"' })
    expect(() => priceCommand([folder, '--max', '1.5'])).toThrow('--max must be a whole number')
    expect(() => priceCommand([folder, '--most', '3'])).toThrow("Unknown option '--most'")
    expect(() => priceCommand([join(folder, 'b.graphql')])).toThrow('no such file')
    expect(() => priceCommand([folder, '--variables', join(folder, 'list.json')])).toThrow(
      'expected an object of variables',
    )
    const cut = join(folder, 'cut.json')
    expect(() => priceCommand([folder, '--variables', cut])).toThrow(`${cut}: `)
  })
})

describe('the built command', () => {
  // Beside no other build: another test may be writing that one.
  const built = join('.out', `price-${process.pid}`)
  folders.push(built)
  beforeAll(() => {
    const tsc = 'node_modules/typescript/bin/tsc'
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', built])
  }, 60_000)

  const run = (...args: string[]) =>
    new Promise<{ code: unknown; out: string; err: string }>((resolve) =>
      execFile(process.execPath, [join(built, 'cli/main.js'), ...args], (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      ),
    )

  test('prints a table and ends with 0, or with 1 where something is too dear', async () => {
    const folder = folderOf({ 'chart.graphql': DEARER })
    const fine = await run('price', folder, '--max', '21')
    expect(fine).toMatchObject({ code: 0, err: '' })
    expect(fine.out).toMatch(
      /^operation +min +likely +max +what it asks for\nChart +1 +21 +21 .*\n$/,
    )
    const dear = await run('price', folder, '--max', '5')
    expect(dear).toMatchObject({ code: 1, err: '' })
    expect(dear.out).toContain('Chart may cost 21 credits, more than 5')
    const { out } = await run('price', folder, '--json')
    expect(prices(out)).toEqual([['Chart', 1, 21]])
  })

  test('ends with 2, and tells why beside the output, where it cannot price', async () => {
    expect(await run()).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('refrain price <files'),
    })
    const wrong = folderOf({ 'a.graphql': 'query A { nobody }' })
    expect(await run('price', wrong)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('nobody'),
    })
    expect(await run('price', join(wrong, 'b'))).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('no such file'),
    })
  })
})
