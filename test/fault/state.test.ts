import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { ask } from '../credits/ask.ts'
import { buildGateway } from '../support/gateway-process.ts'
import { openRun } from '../support/run.ts'

const gateways = buildGateway()
afterAll(() => gateways.close())

const folderOf = () => mkdtempSync(join(tmpdir(), 'refrain-state-'))

test('where STATE_DIR cannot be made, everything is answered, and no credit is lost in memory', async () => {
  const file = join(folderOf(), 'file')
  writeFileSync(file, '')
  const run = await openRun({ env: { STATE_DIR: join(file, 'state'), CREDITS_PER_DAY: '3' } })
  onTestFinished(() => run.close())
  await run.gateway.open()
  for (const cmId of [5, 6, 7])
    expect((await ask(run, `{ artist(cmId: ${cmId}) { rank } }`)).errors).toEqual([])
  const over = await ask(run, '{ artist(cmId: 8) { rank } }')
  expect(over.errors.map(({ extensions }) => extensions.code)).toEqual(['CREDIT_BUDGET_EXHAUSTED'])
  expect((await ask(run, '{ artist(cmId: 5) { rank } }')).credits.spent).toBe(0)
  expect(run.meter.credits).toBe(3)
  expect(run.gateway.health()).toMatchObject({
    token: 'VALID',
    disk: 'down',
    budgets: [{ remaining: 0, isWritten: false }],
  })
})

test('the sandbox, begun anew over the STATE_DIR of an earlier one, answers after any end of that', async () => {
  const env = { STATE_DIR: folderOf() }
  for (const [cmId, end] of [
    [5, 'SIGINT'],
    [6, 'SIGKILL'],
    [7, 'SIGINT'],
  ] as const) {
    const gateway = await gateways.start(env)
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ artist(cmId: ${cmId}) { rank } }` }),
    })
    const { data, extensions } = await answer.json()
    expect([data.artist.rank, extensions.credits.spent]).toEqual([expect.any(Number), 1])
    gateway.signal(end)
    await gateway.exited
  }
}, 60_000)

test('where the disk is full, it is told once, everything is answered and counted, and the process ends as it should', async () => {
  const gateway = await gateways.start(
    {
      STATE_DIR: folderOf(),
      CREDITS_PER_DAY: '1000',
      OPERATION_TIMEOUT_MS: '90000',
      UPSTREAM_TIMEOUT_MS: '90000',
    },
    'test/fault/full.mjs',
  )
  const query = async (text: string) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text }),
    })
    return await response.json()
  }
  const rows = (min: number) =>
    `{ artistsByStat(stat: PLAT_A_FOLLOWERS, min: ${min}, max: 9000000000, first: 200) { nodes { artist { name } } } }`
  // A machine that is busy with other things may put the process under strain: then it is asked again.
  const patience = { timeout: 60_000, interval: 200 }
  const answered = (min: number) =>
    vi.waitFor(async () => expect(await query(rows(min))).not.toHaveProperty('errors'), patience)
  const disk = async (): Promise<string> => {
    const headers = { accept: 'application/json' }
    return (await (await fetch(`${gateway.operator}/credits`, { headers })).json()).health.disk
  }
  let asked = 0
  // Nobody waits for what is written: it is told when the disk gets to it.
  await vi.waitFor(async () => {
    await answered(++asked)
    expect(await disk()).toBe('down')
  }, patience)
  const lines = () => gateway.told().match(/Answers cannot be written/g)
  await vi.waitFor(() => expect(lines()).toHaveLength(1), patience)
  for (const end = asked + 5; asked < end; ) await answered(++asked)
  const { data } = await query('{ credits { spent budgets { remaining } } }')
  expect(data.credits).toEqual({ spent: asked, budgets: [{ remaining: 1000 - asked }] })
  gateway.signal('SIGTERM')
  expect(await gateway.exited).toBe(0)
}, 120_000)
