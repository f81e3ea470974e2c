import { startLine } from './line.ts'
import type { ProbeWords } from './probe.ts'
import { DEADLINE_MS } from './traffic.ts'

const CONCURRENCY = 8
const CACHE_MB = 4
const DISK_MB = 12
export const BOUNDS = {
  concurrency: CONCURRENCY,
  cacheBytes: CACHE_MB * 1024 * 1024,
  diskBytes: DISK_MB * 1024 * 1024,
}

interface Health {
  readonly token: string
  readonly problem: string | null
  readonly pausedUntil: string | null
  readonly leftAlone: readonly string[]
  readonly requests: { readonly running: number; readonly waiting: number }
  readonly cacheBytes: number
  readonly load: string
}

export interface Ledger {
  readonly spent: number
  readonly backgroundSpent: number
  readonly saved: number
  readonly byEndpoint: readonly { readonly name: string; readonly spent: number }[]
}

const LEDGER = '{ credits { spent backgroundSpent saved byEndpoint { name spent } } }'

const addressIn = (printed: string, what: string): string | undefined =>
  new RegExp(`${what}: (http\\S+:\\d+)`).exec(printed)?.[1]

/** The gateway as an operator runs it, in a process of its own, with a probe in it. */
export const startGateway = async (upstream: string, stateDir: string) => {
  const line = startLine<ProbeWords>(new URL('../../src/main.js', import.meta.url), {
    execArgv: ['--expose-gc', '--import', new URL('./probe.js', import.meta.url).href],
    env: {
      PORT: '0',
      ADMIN_PORT: '0',
      GRAPHIQL: '0',
      UPSTREAM_URL: upstream,
      UPSTREAM_REFRESH_TOKEN: 'soak-refresh-token',
      STATE_DIR: stateDir,
      UPSTREAM_CONCURRENCY: String(CONCURRENCY),
      UPSTREAM_TIMEOUT_MS: '2000',
      OPERATION_TIMEOUT_MS: String(DEADLINE_MS),
      CACHE_MAX_MB: String(CACHE_MB),
      DISK_MAX_MB: String(DISK_MB),
      CREDITS_PER_MONTH: '100000000',
      LOG_LEVEL: 'warn',
    },
  })
  const until = Date.now() + 30_000
  while (addressIn(line.printed, 'GraphQL') === undefined) {
    if (line.ended !== undefined || Date.now() > until)
      throw new Error(`the gateway does not start: ${line.printed}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const url = addressIn(line.printed, 'GraphQL') ?? ''
  const admin = addressIn(line.printed, 'Operator') ?? ''

  return {
    url,
    line,
    async health(): Promise<Health> {
      return (await fetch(`${admin}/readyz`)).json()
    },
    async ledger(): Promise<Ledger> {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: LEDGER }),
      })
      return (await answer.json()).data.credits
    },
  }
}

export type RunningGateway = Awaited<ReturnType<typeof startGateway>>
