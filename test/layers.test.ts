import { readdirSync, readFileSync } from 'node:fs'
import { basename, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Source {
  readonly file: string
  readonly text: string
}

/** From top to bottom; a file belongs to its nearest place and imports from its own line or lower ones. */
const LAYERS: readonly (readonly string[])[] = [
  ['src/main.ts', 'src/cli/main.ts'],
  ['src/program.ts'],
  ['src/sandbox/'],
  ['src/server/'],
  ['src/gateway.ts'],
  ['src/health.ts', 'src/replica.ts', 'src/storage.ts'],
  ['src/telemetry/'],
  ['src/door.ts'],
  ['src/cli/', 'src/plugins/'],
  ['src/execution/'],
  ['src/plan/'],
  ['src/schema/'],
  ['src/context.ts'],
  ['src/loaders/'],
  ['src/upstream/client.ts'],
  ['src/upstream/endpoints/'],
  ['src/upstream/'],
  ['src/config.ts', 'src/config/', 'src/clock.ts', 'src/load.ts', 'src/log.ts'],
  ['src/clients/', 'src/documents.ts', 'src/setting.ts', 'src/variable.ts', 'src/watch.ts'],
  ['src/upstream/token/', 'src/upstream/transport/'],
  ['src/board/', 'src/credits/'],
  ['src/redis/'],
  [
    'src/errors.ts',
    'src/count.ts',
    'src/depth.ts',
    'src/directory.ts',
    'src/hash.ts',
    'src/memo.ts',
    'src/signal.ts',
    'src/cohort.ts',
    'src/passing.ts',
  ],
]

/** What may not be imported although it lies below, and why. */
const BARRED: readonly { from: RegExp; to: RegExp; but?: RegExp; why: string }[] = [
  {
    from: /^src\/(?!program\.ts$|sandbox\/)/,
    to: /^src\/sandbox\//,
    why: 'only the program starts the sandbox',
  },
  {
    from: /^src\/(upstream|board|credits|loaders|redis|sandbox)\/|^src\/(errors|config|setting)\.ts$/,
    to: /^(graphql|@pothos|@graphql)/,
    why: 'GraphQL ends at the schema',
  },
  { from: /^src\/schema\//, to: /^src\/upstream\/transport\//, why: 'fields call the client' },
  {
    from: /^src\/upstream\/transport\//,
    to: /^src\//,
    but: /^src\/(upstream\/(transport|token)|board)\/|^src\/(errors|signal|cohort|passing|credits\/ledger)\.ts$/,
    why: 'the transport knows requests, not what they mean',
  },
  {
    from: /^src\/sandbox\//,
    to: /^src\/(server|gateway|plugins|schema|context|loaders|config)/,
    why: 'the sandbox is an upstream, not a part of the gateway',
  },
]

const isIn = (file: string, place: string) =>
  place.endsWith('/') ? file.startsWith(place) : file === place

const layerOf = (file: string) => {
  const places = LAYERS.flat().filter((place) => isIn(file, place))
  const nearest = places.sort((a, b) => b.length - a.length)[0]
  return LAYERS.findIndex((layer) => nearest !== undefined && layer.includes(nearest))
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*(?:\{[^}]*\}[^'"\n;]*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g

const importsOf = ({ file, text }: Source) =>
  [...text.matchAll(IMPORT)].map((found) => {
    const name = found[1] ?? found[2] ?? ''
    return name.startsWith('.') ? posix.join(posix.dirname(file), name) : name
  })

const faultOf = (from: string, to: string): string | undefined => {
  const barred = BARRED.find(
    (bar) => bar.from.test(from) && bar.to.test(to) && bar.but?.test(to) !== true,
  )
  if (barred !== undefined) return `${from} imports ${to}: ${barred.why}`
  if (!to.startsWith('src/')) return undefined
  if (layerOf(from) < 0) return `${from} is in no layer: add it to LAYERS`
  return layerOf(to) < layerOf(from) ? `${from} imports ${to}, which lies above it` : undefined
}

const importFaults = (sources: readonly Source[]) =>
  sources.flatMap((source) => importsOf(source).flatMap((to) => faultOf(source.file, to) ?? []))

const FORBIDDEN_NAME = /^(utils?|helpers?|common|shared|misc|types?|managers?|services?|handlers?)$/
const nameFaults = (sources: readonly Source[]) =>
  sources
    .map(({ file }) => file)
    .filter((file) =>
      file.split('/').some((part) => FORBIDDEN_NAME.test(basename(part).replace(/\..*$/, ''))),
    )

const sizeFaults = (sources: readonly Source[]) =>
  sources
    .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > 300)
    .map(({ file, lines }) => `${file} has ${lines} lines`)

const matching = (sources: readonly Source[], pattern: RegExp) =>
  sources.flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  )

const ENVIRONMENT = /\bprocess\.env\b/
const MAY_READ_IT = ['src/config.ts', 'src/main.ts', 'src/cli/main.ts']
const environmentFaults = (sources: readonly Source[]) =>
  matching(
    sources.filter(({ file }) => !MAY_READ_IT.includes(file)),
    ENVIRONMENT,
  )

const UNTYPED = /(?:[:<,|&(]|=>|\bas)\s*any\b(?!\s+[a-z])|@ts-(?:ignore|nocheck)/
const untypedFaults = (sources: readonly Source[]) => matching(sources, UNTYPED)

const sourcesUnder = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.ts') && !file.includes('/node_modules/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

const sources = sourcesUnder('src')
const one = (file: string, text: string): Source[] => [{ file, text }]

describe('the layers of src', () => {
  it('import downwards only', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(importFaults(sources)).toEqual([])
  })

  it('have no file or folder that is named after nothing', () => {
    expect(nameFaults([...sources, ...sourcesUnder('test')])).toEqual([])
  })

  it('have no file over 300 lines', () => {
    expect(sizeFaults(sources)).toEqual([])
  })

  it('read the environment in the configuration only', () => {
    expect(environmentFaults(sources)).toEqual([])
  })

  it('leave no value untyped', () => {
    expect(untypedFaults(sources)).toEqual([])
  })
})

describe('the check itself', () => {
  it('names an import that points upwards, however it is written', () => {
    const upwards = 'src/loaders/by-id.ts imports src/schema/artist.ts, which lies above it'
    for (const text of [
      "import { a } from '../schema/artist.ts'\n",
      "import type { A } from '../schema/artist.ts'\n",
      "import {\n  a,\n  b,\n} from '../schema/artist.ts'\n",
      "import '../schema/artist.ts'\n",
      "export { a } from '../schema/artist.ts'\n",
      "export * from '../schema/artist.ts'\n",
      "const a = await import('../schema/artist.ts')\n",
    ])
      expect(importFaults(one('src/loaders/by-id.ts', text)), text).toEqual([upwards])
  })

  it('lets an import point to its own layer and below', () => {
    const text = "import './estimates.ts'\nimport { a } from '../upstream/client.ts'\n"
    expect(importFaults(one('src/loaders/by-id.ts', text))).toEqual([])
  })

  it.each([
    ['src/gateway.ts', '../src/sandbox/server.ts'],
    ['src/upstream/client.ts', 'graphql'],
    ['src/upstream/cache/memory.ts', '@pothos/core'],
    ['src/schema/artist.ts', '../upstream/transport/gate.ts'],
    ['src/upstream/transport/gate.ts', '../endpoints/artist.ts'],
    ['src/upstream/transport/gate.ts', '../decode.ts'],
    ['src/sandbox/server.ts', '../config.ts'],
    ['src/mystery/a.ts', '../errors.ts'],
  ])('refuses %s importing %s', (file, to) => {
    expect(importFaults(one(file, `import { a } from '${to}'\n`))).toHaveLength(1)
  })

  it('sees a forbidden name, a long file, a reader of the environment and an untyped value', () => {
    expect(nameFaults(one('src/utils/date.ts', ''))).toHaveLength(1)
    expect(nameFaults(one('src/schema/types.ts', ''))).toHaveLength(1)
    expect(sizeFaults(one('src/a.ts', 'x\n'.repeat(301)))).toEqual(['src/a.ts has 301 lines'])
    expect(environmentFaults(one('src/gateway.ts', 'const p = process.env.PORT'))).toHaveLength(1)
    for (const text of ['x: any', 'y as any', 'Map<string, any>', 'f(): any {', '// @ts-ignore'])
      expect(untypedFaults(one('src/a.ts', text)), text).toHaveLength(1)
    expect(
      untypedFaults(one('src/a.ts', '/** Whether it is any good: any word will do. */')),
    ).toEqual([])
  })
})
