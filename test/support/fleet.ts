import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { GatewayParts } from '../../src/gateway.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openGateway } from './gateway.ts'
import { openLink } from './redis.ts'

type Options = Partial<Parameters<typeof createSandbox>[0]>

/** Replicas on one empty Redis, in front of one service that ends a refresh token with its first use. */
export const openFleet = async (
  redisUrl: string,
  count: number,
  options: Options = {},
  env: Record<string, string> = {},
  redisLimitMs = 30_000,
) => {
  const link = await openLink(redisUrl)
  await link.run(`redis.call('FLUSHALL')`, [], [])
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', ...options })
  const url = await sandbox.listen()
  const open = async (own: Record<string, string> = {}, files = '', parts: GatewayParts = {}) => {
    const settings = {
      REDIS_URL: redisUrl,
      REPLICAS_MAX: String(Math.max(1, count)),
      ...env,
      ...own,
    }
    const opened = openGateway(url, settings, { redisLimitMs, ...parts }, files)
    await opened.gateway.open()
    return opened
  }
  const replicas = await Promise.all(Array.from({ length: count }, () => open()))
  onTestFinished(async () => {
    for (const { gateway } of replicas) await gateway.close()
    await sandbox.close()
    await link.close()
  })
  return { replicas, sandbox, link, open, url }
}
