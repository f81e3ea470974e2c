import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { endpoints } from '../src/upstream/endpoints/index.ts'
import { DAY } from './credits/ask.ts'
import { CODES } from './support/code.ts'
import { openRun } from './support/run.ts'

const FOLDER = 'docs/recipes'
const recipes = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => file.replace('.graphql', ''))
  .sort()
const prices = JSON.parse(readFileSync(`${FOLDER}/prices.json`, 'utf8'))

/** Events lie around today, so that some prices hold only for one day. */
const clockAfter = (days: number) => ({
  ...systemClock,
  now: () => Date.parse('2026-03-10T12:00:00Z') + days * DAY,
})
const clock = clockAfter(0)

/** Whether anything but empty lists and nulls is in a value. */
const tellsSomething = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(tellsSomething)
    : value !== null

describe('the recipes', () => {
  it('are sixteen, each with a price and no price without one', () => {
    expect(recipes).toHaveLength(16)
    expect(Object.keys(prices)).toEqual(recipes)
  })

  it.each(recipes)('%s runs as it stands and costs what is said', async (name) => {
    const query = readFileSync(`${FOLDER}/${name}.graphql`, 'utf8')
    const run = await openRun({ sandbox: { flawedRows: false, clock } })
    try {
      const { data, errors, credits } = await run.query(query)
      expect(errors).toEqual([])
      for (const [field, value] of Object.entries(data))
        expect(tellsSomething(value), field).toBe(true)
      expect(run.meter.credits).toBe(credits.spent)
      const again = await run.query(query)
      expect(again.data).toEqual(data)
      expect(prices[name]).toMatchObject({
        cold: credits.spent,
        again: again.credits.spent,
        naive: credits.spent + credits.saved,
      })
      expect(again.credits.spent).toBe(0)
      expect(run.meter.credits).toBe(credits.spent)
    } finally {
      await run.close()
    }
  })
})

describe('the price of a recipe on another day', () => {
  const cases = recipes.flatMap((name) => [50, 200, 500].map((days) => [name, days] as const))

  it.each(cases)('%s, %s days later, is the same, or so where that is said', async (name, days) => {
    const run = await openRun({ sandbox: { clock: clockAfter(days) } })
    const { credits } = await run.query(readFileSync(`${FOLDER}/${name}.graphql`, 'utf8'))
    await run.close()
    const { cold, naive, varies = [] } = prices[name]
    const within = (column: string, told: number, found: number) =>
      expect(Math.abs(found - told), column).toBeLessThanOrEqual(varies.includes(column) ? 10 : 0)
    within('cold', cold, credits.spent)
    within('naive', naive, credits.spent + credits.saved)
  })
})

describe('the page of recipes', () => {
  it('is what one pays who runs it from its beginning to its end', async () => {
    const run = await openRun({ sandbox: { flawedRows: false, clock } })
    try {
      const spent: Record<string, number> = {}
      for (const name of recipes) {
        const { credits } = await run.query(readFileSync(`${FOLDER}/${name}.graphql`, 'utf8'))
        spent[name] = credits.spent
      }
      expect(spent).toEqual(Object.fromEntries(recipes.map((name) => [name, prices[name].cold])))
    } finally {
      await run.close()
    }
  })
})

describe('the table of endpoints', () => {
  const [, table = ''] =
    /<!-- endpoints:start -->\n([\s\S]*?)<!-- endpoints:end -->/.exec(
      readFileSync('README.md', 'utf8'),
    ) ?? []
  const page = readFileSync('docs/endpoints.md', 'utf8')

  it('names every endpoint of the registry, with its price and a field that asks it', () => {
    const rows = table.split('\n').filter((line) => line.startsWith('| `'))
    const shown = rows.map((line) => {
      const [, route, field, , credits] = line.split(' | ').join('|').split('|')
      return [route?.trim(), field?.trim() !== '', Number(credits)]
    })
    expect(shown).toEqual(
      Object.values(endpoints).map(({ route, credits }) => [`\`${route}\``, true, credits]),
    )
  })

  it('is on the page of endpoints too, where each has a section with each of its parameters', () => {
    expect(page).toContain(table)
    for (const { name, params } of Object.values(endpoints)) {
      const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? ''
      for (const { wire, kind } of Object.values(params)) {
        const range = /^(min|max)_(.+)$/.exec(wire)
        const shown = range === null ? `\`${wire}` : `\`${range[2]}\``
        if (wire !== '') expect(section, `${name} ${wire}`).toContain(shown)
        if (wire !== '' && range === null) expect(section, `${name} ${wire}`).toContain(kind.doc)
      }
    }
  })
})

it('docs/errors.md tells of each code once', () => {
  const page = readFileSync('docs/errors.md', 'utf8')
  const told = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)
  // The last is the word for faults of our own.
  expect(told).toEqual([...CODES, 'INTERNAL_SERVER_ERROR'])
})

it('the pages of the schema tell defaults in sentences of their own', () => {
  const pages = readdirSync('docs/schema').map((name) =>
    readFileSync(`docs/schema/${name}`, 'utf8'),
  )
  expect(pages.join('\n')).not.toMatch(/\.;/)
  expect(pages.join('\n')).toContain('Page size, 0 to 10,000. `20` when left out.')
})
