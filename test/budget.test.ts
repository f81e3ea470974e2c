import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Board } from '../src/board/board.ts'
import { createFileBoard } from '../src/board/file.ts'
import { createMemoryBoard } from '../src/board/memory.ts'
import { createBudget, stretchOf } from '../src/credits/budget.ts'
import { createTallies } from '../src/credits/tally.ts'
import { openRun } from './support/run.ts'

const NOON = Date.UTC(2026, 10, 28, 12)
const DAY = 86_400_000

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

const dayOf = (limit: number, board: Board, now = () => NOON, warn?: (text: string) => void) =>
  createBudget('DAY', limit, createTallies(board, warn), now)

describe('a budget of a day', () => {
  test('is charged first, refunded on proof, and never overrun', async () => {
    const budget = dayOf(5, createMemoryBoard())
    const first = await budget.charge(2)
    await budget.charge(2)
    await expect(budget.charge(2)).rejects.toThrow(
      '1 of 5 credits are left until 2026-11-29T00:00:00.000Z',
    )
    first.refund()
    await budget.charge(2)
    expect(budget.remaining).toBe(1)
  })

  test('begins anew at midnight UTC, and a refund of the day before changes nothing', async () => {
    let now = NOON
    const budget = dayOf(5, createMemoryBoard(), () => now)
    const yesterday = await budget.charge(4)
    now += DAY
    expect(budget.remaining).toBe(5)
    await budget.charge(3)
    yesterday.refund()
    expect(budget.remaining).toBe(2)
    await budget.charge(2)
    expect(budget.remaining).toBe(0)
    expect(new Date(budget.resetsAt).toISOString()).toBe('2026-11-30T00:00:00.000Z')
  })

  test('survives a crash to the credit, and a restart with what was given back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
    const first = dayOf(1000, createFileBoard(folder))
    await first.open()
    const receipts = []
    for (let credit = 0; credit < 30; credit++) receipts.push(await first.charge(1))
    const crashed = dayOf(1000, createFileBoard(folder))
    await crashed.open()
    expect(crashed.remaining).toBe(970)
    receipts[0]?.refund()
    await first.close()
    const restarted = dayOf(1000, createFileBoard(folder))
    await restarted.open()
    expect(restarted.remaining).toBe(971)
  })

  test('goes on from memory where the disk is full, says so once, and writes it down when it can', async () => {
    const board = createMemoryBoard()
    const full = { isSo: false }
    const failing: Board = {
      ...board,
      write: async (...sheet) => {
        if (full.isSo) throw new Error('no space left')
        return board.write(...sheet)
      },
    }
    const warnings: string[] = []
    const budget = dayOf(
      5,
      failing,
      () => NOON,
      (text) => warnings.push(text),
    )
    await budget.charge(1)
    full.isSo = true
    await budget.charge(1)
    await budget.charge(2)
    await expect(budget.charge(2)).rejects.toMatchObject({ code: 'CREDIT_BUDGET_EXHAUSTED' })
    expect(warnings).toEqual([
      'budget-day cannot be written, counting goes on in memory: Error: no space left',
    ])
    full.isSo = false
    await budget.close()
    const next = dayOf(5, board)
    await next.open()
    expect(next.remaining).toBe(1)
  })

  test('is not stopped by a count of a window that no clock has come to', async () => {
    const board = createMemoryBoard()
    const ahead = dayOf(5, board, () => NOON + 400 * DAY)
    await ahead.charge(5)
    const budget = dayOf(5, board)
    await budget.open()
    await budget.charge(4)
    expect(budget.remaining).toBe(1)
  })

  test('stretches freshness while it goes faster than its day, up to three times', async () => {
    const budget = dayOf(100, createMemoryBoard())
    await budget.charge(40)
    expect(stretchOf([budget])).toBe(1)
    await budget.charge(35)
    expect(stretchOf([budget])).toBe(1.5)
    const early = dayOf(100, createMemoryBoard(), () => NOON - DAY / 2 + 60_000)
    await early.charge(60)
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
