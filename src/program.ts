import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { onRedis } from './cli/redis.ts'
import { systemClock } from './clock.ts'
import { type Config, describeConfig, type Environment, readConfig, tracesUrl } from './config.ts'
import { isNowhere, makeDirectory } from './directory.ts'
import { codeOf, wordsOf } from './errors.ts'
import { createGateway } from './gateway.ts'
import { createStrain } from './load.ts'
import { readEviction } from './redis/eviction.ts'
import { createSandbox } from './sandbox/server.ts'
import { createAdminServer } from './server/admin.ts'
import { createHttpServer } from './server/http.ts'
import { createShutdown, onSignals } from './server/shutdown.ts'
import { createWorkers, obey, placeOf } from './server/workers.ts'
import type { Recordings } from './storage.ts'
import { secret } from './upstream/token/secret.ts'

/** What the program does. */
export const USAGE = `node dist/main.js                 the gateway, which listens until it is told to stop
node dist/main.js --check-config  prints every setting, secrets masked, and ends with 1 where one is at fault
node dist/main.js --help          prints this

All settings are variables of the environment, listed in docs/reference.md; without any it listens on this machine only,
and invented data stands in for the service. "refrain --help" prints the commands beside it.`

/** An address that nothing is sent to. */
const NOWHERE = 'http://127.0.0.1:9'

/** Which of several workers this is, from 1; 0 where there is one process. */
const place = placeOf(process.argv)
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const warn = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/**
 * Percent by which the heap outgrows what is in use before it is cleared. V8 would let it grow to four times that, since
 * answers die old: each leaves its place to a newer one.
 */
const HEAP_SLACK_PERCENT = 50

const tendHeap = (): void => {
  setFlagsFromString(`--heap-growing-percent=${HEAP_SLACK_PERCENT}`)
  // After a crowd, when much outlives a look through the young, V8 makes all such objects old from their start and does
  // not come back from it: each that is garbage then keeps young ones, and they others, until all of the heap is cleared.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // On a single core, threads that look through the young beside the program only stand in its way.
  if (availableParallelism() === 1) setFlagsFromString('--no-parallel-scavenge')
}

/** How a worker learns of the sandbox that the first process opened: its address, `#` and its refresh token. */
const SANDBOX_AT = '--sandbox-at='

/** It forgets its tokens as it ends, so what STATE_DIR or Redis holds of an earlier one is not of its line. */
const beginSandbox = async () => {
  const refreshToken = `sandbox-refresh-${randomUUID()}`
  const { listen, close } = createSandbox({ clock: systemClock, refreshToken })
  return { url: await listen(), refreshToken, close }
}

const toldSandbox = () => {
  const told = process.argv.find((arg) => arg.startsWith(SANDBOX_AT))?.slice(SANDBOX_AT.length)
  if (told === undefined) return undefined
  const [url = '', refreshToken = ''] = told.split('#')
  return { url, refreshToken, close: async () => undefined }
}

/** The embedded sandbox in place of the service: its data is invented, its credits are not billed. */
const openSandbox = async (config: Config) => {
  const { url, refreshToken, close } = toldSandbox() ?? (await beginSandbox())
  return {
    url,
    told: `${SANDBOX_AT}${url}#${refreshToken}`,
    config: {
      ...config,
      upstreamRefreshToken: secret(refreshToken),
      upstreamRefreshTokenFile: undefined,
    },
    close,
  }
}

/** The configuration of these variables; undefined where they are at fault, which is told, and is the process's end. */
export const readProgram = (env: Environment): Config | undefined => {
  const reading = readConfig(env, (path) => readFileSync(path, 'utf8'))
  if (cluster.isPrimary)
    for (const line of reading.ok ? reading.warnings : reading.faults) warn(line)
  if (reading.ok) return reading.config
  process.exitCode = 1
  return undefined
}

/** Longest that a check waits for Redis. */
const CHECK_MS = 2_000

/** Prints the settings, and what Redis says of its own where there is one; a fault of those is the process's end too. */
export const checkProgram = async (config: Config): Promise<void> => {
  say(describeConfig(config))
  if (config.redisUrl === undefined) return
  try {
    const eviction = await onRedis(config.redisUrl.reveal(), readEviction, CHECK_MS)
    if (eviction === undefined) return
    warn(`REDIS_URL: ${eviction.text}`)
    if (eviction.loses) process.exitCode = 1
  } catch (failure) {
    warn(`REDIS_URL: not checked, ${failure instanceof Error ? failure.message : failure}`)
  }
}

/** Refuses a folder that can never be there; where rights or room lack, which may pass, memory has what is to be kept. */
const checkFolder = ({ stateDir }: Config): void => {
  if (stateDir === undefined) return
  try {
    makeDirectory(stateDir)
  } catch (failure) {
    if (isNowhere(failure))
      throw new Error(`STATE_DIR=${stateDir}: no folder can be made there (${codeOf(failure)})`)
  }
}

/** Opens workers on the same ports, and the sandbox that all of them ask. */
const openWorkers = async (config: Config): Promise<void> => {
  const sandbox = config.upstreamUrl === undefined ? await openSandbox(config) : undefined
  const workers = createWorkers({
    count: config.workers,
    args: sandbox === undefined ? [] : [sandbox.told],
    clock: systemClock,
    warn,
    ended: (code) => process.exit(code),
  })
  onSignals(process, workers.stop)
}

const open = async (given: Config, recordings?: Recordings): Promise<void> => {
  tendHeap()
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
    trustProxy: config.trustProxy,
  })
  const admin = createAdminServer(gateway, {
    // Each worker is a replica, and is looked at like one.
    port: config.adminPort === 0 ? 0 : config.adminPort + Math.max(0, place - 1),
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
  if (cluster.isWorker) obey((afterMs) => void stop(afterMs))
  else onSignals(process, (afterMs) => void stop(afterMs))
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(fault, (failure: unknown) => {
      gateway.log.error(`${fault}:`, failure)
      void crash()
    })

  const listen = async () => {
    const operator = await admin.listen()
    return { operator, address: await server.listen() }
  }
  // Said once all of them listen: where a port is taken, that is all that is said.
  const { operator, address } = await listen().catch(async (failure: unknown) => {
    await gateway.close()
    throw failure
  })
  if (!isClosed)
    gateway.transport.token
      .current({ deadline: Date.now() + config.operationTimeoutMs })
      .catch(() => warn(gateway.transport.token.problem ?? 'No access token yet.'))
  // One of the workers says what is the same for all of them.
  if (place <= 1 && sandbox !== undefined)
    say(`No UPSTREAM_URL: the sandbox upstream with invented data listens on ${sandbox.url}`)
  say(`Operator: ${operator}/credits`)
  if (place <= 1) say(`${config.graphiql ? 'GraphiQL' : 'GraphQL'}: ${address}/graphql`)
}

/** Listens until it is told to stop: the gateway, the operator's port, and the sandbox where no service is named. */
export const openProgram = (config: Config, recordings?: Recordings): Promise<void> => {
  const isFirst = config.workers > 1 && recordings === undefined && cluster.isPrimary
  const begin = async () => {
    checkFolder(config)
    await (isFirst ? openWorkers(config) : open(config, recordings))
  }
  return begin().catch((failure: unknown) => {
    warn(wordsOf(failure))
    process.exit(1)
  })
}
