import { readFileSync } from 'node:fs'
import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/schema/index.ts'
import { openRun } from '../support/run.ts'
import { ask, handClock, priceOf } from './ask.ts'

const { clock } = handClock('2026-03-10T12:00:00Z')
const PAGE = readFileSync('docs/credits.md', 'utf8')
const blocks = (language: string): string[] =>
  PAGE.split(`\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('\n```')))

test('every operation of the page on credits is one of this schema', () => {
  const queries = blocks('graphql')
  expect(queries.length).toBeGreaterThan(5)
  for (const query of queries) expect(validate(schema, parse(query)), query).toEqual([])
})

test('the page on credits tells the price of its first example', async () => {
  const run = await openRun({ clock, sandbox: { flawedRows: false } })
  try {
    const query: string = JSON.parse(/-d '(.*)'/.exec(PAGE)?.[1] ?? '{}').query
    const [told = '{}'] = blocks('json')
    expect(await priceOf(run, query)).toEqual(JSON.parse(told).extensions.creditPlan)
  } finally {
    await run.close()
  }
})

test.each(
  [...PAGE.matchAll(/```graphql\n([^`]+)\n```\n\n1 credit, (\d+) saved/g)].map(
    ([, query = '', saved]) => [query, Number(saved)] as const,
  ),
)('%s costs 1 credit and saves %d', async (query, saved) => {
  const run = await openRun({ clock, sandbox: { flawedRows: false } })
  try {
    const { errors, credits } = await ask(run, query)
    expect(errors).toEqual([])
    expect(credits.spent).toBe(1)
    const reasons = query.includes('artists(cmIds') ? credits.savedBy.batched : credits.saved
    expect(reasons).toBe(saved)
    expect(run.meter.credits).toBe(1)
  } finally {
    await run.close()
  }
})

test('the operations of the page, one after the other, each cost the credit that is said', async () => {
  const run = await openRun({ clock, sandbox: { flawedRows: false } })
  const priced = [...PAGE.matchAll(/```graphql\n([^`]+)\n```\n\n1 credit[, ]/g)]
  try {
    for (const [, query = ''] of priced)
      expect((await ask(run, query)).credits.spent, query).toBe(1)
  } finally {
    await run.close()
  }
  expect(priced).toHaveLength(4)
})
