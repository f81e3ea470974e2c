import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schema } from '../src/schema/index.ts'
import { openChromium } from './support/chromium.ts'
import { startGateway, startProgram } from './support/process.ts'

const EXAMPLE = resolve('examples/react')
const readme = readFileSync('README.md', 'utf8')

/** Files that the README shows, by name. */
const shown = new Map(
  [...readme.matchAll(/^`([\w./]+)`:\n\n```tsx?\n(.*?)^```$/gms)].map(
    ([, name = '', text = '']) => [name, text] as const,
  ),
)

/** What `npm create vite` puts beside them. */
const TEMPLATE = {
  'index.html':
    '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
  'src/main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App.tsx'

createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>)
`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      types: ['vite/client'],
      skipLibCheck: true,
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      moduleDetection: 'force',
      noEmit: true,
      jsx: 'react-jsx',
      strict: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
    },
    include: ['src'],
  }),
  'package.json': '{ "name": "my-app", "private": true, "type": "module" }',
}

describe('a newcomer with the README', () => {
  let app: string
  let gateway: Awaited<ReturnType<typeof startGateway>>
  /** Runs a package's command in the app; gives what it says where it fails, and nothing where all is well. */
  const run = (name: string, ...args: string[]): string => {
    const command = join(EXAMPLE, 'node_modules/.bin', name)
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: app,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    })
    return status === 0 ? '' : `${stdout}${stderr}`
  }
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(app, name)), { recursive: true })
    writeFileSync(join(app, name), text.replaceAll('http://127.0.0.1:4000', gateway.url))
  }

  beforeAll(async () => {
    app = mkdtempSync(join(EXAMPLE, '.my-app-'))
    gateway = await startGateway()
    for (const [name, text] of [...Object.entries(TEMPLATE), ...shown]) write(name, text)
  }, 180_000)
  afterAll(async () => {
    await gateway?.stop()
    rmSync(app, { recursive: true })
  })

  it('gets a typed query into a component, and sees its answer', async () => {
    expect([...shown.keys()]).toEqual(['codegen.ts', 'vite.config.ts', 'src/App.tsx'])
    expect(run('graphql-codegen')).toBe('')
    expect(run('tsc')).toBe('')
    const vite = join(EXAMPLE, 'node_modules/vite/bin/vite.js')
    const dev = await startProgram({
      args: (port) => [vite, '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
      cwd: app,
      probe: (url) => fetch(url),
    })
    const chromium = await openChromium()
    try {
      const { page } = await chromium.openPage()
      await page.goto(dev.url)
      const heading = page.getByRole('heading', { level: 1 })
      await heading.waitFor()
      expect(await heading.textContent()).toMatch(/^\S.*, \d+ followers$/)
    } finally {
      await chromium.close()
      await dev.stop()
    }
  })

  it('is told of a field that is not there, and of a variable of another type', () => {
    const text = shown.get('src/App.tsx') ?? ''
    write('src/App.tsx', text.replace('platAFollowers\n', 'platAFolowers\n'))
    expect(run('graphql-codegen')).toContain('platAFolowers')
    write('src/App.tsx', text.replace('variables: { cmId }', "variables: { cmId: 'two' }"))
    expect(run('graphql-codegen')).toBe('')
    expect(run('tsc')).toContain("Type 'string' is not assignable to type 'number'")
  })
})

describe('the page for frontends', () => {
  const page = readFileSync('docs/frontend.md', 'utf8')
  const blocks = [...page.matchAll(/^```tsx?\n(.*?)^```$/gms)].map(([, text = '']) => text)
  const sources = readdirSync(join(EXAMPLE, 'src'))
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(EXAMPLE, 'src', name), 'utf8'))

  it('shows code of the example only', () => {
    expect(blocks.length).toBeGreaterThan(4)
    for (const block of blocks)
      expect(
        sources.some((source) => source.includes(block)),
        block,
      ).toBe(true)
  })

  it('maps every scalar of the schema as the example does', () => {
    const codegen = readFileSync('codegen.ts', 'utf8')
    const builtIn = ['ID', 'String', 'Int', 'Float', 'Boolean']
    const scalars = Object.values(schema.getTypeMap())
      .filter((type) => type.astNode === undefined && 'serialize' in type && !('getValues' in type))
      .map(({ name }) => name)
      .filter((name) => !builtIn.includes(name))
    expect(scalars.length).toBeGreaterThan(5)
    for (const name of scalars) {
      expect(page).toContain(`\`${name}\``)
      expect(codegen).toContain(`${name}:`)
      expect(shown.get('codegen.ts')).toContain(`${name}:`)
    }
    for (const option of ['strictScalars: true', 'enumsAsTypes: true', "FunctionName: 'unmask'"])
      for (const text of [codegen, shown.get('codegen.ts')]) expect(text).toContain(option)
  })

  it('has documents that fit the schema, once their fragments are with them', () => {
    const all = sources.flatMap((source) =>
      [...source.matchAll(/graphql\(`(.*?)`\)/gs)].map(([, text = '']) => text),
    )
    expect(validate(schema, parse(all.join('\n')))).toEqual([])
  })
})
