import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { figure } from '../support/figure.ts'
import { build, startBuilt } from '../support/process.ts'
import { startRedis } from '../support/redis.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
let built: ReturnType<typeof build>
beforeAll(async () => {
  redis = await startRedis()
  built = build('redis')
})
afterAll(async () => {
  built.remove()
  await redis.stop()
})

const openService = async () => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed' })
  const url = await sandbox.listen()
  onTestFinished(() => sandbox.close())
  return { sandbox, url }
}

/** Processes as an operator runs them, each of so many workers. */
const start = async (count: number, service: string, variables: Record<string, string> = {}) => {
  const programs = await Promise.all(
    Array.from({ length: count }, () =>
      startBuilt(built.dist, {
        UPSTREAM_URL: service,
        UPSTREAM_REFRESH_TOKEN: 'seed',
        STATE_DIR: 'off',
        REDIS_URL: redis.url,
        REPLICAS_MAX: '6',
        UPSTREAM_TIMEOUT_MS: '60000',
        OPERATION_TIMEOUT_MS: '60000',
        ...variables,
      }),
    ),
  )
  onTestFinished(async () => {
    for (const { kill } of programs) await kill()
  })
  return programs
}

const BUSY = ['OVERLOADED', 'TIMEOUT']

/** Asks, and again where a busy machine refuses. */
const ask = async (url: string, cmId: number): Promise<number> => {
  for (let spent = 0; ; ) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ artist(cmId: ${cmId}) { name } }` }),
    })
    const { data, errors, extensions } = JSON.parse(await response.text())
    spent += extensions?.credits?.spent ?? 0
    if (data?.artist) return spent
    if (!BUSY.includes(errors[0].extensions.code)) throw new Error(JSON.stringify(errors))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const askAll = async (urls: readonly string[], each: number, first: number) => {
  const answers = await Promise.all(
    urls.flatMap((url) => Array.from({ length: each }, (_, at) => ask(url, first + (at % 20)))),
  )
  return answers.reduce((sum, spent) => sum + spent, 0)
}

describe('three processes of two workers each', () => {
  it('exchange one token, pay for what they sent, and go on where one is killed', async () => {
    const { sandbox, url } = await openService()
    const programs = await start(3, url, { WORKERS: '2' })
    const urls = programs.map((program) => program.url)
    const spent = await askAll(urls, 100, 2)
    const { meter } = sandbox
    figure('T2', `${meter.tokenCalls} exchange of 3 processes of 2 workers`)
    figure('C1', `${meter.credits} credits for 20 distinct keys asked for 300 times`)
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([1, 0])
    expect(meter.credits).toBe(spent)
    // A Redis that a busy machine lets wait for 100 ms is passed over, which costs a credit and no token.
    expect(meter.credits).toBeGreaterThanOrEqual(20)
    expect(meter.credits).toBeLessThanOrEqual(6 * 20)

    await programs[0]?.kill()
    const later = await askAll(urls.slice(1), 40, 1_000)
    expect(meter.credits).toBe(spent + later)
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([1, 0])
    expect(await programs[1]?.stop()).toBe(0)
  })
})
