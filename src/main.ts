import { readFileSync } from 'node:fs'
import { systemClock } from './clock.ts'
import { type Config, describeConfig, readConfig } from './config.ts'
import { createGateway } from './gateway.ts'
import { createStrain } from './load.ts'
import { createSandbox } from './sandbox/server.ts'
import { createAdminServer } from './server/admin.ts'
import { createHttpServer } from './server/http.ts'
import { createShutdown, DRAIN_MS } from './server/shutdown.ts'
import { secret } from './upstream/token/secret.ts'

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

const open = async (given: Config): Promise<void> => {
  const sandbox = given.upstreamUrl === undefined ? await openSandbox(given) : undefined
  const config = sandbox?.config ?? given
  const gateway = createGateway(config, sandbox?.url ?? given.upstreamUrl ?? '', {
    strain: createStrain(),
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

  gateway.transport.token
    .current({ deadline: Date.now() + config.operationTimeoutMs })
    .catch(() => warn(gateway.transport.token.problem ?? 'No access token yet.'))
  say(`Operator: ${await admin.listen()}/credits`)
  const address = await server.listen()
  say(config.graphiql ? `GraphiQL: ${address}/graphql` : `GraphQL: ${address}/graphql`)
}

const reading = readConfig(process.env, (path) => readFileSync(path, 'utf8'))
if (!reading.ok) {
  for (const fault of reading.faults) warn(fault)
  process.exitCode = 1
} else if (process.argv.includes('--check-config')) {
  say(describeConfig(reading.config))
} else {
  for (const warning of reading.warnings) warn(warning)
  await open(reading.config).catch((failure: unknown) => {
    warn(failure instanceof Error ? failure.message : String(failure))
    process.exit(1)
  })
}
