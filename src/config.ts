import type { Entry } from './clients/client.ts'
import { contradictions, doubts } from './config/contradiction.ts'
import { createReader, type Reader } from './config/reader.ts'
import {
  address,
  baseUrl,
  billed,
  flag,
  host,
  key,
  masked,
  networks,
  oneOf,
  origins,
  path,
  positive,
  redisUrl,
  secrets,
  whole,
  word,
  workers,
} from './setting.ts'
import { type Billed, parseBilled } from './upstream/transport/meter.ts'

/** The variables of a process; an empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Every setting, under its variable's name in camel case; undefined: not set and without a default. */
export type Config = Readonly<ReturnType<typeof settings>>

/** The clients of a file, and where it is. */
export interface ClientsFile {
  readonly entries: readonly Entry[]
  toString(): string
}

/** A configuration, or everything that is wrong with it. */
export type Reading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly faults: readonly string[] }

const settings = (reader: Reader) => {
  const { read, optional, token, clients, documents, given } = reader
  const nodeEnv = given('NODE_ENV') ?? 'development'
  const production = nodeEnv === 'production'
  const sandbox = read('SANDBOX', flag, !production && given('UPSTREAM_URL') === undefined)
  const stateDir = read('STATE_DIR', path, sandbox ? 'off' : '.refrain')
  return {
    nodeEnv,
    port: read('PORT', whole(0, 65_535), 4000),
    host: read('HOST', host, '127.0.0.1'),
    public: read('PUBLIC', flag, false),
    adminPort: read('ADMIN_PORT', whole(0, 65_535), 4001),
    adminHost: read('ADMIN_HOST', host, '127.0.0.1'),
    /** Without a slash at its end; undefined exactly where `sandbox` holds. */
    upstreamUrl: optional('UPSTREAM_URL', baseUrl),
    sandbox,
    upstreamRefreshToken: token('UPSTREAM_REFRESH_TOKEN'),
    upstreamRefreshTokenFile: optional('UPSTREAM_REFRESH_TOKEN_FILE', path),
    allowPlaintext: read('ALLOW_PLAINTEXT', flag, false),
    /** Undefined: nothing is written to disk. */
    stateDir: stateDir === 'off' ? undefined : stateDir,
    stateKey: optional('STATE_KEY', key),
    redisUrl: optional('REDIS_URL', redisUrl),
    replicasMax: read('REPLICAS_MAX', whole(1, 10_000), 1),
    workers: read('WORKERS', workers, 1),
    creditsPerDay: optional('CREDITS_PER_DAY', whole(0, 1_000_000_000)),
    creditsPerMonth: optional('CREDITS_PER_MONTH', whole(0, 1_000_000_000)),
    creditsPerOperation: read('CREDITS_PER_OPERATION', whole(0, 1_000_000), 200),
    billed: read('BILLED', billed, parseBilled('all-but:401,token')),
    diskMaxMb: read('DISK_MAX_MB', whole(1, 1_000_000), 2048),
    cacheMaxMb: read('CACHE_MAX_MB', whole(1, 1_000_000), 256),
    upstreamConcurrency: read('UPSTREAM_CONCURRENCY', whole(1, 1000), 16),
    upstreamRps: optional('UPSTREAM_RPS', positive(10_000)),
    upstreamTimeoutMs: read('UPSTREAM_TIMEOUT_MS', whole(100, 600_000), 8000),
    operationTimeoutMs: read('OPERATION_TIMEOUT_MS', whole(100, 600_000), 10_000),
    trustProxy: read('TRUST_PROXY', networks, []),
    corsOrigins: read('CORS_ORIGINS', origins, []),
    graphiql: read('GRAPHIQL', flag, !production),
    introspection: read('INTROSPECTION', flag, !production),
    federationSecret: read('FEDERATION_SECRET', secrets, []),
    clientsFile: clients('CLIENTS_FILE'),
    jwtIssuer: optional('JWT_ISSUER', word),
    jwtJwksUrl: optional('JWT_JWKS_URL', address),
    jwtAudience: optional('JWT_AUDIENCE', word),
    documentsFile: documents('DOCUMENTS_FILE'),
    documentsOnly: read('DOCUMENTS_ONLY', flag, false),
    nodeInterface: read('NODE_INTERFACE', flag, true),
    otelExporterOtlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl),
    otelExporterOtlpTracesEndpoint: optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', baseUrl),
    otelTracesExporter: read('OTEL_TRACES_EXPORTER', oneOf('otlp', 'none'), 'otlp'),
    otelSdkDisabled: read('OTEL_SDK_DISABLED', flag, false),
    logLevel: read('LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info'),
  }
}

/** The configuration that these variables describe; pure but for `readFile`, which reads a token's file. */
export const readConfig = (env: Environment, readFile: (path: string) => string): Reading => {
  const reader = createReader(env, readFile)
  const config = Object.freeze(settings(reader))
  const faults = [...reader.faults, ...contradictions(config, env, reader.given)]
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, config, warnings: [...reader.warnings, ...doubts(config, env)] }
}

/** Where spans go; undefined where none are made. */
export const tracesUrl = (config: Config): string | undefined => {
  if (config.otelSdkDisabled || config.otelTracesExporter === 'none') return undefined
  const { otelExporterOtlpEndpoint: base, otelExporterOtlpTracesEndpoint: own } = config
  return own ?? (base === undefined ? undefined : `${base}/v1/traces`)
}

const billedText = ({ requests, token, free }: Billed) => {
  if (!requests) return 'none'
  const list = [...free, ...(token ? [] : ['token'])]
  return list.length === 0 ? 'all' : `all-but:${list.join(',')}`
}

/** The settings as lines, secrets masked: what `--check-config` prints. */
export const describeConfig = (config: Config): string =>
  Object.entries({
    ...config,
    stateDir: config.stateDir ?? 'off',
    billed: billedText(config.billed),
  })
    .map(([name, value]) => {
      const variable = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
      const text = masked(typeof value === 'boolean' ? `${Number(value)}` : `${value ?? ''}`)
      return `${variable}=${text === '' ? 'none' : text}`
    })
    .join('\n')
