import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import type { Clock } from '../../src/upstream/transport/send.ts'
import { openGateway } from './gateway.ts'

/** A gateway on a fresh sandbox, both on one clock; `meter` is the sandbox's own. */
export const openRun = async ({
  env = {},
  sandbox: options = {},
  clock = systemClock,
}: {
  readonly env?: Record<string, string>
  readonly sandbox?: Partial<Parameters<typeof createSandbox>[0]>
  readonly clock?: Clock
} = {}) => {
  const sandbox = createSandbox({ clock, refreshToken: 'seed', ...options })
  const url = await sandbox.listen()
  const opened = openGateway(url, env, { clock })
  return {
    ...opened,
    url,
    sandbox,
    meter: sandbox.meter,
    async close() {
      await opened.gateway.close()
      await sandbox.close()
    },
  }
}

/** The same, closed when its test ends. */
export const run = async (...options: Parameters<typeof openRun>) => {
  const opened = await openRun(...options)
  onTestFinished(() => opened.close())
  return opened
}
