import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { figure } from '../support/figure.ts'
import { buildGateway } from '../support/gateway-process.ts'

const ROUNDS = Number(process.env.RUNS ?? 4)
const CLIENTS = 8
const SLOTS = 16
const LIMIT = 1_000_000
/** A round ends with its first request, or in the midst of its load. */
const MOST_REQUESTS = 100

let gateways: ReturnType<typeof buildGateway>
beforeAll(() => {
  gateways = buildGateway()
}, 120_000)
afterAll(() => gateways.close())

const HELD = '{ artist(cmId: 5) { name } }'
const BUDGET = '{ credits { spent budgets { remaining } } }'

const post = async (url: string, query: string) => {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return answer.json()
}

test(`killed at any moment of its work, ${ROUNDS} times: the ledger, the token and the disk are right after each`, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  let state = (seed % 2_147_483_646) + 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const sandbox = createSandbox({
    clock: systemClock,
    refreshToken: 'seed',
    flawedRows: false,
    // What strict rotation makes of an answer that was never saved is T5.
    rotation: 'grace',
    tokenLifetime: 5,
    latencyMs: 20,
  })
  const stateDir = await mkdtemp(join(tmpdir(), 'refrain-killed-'))
  const env = {
    UPSTREAM_URL: await sandbox.listen(),
    UPSTREAM_REFRESH_TOKEN: 'seed',
    STATE_DIR: stateDir,
    CREDITS_PER_MONTH: String(LIMIT),
    UPSTREAM_CONCURRENCY: String(SLOTS),
  }
  onTestFinished(async () => {
    await sandbox.close()
    await rm(stateDir, { recursive: true })
  })
  const metered = () => sandbox.meter.credits
  /** Takes what the budget says against the meter: never less, and more by what was on its way at each kill only. */
  const audit = async (url: string, kills: number): Promise<number> => {
    const [{ remaining }] = (await post(url, BUDGET)).data.credits.budgets
    const lost = LIMIT - Number(remaining) - metered()
    expect(lost, `seed ${seed}`).toBeGreaterThanOrEqual(0)
    expect(lost, `seed ${seed}`).toBeLessThanOrEqual(kills * SLOTS)
    return lost
  }

  const first = await gateways.start(env)
  const held = await post(first.url, HELD)
  expect(held.data.artist.name).toEqual(expect.any(String))
  first.signal('SIGTERM')
  expect(await first.exited).toBe(0)

  let id = 1_000
  let answered = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const gateway = await gateways.start(env)
    await audit(gateway.url, round)
    const before = metered()
    expect((await post(gateway.url, HELD)).data).toEqual(held.data)
    expect(metered()).toBe(before)
    let isOver = false
    const client = async () => {
      while (!isOver) {
        id += 1
        const cmId = id
        const said = await post(
          gateway.url,
          `{ track(cmId: ${cmId}) { cmId name } artist(cmId: 5) { name } }`,
        ).catch(() => undefined)
        if (said === undefined) return
        expect(said.errors, `seed ${seed}`).toBeUndefined()
        expect(said.data).toMatchObject({ track: { cmId }, ...held.data })
        answered += 1
      }
    }
    const load = Promise.all(Array.from({ length: CLIENTS }, client))
    const enough = metered() + Math.floor(random() * MOST_REQUESTS)
    while (metered() < enough) await wait(1)
    gateway.signal('SIGKILL')
    await gateway.exited
    isOver = true
    await load
    // What was sent before it died reaches the service after it.
    await wait(100)
  }

  const last = await gateways.start(env)
  const lost = await audit(last.url, ROUNDS)
  expect((await post(last.url, '{ album(cmId: 5) { name } }')).errors).toBeUndefined()
  await audit(last.url, ROUNDS)
  expect(sandbox.meter.tokenRefusals).toBe(0)
  expect(answered).toBeGreaterThan(0)
  last.signal('SIGTERM')
  expect(await last.exited).toBe(0)
  figure(
    `kill -9 under load, ${ROUNDS} times, seed ${seed}: ${answered} answers, ${metered()} credits metered, ${lost} more in the budget, ${sandbox.meter.tokenCalls} exchanges, 0 refused`,
  )
}, 600_000)
