import { readFileSync } from 'node:fs'
import { systemClock } from './clock.ts'
import { type Config, type Environment, readConfig, tracesUrl } from './config.ts'
import { createGateway, type Recordings } from './gateway.ts'
import { createStrain } from './load.ts'
import { createSandbox } from './sandbox/server.ts'
import { createAdminServer } from './server/admin.ts'
import { createHttpServer } from './server/http.ts'
import { createShutdown, DRAIN_MS } from './server/shutdown.ts'
import { secret } from './upstream/token/secret.ts'

/** An address that nothing is sent to. */
const NOWHERE = 'http://127.0.0.1:9'
const SANDBOX_TOKEN = 'sandbox-refresh-token'

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const warn = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** The embedded sandbox in place of the service: its data is invented, its credits are not billed. */
const openSandbox = async (config: Config) => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: SANDBOX_TOKEN })
  const url = await sandbox.listen()
  say(`No UPSTREAM_URL: the sandbox upstream with invented data listens on ${url}`)
  return {
    url,
    config: {
      ...config,
      upstreamRefreshToken: secret(SANDBOX_TOKEN),
      upstreamRefreshTokenFile: undefined,
    },
    close: () => sandbox.close(),
  }
}

/** The configuration of these variables; undefined where they are at fault, which is told, and is the process's end. */
export const readProgram = (env: Environment): Config | undefined => {
  const reading = readConfig(env, (path) => readFileSync(path, 'utf8'))
  for (const line of reading.ok ? reading.warnings : reading.faults) warn(line)
  if (reading.ok) return reading.config
  process.exitCode = 1
  return undefined
}

const open = async (given: Config, recordings?: Recordings): Promise<void> => {
  const isClosed = recordings?.isClosed ?? false
  const sandbox =
    given.upstreamUrl === undefined && !isClosed ? await openSandbox(given) : undefined
  const config = sandbox?.config ?? given
  const traces = tracesUrl(config)
  const tracing =
    traces === undefined
      ? undefined
      : (await import('./telemetry/export.ts')).openTracing(traces, systemClock)
  const gateway = createGateway(config, sandbox?.url ?? given.upstreamUrl ?? NOWHERE, {
    strain: createStrain(),
    recordings,
    tracing,
  })
  await gateway.open()
  const server = createHttpServer(gateway, {
    port: config.port,
    host: config.host,
    graphiql: config.graphiql,
    sandbox: sandbox !== undefined,
  })
  const admin = createAdminServer(gateway, {
    port: config.adminPort,
    host: config.adminHost,
    isDraining: () => server.isDraining,
  })
  const { stop, crash } = createShutdown({
    server,
    gateway,
    others: [admin, ...(sandbox === undefined ? [] : [sandbox])],
    clock: systemClock,
    exit: (code) => process.exit(code),
  })
  process.on('SIGTERM', () => void stop(DRAIN_MS))
  // Whoever sits at a terminal waits for it, and no balancer does.
  process.on('SIGINT', () => void stop(0))
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(fault, (failure: unknown) => {
      gateway.log.error(`${fault}:`, failure)
      void crash()
    })

  if (!isClosed)
    gateway.transport.token
      .current({ deadline: Date.now() + config.operationTimeoutMs })
      .catch(() => warn(gateway.transport.token.problem ?? 'No access token yet.'))
  say(`Operator: ${await admin.listen()}/credits`)
  const address = await server.listen()
  say(config.graphiql ? `GraphiQL: ${address}/graphql` : `GraphQL: ${address}/graphql`)
}

/** Listens until it is told to stop: the gateway, the operator's port, and the sandbox where no service is named. */
export const openProgram = (config: Config, recordings?: Recordings): Promise<void> =>
  open(config, recordings).catch((failure: unknown) => {
    warn(failure instanceof Error ? failure.message : String(failure))
    process.exit(1)
  })
