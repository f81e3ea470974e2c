import { expect, onTestFinished } from 'vitest'
import { createSandbox } from '../../src/sandbox/server.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { hurriedClock } from '../support/hurry.ts'
import { atRandom, openProxy } from '../support/proxy.ts'

/** A gateway that reaches its sandbox through a proxy. */
export const opened = async (
  env: Record<string, string> = {},
  how: Parameters<typeof openProxy>[1] = {},
) => {
  const { clock, run } = hurriedClock('2026-03-10T06:00:00Z')
  const sandbox = createSandbox({ clock, refreshToken: 'seed', flawedRows: false })
  const proxy = await openProxy(await sandbox.listen(), { sleep: clock.sleep, ...how })
  const { gateway, query } = openGateway(proxy.url, env, { clock })
  onTestFinished(async () => {
    await gateway.close()
    await proxy.close()
    await sandbox.close()
  })
  const artist = (cmId: number) => query(`{ artist(cmId: ${cmId}) { cmId name } }`)
  return { sandbox, proxy, gateway, artist, run, spent: () => gateway.upstream.book.spent }
}

/** Some connections end behind their answer, although they promised to stay. */
export const idleEndsFailNobody = async (calls: number): Promise<void> => {
  const seed = Number(process.env.SEED ?? 5)
  let state = seed
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const { proxy, artist, sandbox, spent } = await opened()
  proxy.play(atRandom(random, 0.1, [{ ends: true }]))
  let failed = 0
  for (let at = 0; at < calls; at += 1) failed += (await artist(10 + at)).errors.length
  expect(failed).toBe(0)
  expect(proxy.connections).toBeGreaterThan(calls / 20)
  expect(spent()).toBeGreaterThanOrEqual(sandbox.meter.credits)
  const extra = spent() - calls
  expect(extra).toBeLessThanOrEqual(Math.ceil(calls * 0.001))
  figure(
    `N14: idle keep-alive closed at random (seed ${seed}): ${calls} calls over ${proxy.connections} connections, 0 failed, ${extra} extra credits`,
  )
}
