import { createHash } from 'node:crypto'
import { afterAll, afterEach, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/server.ts'
import { buildGateway } from './gateway-process.ts'
import { useRedis } from './redis.ts'

interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the test's own query
  readonly data: any
  readonly errors: readonly {
    readonly message: string
    readonly extensions: { readonly code: string; readonly retryAfter?: number }
  }[]
  /** Of the errors. */
  readonly codes: readonly string[]
  /** Credits, with those of the tries before. */
  readonly spent: number
}

/** What a busy machine does to an operation. */
const BUSY = ['OVERLOADED', 'TIMEOUT']

/** Asks a process, and again where a busy machine refuses. */
export const ask = async (
  { url }: { readonly url: string },
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => {
  for (let spent = 0; ; ) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    })
    const { data, errors = [], extensions } = JSON.parse(await response.text())
    spent += extensions?.credits?.spent ?? 0
    const codes = (errors as Reply['errors']).map(({ extensions }) => extensions.code)
    if (!codes.some((code) => BUSY.includes(code))) return { data, errors, codes, spent }
    await systemClock.sleep(200)
  }
}

export const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { name } }`

/** So many callers of each, who ask for some artists in turn. */
export const askAll = async (
  replicas: readonly { readonly url: string }[],
  each: number,
  { first, distinct }: { readonly first: number; readonly distinct: number },
) => {
  const replies = await Promise.all(
    replicas.flatMap((replica) =>
      Array.from({ length: each }, (_, at) => ask(replica, artist(first + (at % distinct)))),
    ),
  )
  return {
    codes: replies.flatMap(({ codes }) => codes),
    spent: replies.reduce((sum, { spent }) => sum + spent, 0),
  }
}

/** A service, and replicas in front of it as an operator runs them: processes that share one Redis and nothing else. */
export const useReplicas = () => {
  const redis = useRedis()
  const gateways = buildGateway()
  const sandboxes: Sandbox[] = []
  afterEach(async () => {
    await gateways.end()
    for (const sandbox of sandboxes.splice(0)) await sandbox.close()
    await redis.renew()
  })
  afterAll(gateways.close)

  /** `first` is run in each process before the gateway. */
  const open = async (
    count: number,
    options: Partial<SandboxOptions> = {},
    env: Readonly<Record<string, string>> = {},
    first?: string,
  ) => {
    const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', ...options })
    sandboxes.push(sandbox)
    const settings = {
      UPSTREAM_URL: await sandbox.listen(),
      UPSTREAM_REFRESH_TOKEN: 'seed',
      STATE_DIR: 'off',
      REDIS_URL: redis.url,
      REPLICAS_MAX: '6',
      // A busy machine is no slow service.
      UPSTREAM_TIMEOUT_MS: '60000',
      OPERATION_TIMEOUT_MS: '60000',
      ...env,
    }
    const begin = (own: Readonly<Record<string, string>> = {}) =>
      gateways.start({ ...settings, ...own }, first)
    const [one, two, three, ...more] = await Promise.all(
      Array.from({ length: count }, () => begin()),
    )
    const none = (): never => {
      throw new Error(`Only ${count} replicas were opened`)
    }
    const replicas = [one, two, three, ...more].filter((replica) => replica !== undefined)
    return {
      sandbox,
      meter: sandbox.meter,
      replicas,
      /** By their places; to ask for one that was not opened is a mistake of the test. */
      get first() {
        return one ?? none()
      },
      get second() {
        return two ?? none()
      },
      get third() {
        return three ?? none()
      },
      open: begin,
    }
  }
  return { redis, open, end: gateways.end }
}

export type Replica = Awaited<ReturnType<ReturnType<typeof buildGateway>['start']>>

/** The end that no process has a say in. */
export const kill = async (replica: Replica | undefined): Promise<void> => {
  replica?.signal('SIGKILL')
  await replica?.exited
}

/** What a process tells its operator. */
export const healthOf = async ({ operator }: Replica) => {
  const response = await fetch(`${operator}/readyz`)
  return JSON.parse(await response.text())
}

/** Its clock goes ahead, as `test/fault/ahead.mjs` was told. */
export const advance = async (replica: Replica): Promise<void> => {
  const times = () => replica.told().split('It is ').length
  const before = times()
  replica.signal('SIGUSR2')
  await vi.waitFor(() => {
    if (times() === before) throw new Error('It does not go ahead')
  }, 30_000)
}

export const DOCUMENT = '{ artist(cmId: 5) { cmId } }'
const HASH = createHash('sha256').update(DOCUMENT).digest('hex')

/** The artist that a process gives to whoever sends the hash of a document, alone or with it; else the code of its error. */
export const byHash = async ({ url }: Replica, query?: string): Promise<unknown> => {
  const persistedQuery = { version: 1, sha256Hash: HASH }
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, extensions: { persistedQuery } }),
  })
  const { data, errors } = JSON.parse(await response.text())
  return errors?.[0].extensions.code ?? data.artist.cmId
}
