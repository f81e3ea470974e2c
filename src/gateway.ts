import { createYoga } from 'graphql-yoga'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createContext } from './context.ts'
import { createLog } from './log.ts'
import { useBounds } from './plugins/bounds.ts'
import { useCreditReport } from './plugins/credits.ts'
import { maskError, useErrorCodes } from './plugins/errors.ts'
import { schema } from './schema/index.ts'
import { createUpstream } from './upstream/client.ts'
import { directivesOf } from './upstream/freshness.ts'
import { createMemoryShelf } from './upstream/shelf.ts'
import { createTransport } from './upstream/transport/index.ts'
import type { Clock } from './upstream/transport/send.ts'

const MEGABYTE = 1024 * 1024
const MOST_BODY_BYTES = 100_000

export interface GatewayParts {
  readonly clock?: Clock
  readonly random?: () => number
}

/** The gateway, wired but not listening. `baseUrl` is the service, or the sandbox in its place. */
export const createGateway = (
  config: Config,
  baseUrl: string,
  { clock = systemClock, random = Math.random }: GatewayParts = {},
) => {
  const transport = createTransport(
    {
      baseUrl,
      refreshToken: config.upstreamRefreshToken,
      stateDir: config.stateDir ?? 'off',
      stateKey: config.stateKey,
      concurrency: config.upstreamConcurrency,
      rps: config.upstreamRps,
      timeoutMs: config.upstreamTimeoutMs,
      billed: config.billed,
    },
    clock,
    { random },
  )
  const shelf = createMemoryShelf(config.cacheMaxMb * MEGABYTE)
  const upstream = createUpstream(transport.send, shelf, clock)
  const yoga = createYoga({
    schema,
    context: ({ request }) =>
      createContext(upstream, {
        operationTimeoutMs: config.operationTimeoutMs,
        directives: directivesOf(request.headers.get('cache-control')),
        reportsCredits: request.headers.get('x-credits-report') !== 'off',
      }),
    plugins: [useBounds(), useCreditReport(), useErrorCodes()],
    maskedErrors: { maskError },
    maxRequestBodySize: MOST_BODY_BYTES,
    multipart: false,
    graphiql: false,
    landingPage: false,
    cors: config.corsOrigins.length === 0 ? false : { origin: [...config.corsOrigins] },
    logging: createLog(
      config.logLevel,
      () => clock.now(),
      (line) => process.stderr.write(line),
    ),
  })
  return {
    yoga,
    upstream,
    transport,
    /** Whether something can be answered: by the service, or from what is held. */
    isReady: () => ['VALID', 'REFRESHING'].includes(transport.token.state) || shelf.bytes > 0,
    close: () => transport.close(),
  }
}

export type Gateway = ReturnType<typeof createGateway>
