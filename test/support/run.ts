import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openGateway } from './gateway.ts'

/** A gateway on a fresh sandbox; `meter` is the sandbox's own. */
export const openRun = async ({
  env = {},
  sandbox: options = {},
}: {
  readonly env?: Record<string, string>
  readonly sandbox?: Partial<Parameters<typeof createSandbox>[0]>
} = {}) => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', ...options })
  const opened = openGateway(await sandbox.listen(), env)
  return {
    ...opened,
    sandbox,
    meter: sandbox.meter,
    async close() {
      await opened.gateway.close()
      await sandbox.close()
    },
  }
}
