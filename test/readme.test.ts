import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { priceCommand } from '../src/cli/price.ts'
import { systemClock } from '../src/clock.ts'
import { openRun } from './support/run.ts'

const readme = readFileSync('README.md', 'utf8')

const block = (language: string, containing: string): string => {
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const found = blocks.find(([, name, text]) => name === language && text?.includes(containing))
  if (found?.[2] === undefined) throw new Error(`README has no ${language} with ${containing}`)
  return found[2]
}

describe('the README', () => {
  it.each([0, 200])(
    'shows the answer that its query gets, %s days from now as well',
    async (days) => {
      const later = { ...systemClock, now: () => systemClock.now() + days * 86_400_000 }
      const { query, close } = await openRun({ sandbox: { clock: later } })
      const body = /-d '(.*)'/s.exec(block('sh', 'curl'))?.[1] ?? ''
      const { data, errors, credits } = await query(JSON.parse(body).query)
      await close()
      expect(errors).toEqual([])
      expect({ data, extensions: { credits } }).toEqual(JSON.parse(block('json', '"data"')))
    },
  )

  it('prices what a clone has, and tells what would cost more than a lower bound', () => {
    const [, args = ''] = /main\.js price (.*)\n/.exec(block('sh', 'main.js price')) ?? []
    expect(priceCommand(args.split(' ')).code).toBe(0)
    const [, lower = ''] = /with `(--max \d+)` it names three/.exec(readme) ?? []
    const { code, text } = priceCommand(args.replace(/--max \d+/, lower).split(' '))
    const complaints = text.split('\n').filter((line) => line.includes(' may cost '))
    expect([code, complaints.length]).toEqual([1, 3])
  })

  it('names files that are there', () => {
    const named = [...readme.matchAll(/`((?:src|test|\.ci)\/[\w./-]+)`(?!:\n)/g)].map(
      ([, path]) => path,
    )
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((path) => !existsSync(path ?? ''))).toEqual([])
  })

  it('leads to every page of docs', () => {
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md'))
    expect(pages.length).toBeGreaterThan(15)
    for (const name of [...pages, 'schema/index.md']) expect(readme).toContain(`](docs/${name})`)
  })

  it('names scripts that package.json has', () => {
    const scriptsOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).scripts
    const scripts = {
      ...scriptsOf('package.json'),
      ...scriptsOf('examples/react/package.json'),
    }
    for (const [, name = ''] of readme.matchAll(/npm run ([\w:]+)/g))
      expect(scripts).toHaveProperty(name)
  })
})
