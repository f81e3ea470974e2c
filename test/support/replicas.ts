import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { buildGateway } from './gateway-process.ts'

interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the test's own query
  readonly data: any
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
    const codes: string[] = errors.map(
      (error: { extensions: { code: string } }) => error.extensions.code,
    )
    if (!codes.some((code) => BUSY.includes(code))) return { data, codes, spent }
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
export const buildReplicas = () => {
  const { start, end, close } = buildGateway()
  return {
    end,
    close,
    async open(
      redisUrl: string,
      count: number,
      options: Partial<Parameters<typeof createSandbox>[0]> = {},
      env: Readonly<Record<string, string>> = {},
    ) {
      const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', ...options })
      const settings = {
        UPSTREAM_URL: await sandbox.listen(),
        UPSTREAM_REFRESH_TOKEN: 'seed',
        STATE_DIR: 'off',
        REDIS_URL: redisUrl,
        REPLICAS_MAX: '6',
        // A busy machine is no slow service.
        UPSTREAM_TIMEOUT_MS: '60000',
        OPERATION_TIMEOUT_MS: '60000',
        ...env,
      }
      const open = (own: Readonly<Record<string, string>> = {}) => start({ ...settings, ...own })
      const replicas = await Promise.all(Array.from({ length: count }, () => open()))
      return { sandbox, replicas, open }
    },
  }
}

export type Replica = Awaited<ReturnType<ReturnType<typeof buildGateway>['start']>>

/** The end that no process has a say in. */
export const kill = async (replica: Replica | undefined): Promise<void> => {
  replica?.signal('SIGKILL')
  await replica?.exited
}
