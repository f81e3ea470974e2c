import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFileBoard } from '../../src/board/file.ts'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { ask, handClock } from '../credits/ask.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { build, startBuilt } from '../support/process.ts'
import { openScript } from '../support/script.ts'
import { artist, codesOf, DAY, openBench, range } from './bench.ts'

let built: ReturnType<typeof build>
beforeAll(() => {
  built = build('budget')
}, 120_000)
afterAll(() => built.remove())

const folderOf = () => mkdtemp(join(tmpdir(), 'refrain-budget-'))

const openSandbox = async () => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', rotation: 'none' })
  onTestFinished(() => sandbox.close())
  return { sandbox, url: await sandbox.listen() }
}

const start = async (url: string, stateDir: string, limit: number) => {
  const program = await startBuilt(built.dist, {
    UPSTREAM_URL: url,
    UPSTREAM_REFRESH_TOKEN: 'seed',
    UPSTREAM_CONCURRENCY: '50',
    STATE_DIR: stateDir,
    CREDITS_PER_DAY: String(limit),
    LOG_LEVEL: 'error',
    GRAPHIQL: 'off',
    // A busy machine is no slow service.
    OPERATION_TIMEOUT_MS: '60000',
    UPSTREAM_TIMEOUT_MS: '60000',
  })
  onTestFinished(() => program.kill())
  return program
}

interface Reply {
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
}

const asking =
  (url: string) =>
  async (query: string): Promise<string | undefined> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { errors = [] }: Reply = await response.json()
    return errors[0]?.extensions.code
  }

/** What the processes have written down. */
const written = async (stateDir: string): Promise<number> => {
  const sheet = await createFileBoard(stateDir).read('budget-day')
  return JSON.parse(sheet?.text ?? '{}').credits
}

describe('faults of a budget', () => {
  test('B1: four processes with 50 requests each in flight spend a cap of 1,000 and no credit more', async () => {
    const { sandbox, url } = await openSandbox()
    const stateDir = await folderOf()
    const programs = await Promise.all([0, 1, 2, 3].map(() => start(url, stateDir, 1000)))
    let cmId = 100
    // What fails otherwise is the business of a busy machine: whoever was charged for it is given it back.
    const spendAll = async (send: ReturnType<typeof asking>, fields: readonly string[]) => {
      for (;;) {
        cmId += 1
        const code = await send(`{ artist(cmId: ${cmId}) { ${fields[cmId % fields.length]} } }`)
        if (code === 'CREDIT_BUDGET_EXHAUSTED') return
      }
    }
    const fields = ['rank', 'rank', 'premium { platDTopVideos }']
    const sends = programs.map((program) => asking(program.url))
    await Promise.all(
      sends.flatMap((send) => Array.from({ length: 50 }, () => spendAll(send, fields))),
    )
    expect(sandbox.meter.credits).toBeLessThanOrEqual(1000)
    // One may be left where two were too many, and what was given back last.
    for (const send of sends) await spendAll(send, ['rank'])
    expect(sandbox.meter.credits).toBe(1000)
    expect(await written(stateDir)).toBe(1000)
    figure(`B1: ${sandbox.meter.credits} credits of 1,000 spent`)
  }, 300_000)

  test('B2: a process killed with 50 requests in flight has counted too much, by those at most', async () => {
    const { sandbox, url } = await openSandbox()
    const stateDir = await folderOf()
    const victim = await start(url, stateDir, 1000)
    const send = asking(victim.url)
    expect(await send('{ artist(cmId: 5) { rank } }')).toBeUndefined()
    sandbox.faults.inject('artist', { stall: 'head' })
    const lost = Array.from({ length: 50 }, (_, at) =>
      send(`{ artist(cmId: ${100 + at}) { rank } }`).catch(() => 'lost'),
    )
    await vi.waitFor(() => expect(sandbox.meter.requests.length).toBeGreaterThan(25), 30_000)
    await victim.kill()
    expect(new Set(await Promise.all(lost))).toEqual(new Set(['lost']))
    const gap = (await written(stateDir)) - sandbox.meter.credits
    expect(gap).toBeGreaterThanOrEqual(0)
    expect(gap).toBeLessThanOrEqual(100)
    sandbox.faults.clear()
    const next = await start(url, stateDir, 1000)
    expect(await asking(next.url)('{ artist(cmId: 6) { rank } }')).toBeUndefined()
    expect((await written(stateDir)) - sandbox.meter.credits).toBe(gap)
    figure(`B2: ${gap} credits counted and not spent`)
  }, 120_000)

  test('B7: what was in flight as the day ended counts in that day, and its refunds leave the new one alone', async () => {
    const { clock, advance } = handClock('2026-03-10T23:59:30Z')
    let release = () => {}
    const midnight = new Promise<void>((resolve) => {
      release = resolve
    })
    const service = await openScript(async ({ path }) => {
      const cmId = Number(path.split('/').at(-1))
      if (cmId >= 1000) return { body: { obj: { id: cmId, cm_artist_rank: 1 } } }
      await midnight
      return cmId % 2 === 0 ? { status: 402 } : { body: { obj: { id: cmId, cm_artist_rank: 1 } } }
    })
    const env = {
      STATE_DIR: await folderOf(),
      CREDITS_PER_DAY: '100',
      CREDITS_PER_MONTH: '200',
      BILLED: 'all-but:401,402,token',
      UPSTREAM_CONCURRENCY: '60',
    }
    const opened = openGateway(service.url, env, { clock })
    onTestFinished(async () => {
      await opened.gateway.close()
      await service.close()
    })
    const remaining = async () => {
      const { data } = await ask(opened, '{ credits { budgets { period remaining } } }')
      return Object.fromEntries(
        data.credits.budgets.map((budget: { period: string; remaining: number }) => [
          budget.period,
          budget.remaining,
        ]),
      )
    }
    const rank = (cmId: number) => ask(opened, `{ artist(cmId: ${cmId}) { rank } }`)
    const inFlight = Array.from({ length: 50 }, (_, at) => rank(100 + at))
    await vi.waitFor(() => expect(service.requests).toHaveLength(50), 10_000)
    expect(await remaining()).toEqual({ DAY: 50, MONTH: 150 })
    advance(60_000)
    expect(await remaining()).toEqual({ DAY: 100, MONTH: 150 })
    for (const cmId of [1000, 1001, 1002]) await rank(cmId)
    expect(await remaining()).toEqual({ DAY: 97, MONTH: 147 })
    release()
    const answers = await Promise.all(inFlight)
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(25)
    expect(await remaining()).toEqual({ DAY: 97, MONTH: 172 })
    await rank(1003)
    expect(await remaining()).toEqual({ DAY: 96, MONTH: 171 })
    figure('B7: 50 in flight at midnight, 25 given back, none of them to the new day')
  })

  test('B8: at nothing left misses say so without any wait, and what is held or stale is given', async () => {
    const bench = await openBench({ env: { CREDITS_PER_MONTH: '3' } })
    const held = [5, 6, 7].map(artist)
    expect(codesOf(await bench.askAll(held))).toEqual([])
    const misses = range(100, 50).map(artist)
    const at = async (days: number) => {
      await bench.clock.pass(days * DAY)
      await bench.warm()
      const begun = bench.clock.now()
      const answers = await bench.askAll([...held, ...misses])
      return { answers, waited: bench.clock.now() - begun }
    }
    // The clock stands still unless it is told: what waits for a moment of it is never answered.
    const fresh = await at(0)
    const old = await at(3)
    for (const { answers, waited } of [fresh, old]) {
      expect(codesOf(answers)).toEqual(misses.map(() => 'CREDIT_BUDGET_EXHAUSTED'))
      expect(waited).toBe(0)
    }
    const reasons = ({ answers }: typeof old) =>
      answers.slice(0, 3).flatMap(({ credits }) => credits.stale?.map(({ reason }) => reason) ?? [])
    expect(reasons(fresh)).toEqual([])
    expect(reasons(old)).toEqual(held.map(() => 'CREDIT_BUDGET_EXHAUSTED'))
    expect([bench.meter.requests.length, bench.balances()]).toEqual([3, 3])
    figure('B8: 100 misses told so after 0 ms, 3 hits and 3 stale ones given, 3 of 3 credits spent')
  })
})
