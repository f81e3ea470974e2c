import { readFile } from 'node:fs/promises'
import { boundIn, readClients } from './clients/client.ts'
import { createRegister } from './clients/register.ts'
import { createRoll } from './clients/roll.ts'
import { createTokens } from './clients/token.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createBook } from './credits/book.ts'
import { createBudget } from './credits/budget.ts'
import { figuresOf } from './credits/figures.ts'
import { createLedger } from './credits/ledger.ts'
import type { Period } from './credits/period.ts'
import { createDoor } from './door.ts'
import { healthOf } from './health.ts'
import { createLoad, type Strain } from './load.ts'
import { createLog, type Log } from './log.ts'
import { createLibrary } from './plugins/library.ts'
import { createReplica } from './replica.ts'
import { createStorage, type Recordings } from './storage.ts'
import type { Tracing } from './telemetry/export.ts'
import { createMeters } from './telemetry/meters.ts'
import { createUpstream } from './upstream/client.ts'
import { createCommons } from './upstream/commons.ts'
import { createDrift } from './upstream/drift.ts'
import { createPurges } from './upstream/purge.ts'
import { createRedaction } from './upstream/redaction.ts'
import type { Tier } from './upstream/shelf.ts'
import { createReseeding } from './upstream/token/seed.ts'
import { createTransport } from './upstream/transport/index.ts'
import type { Clock } from './upstream/transport/send.ts'
import { watch } from './watch.ts'

/** Share of a budget that is kept for those who ask. */
const KEPT_BACK = 0.1

export interface GatewayParts {
  readonly clock?: Clock
  readonly random?: () => number
  /** Most milliseconds that anything waits for Redis. */
  readonly redisLimitMs?: number
  /** Measured once a second; none where nobody measures it. */
  readonly strain?: () => Strain
  readonly recordings?: Recordings | undefined
  /** Where operations and their requests are traced; nowhere where it is not said. */
  readonly tracing?: Tracing | undefined
}

const noEnd = () => undefined

const tokensOf = ({ jwtIssuer, jwtJwksUrl, jwtAudience }: Config, clock: Clock, log: Log) =>
  jwtIssuer === undefined || jwtJwksUrl === undefined || jwtAudience === undefined
    ? undefined
    : createTokens(
        { issuer: jwtIssuer, jwksUrl: jwtJwksUrl, audience: jwtAudience },
        clock,
        log.warn,
      )

/** The gateway, wired but not listening. `baseUrl` is the service, or the sandbox in its place. */
export const createGateway = (
  config: Config,
  baseUrl: string,
  {
    clock = systemClock,
    random = Math.random,
    redisLimitMs: limitMs,
    strain,
    recordings,
    tracing,
  }: GatewayParts = {},
) => {
  const now = () => clock.now()
  const meters = createMeters(clock)
  const load = createLoad(clock, config.upstreamConcurrency, strain && meters.noting(strain))
  const log = createLog(config.logLevel, now, (line) => process.stderr.write(line))
  const replica = createReplica(config, log, limitMs, meters.watchRedis)
  const { redis, board, tallies, sharers } = replica
  const book = createBook(now)
  const drift = createDrift()
  const books = replica.books(() => figuresOf(book, drift.counts), clock)
  const budgetOf = (period: Period, limit: number, client?: string) =>
    createBudget(period, limit, tallies, now, client)
  const ofAll = (period: Period, limit: number | undefined) =>
    limit === undefined ? [] : [budgetOf(period, limit)]
  const budgets = [...ofAll('DAY', config.creditsPerDay), ...ofAll('MONTH', config.creditsPerMonth)]
  const roll = createRoll(config.clientsFile?.entries ?? [], {
    read(text) {
      const entries = readClients(text, config.jwtIssuer !== undefined)
      const bound = boundIn(entries)
      // The rest of the file is taken over all the same: it may take a right back.
      if (bound !== undefined && config.documentsFile === undefined)
        log.warn(
          `CLIENTS_FILE: client ${bound} is bound to trusted documents, and DOCUMENTS_FILE is not set: it is answered nothing, and the next start is refused`,
        )
      return entries
    },
    budgetOf,
    say: log,
  })
  const register = createRegister(now, log.warn)
  const background = createLedger({ book, purses: budgets })
  const transport = createTransport(
    {
      baseUrl,
      refreshToken: config.upstreamRefreshToken,
      stateDir: config.stateDir ?? 'off',
      stateKey: config.stateKey,
      concurrency: config.upstreamConcurrency,
      rps: config.upstreamRps,
      sharers,
      timeoutMs: config.upstreamTimeoutMs,
      billed: config.billed,
    },
    clock,
    {
      random,
      board,
      ledger: background,
      warn: log.warn,
      watches: [meters.watch, ...(tracing ? [tracing.watch] : [])],
    },
  )
  const seedFile = config.upstreamRefreshTokenFile
  const looks: ReturnType<typeof watch>[] = []
  const watchFile = (file: string, take: (text: string) => Promise<void>) =>
    looks.push(watch(() => readFile(file, 'utf8'), take, clock))
  const { shelf, facts, packed, ownDisk, disk, bytes } = createStorage(config, log, recordings)
  if (disk?.isClosed) transport.gate.close()
  const mayRefresh = () =>
    load.level === 'calm' && budgets.every(({ remaining, limit }) => remaining > limit * KEPT_BACK)
  // What is recorded is what the service says to this process, and is given to no other without its secrets.
  const commons = redis && recordings === undefined ? createCommons(redis, clock) : undefined
  const upstream = createUpstream({
    send: recordings === undefined ? transport.step : createRedaction(transport.step),
    shelf,
    disk,
    facts,
    packed,
    commons,
    clock,
    book,
    books,
    drift,
    background,
    mayRefresh,
    crowd: load,
  })
  const { finished, ...door } = createDoor(config, {
    upstream,
    budgets,
    roll,
    library: redis && createLibrary(redis),
    tokens: tokensOf(config, clock, log),
    log,
    finishedBytes: bytes.finished,
    draftBytes: bytes.drafts,
    follow: (beginning) => {
      register.enter(beginning.labels.client)
      return tracing?.follow(beginning) ?? noEnd
    },
    register,
    during: load.during,
  })
  const purges =
    redis &&
    createPurges(board, async (isMeant) => {
      shelf.purge(isMeant)
      finished.clear()
      await ownDisk?.purge(isMeant)
    })
  return {
    ...door,
    upstream,
    budgets,
    /** Those of clients, as they are at the moment. */
    get clientBudgets() {
      return roll.budgets
    },
    transport,
    load,
    log,
    meters,
    register,
    /** Whether something can be answered: by the service, or from what is held. */
    isReady: () =>
      ['VALID', 'REFRESHING'].includes(transport.token.state) ||
      shelf.bytes > 0 ||
      (disk?.size ?? 0) > 0,
    redis,
    commons,
    /** Where answers lie: finished ones, those in memory, and those on disk. */
    tiers: (): Readonly<Record<string, Tier>> => ({
      finished: finished.figures,
      memory: shelf,
      ...(disk && { disk }),
    }),
    health: () =>
      healthOf({
        transport,
        load,
        register,
        shelf,
        disk: config.stateDir === undefined ? undefined : (ownDisk?.isWritten ?? false),
        redis,
        budgets,
        now,
      }),
    /** Reads what earlier processes spent, and watches for a new refresh token. */
    async open() {
      await redis?.open()
      for (const budget of budgets) await budget.open()
      redis?.onUp(() => void transport.restore())
      redis?.onUp(() => purges?.look())
      books.open(() => void transport.restore())
      await roll.open()
      if (looks.length > 0) return
      const { clientsFile } = config
      if (clientsFile !== undefined) watchFile(`${clientsFile}`, roll.reread)
      if (seedFile !== undefined)
        watchFile(
          seedFile,
          createReseeding(transport.token.reseed, (fault) =>
            log.warn(`UPSTREAM_REFRESH_TOKEN_FILE: ${fault}`),
          ),
        )
    },
    async close() {
      for (const { close } of looks.splice(0)) close()
      load.close()
      await transport.close()
      if (transport.token.unsaved)
        log.error('The newest refresh token could not be saved, and is lost with this process')
      for (const budget of budgets) await budget.close()
      await roll.close()
      await books.close()
      await disk?.close()
      await tracing?.close()
      await redis?.close()
    },
  }
}

export type Gateway = ReturnType<typeof createGateway>
