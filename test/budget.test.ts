import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createFileBoard } from '../src/board/file.ts'
import { createMemoryBoard } from '../src/board/memory.ts'
import { createBudget, stretchOf } from '../src/credits/budget.ts'
import { openRun } from './support/run.ts'

const NOON = Date.UTC(2026, 10, 28, 12)
const DAY = 86_400_000

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

describe('a budget of a day', () => {
  test('is charged first, refunded on proof, and never overrun', () => {
    const budget = createBudget('DAY', 5, createMemoryBoard(), () => NOON)
    budget.charge(2)
    budget.charge(2)
    expect(() => budget.charge(2)).toThrow('1 of 5 credits are left until 2026-11-29T00:00:00.000Z')
    budget.refund(2)
    budget.charge(2)
    expect(budget.remaining).toBe(1)
  })

  test('begins anew at midnight UTC, and a refund of the day before changes nothing', () => {
    let now = NOON
    const budget = createBudget('DAY', 5, createMemoryBoard(), () => now)
    budget.charge(5)
    now += DAY
    expect(budget.remaining).toBe(5)
    budget.refund(5)
    expect(budget.remaining).toBe(5)
    expect(new Date(budget.resetsAt).toISOString()).toBe('2026-11-30T00:00:00.000Z')
  })

  test('survives a restart exactly, and a crash with no credit lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
    const first = createBudget('DAY', 1000, createFileBoard(folder), () => NOON)
    await first.open()
    for (let credit = 0; credit < 30; credit++) await first.charge(1)
    const crashed = createBudget('DAY', 1000, createFileBoard(folder), () => NOON)
    await crashed.open()
    expect(crashed.remaining).toBeLessThanOrEqual(970)
    expect(crashed.remaining).toBeGreaterThanOrEqual(930)
    await first.close()
    const restarted = createBudget('DAY', 1000, createFileBoard(folder), () => NOON)
    await restarted.open()
    expect(restarted.remaining).toBe(970)
  })

  test('stretches freshness while it goes faster than its day, up to three times', () => {
    const budget = createBudget('DAY', 100, createMemoryBoard(), () => NOON)
    budget.charge(40)
    expect(stretchOf([budget])).toBe(1)
    budget.charge(35)
    expect(stretchOf([budget])).toBe(1.5)
    const early = createBudget('DAY', 100, createMemoryBoard(), () => NOON - DAY / 2 + 60_000)
    early.charge(60)
    expect(stretchOf([budget, early])).toBe(3)
    expect(stretchOf([])).toBe(1)
  })
})

test('at the end of a budget held answers are given, and nothing is sent', async () => {
  const run = await openRun({ env: { CREDITS_PER_DAY: '3' } })
  open.push(run)
  const first = await run.query('{ artist(cmId: 5) { rank } track(cmId: 5) { durationMs } }')
  expect(first.errors).toEqual([])
  const last = await run.query(
    '{ a: artist(cmId: 5) { rank } b: artist(cmId: 6) { rank } c: artist(cmId: 7) { rank } }',
  )
  expect(last.data.a).toEqual(first.data.artist)
  expect(last.errors.map(({ extensions }) => extensions.code)).toEqual(['CREDIT_BUDGET_EXHAUSTED'])
  expect(run.meter.credits).toBe(3)
  const { data } = await run.query(
    '{ credits { spent budgets { period limit remaining } byEndpoint { name spent } } }',
  )
  expect(data.credits.spent).toBe(3)
  expect(data.credits.budgets).toEqual([{ period: 'DAY', limit: 3, remaining: 0 }])
  expect(data.credits.byEndpoint[0]).toEqual({ name: 'artist', spent: 2 })
})

test('fifty operations at once do not overrun a budget', async () => {
  const run = await openRun({ env: { CREDITS_PER_MONTH: '10' }, sandbox: { latencyMs: 5 } })
  open.push(run)
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, at) => run.query(`{ artist(cmId: ${at + 10}) { rank } }`)),
  )
  expect(run.meter.credits).toBe(10)
  expect(results.filter(({ errors }) => errors.length === 0)).toHaveLength(10)
  expect(
    new Set(results.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))),
  ).toEqual(new Set(['CREDIT_BUDGET_EXHAUSTED']))
})
