import { type Entry, readClients } from './clients/client.ts'
import { type Documents, readDocuments } from './documents.ts'
import { codeOf } from './errors.ts'
import {
  address,
  baseUrl,
  billed,
  flag,
  host,
  isLoopback,
  type Kind,
  key,
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
import { type Secret, secret } from './upstream/token/secret.ts'
import { type Billed, parseBilled } from './upstream/transport/meter.ts'
import type { Variable } from './variable.ts'

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

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

const createReader = (env: Environment, readFile: (path: string) => string) => {
  const faults: string[] = []
  const warnings: string[] = []
  const given = (name: Variable) => (env[name]?.trim() === '' ? undefined : env[name])

  const optional = <T>(name: Variable, kind: Kind<T>): T | undefined => {
    const text = given(name)?.trim()
    if (text === undefined) return undefined
    const value = kind.read(text)
    if (value === undefined)
      faults.push(`${name}: expected ${kind.expected}, got ${(kind.show ?? quoted)(text)}`)
    return value
  }

  /** The service refuses a token with whitespace around it; whoever set it should know. */
  const trimmed = (name: string, text: string): Secret => {
    if (text.trim() !== text) warnings.push(`${name}: whitespace around the token is left out`)
    return secret(text.trim())
  }
  const textOf = (name: string, file: string): string | undefined => {
    try {
      return readFile(file)
    } catch (failure) {
      const code = codeOf(failure) || 'no reason given'
      faults.push(`${name}: expected a file that can be read, got ${quoted(file)} (${code})`)
      return undefined
    }
  }
  const fromFile = (name: string, file: string): Secret | undefined => {
    const text = textOf(name, file)?.replace(/\r?\n$/, '')
    if (text === undefined) return undefined
    if (text.trim() !== '') return trimmed(name, text)
    faults.push(`${name}: expected a file with a token, got an empty one`)
    return undefined
  }

  return {
    faults,
    warnings,
    given,
    optional,
    read: <T>(name: Variable, kind: Kind<T>, fallback: T): T => optional(name, kind) ?? fallback,
    token(name: 'UPSTREAM_REFRESH_TOKEN'): Secret | undefined {
      const text = given(name)
      if (text !== undefined) return trimmed(name, text)
      const file = given(`${name}_FILE`)
      return file === undefined ? undefined : fromFile(`${name}_FILE`, file)
    },
    clients(name: Variable): ClientsFile | undefined {
      const file = given(name)?.trim()
      const text = file === undefined ? undefined : textOf(name, file)
      if (file === undefined || text === undefined) return undefined
      try {
        return {
          entries: readClients(text, given('JWT_ISSUER') !== undefined),
          toString: () => file,
        }
      } catch (failure) {
        const why = failure instanceof Error ? failure.message : 'no reason given'
        faults.push(`${name}: expected JSON with a list of clients, got ${why}`)
        return undefined
      }
    },
    documents(name: Variable): Documents | undefined {
      const file = given(name)?.trim()
      const text = file === undefined ? undefined : textOf(name, file)
      if (file === undefined || text === undefined) return undefined
      try {
        return { byHash: readDocuments(text), toString: () => file }
      } catch (failure) {
        const why = failure instanceof Error ? failure.message : 'no reason given'
        faults.push(`${name}: expected JSON with a document under each hash, got ${why}`)
        return undefined
      }
    },
  }
}

const settings = (reader: ReturnType<typeof createReader>) => {
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

const JWT = ['JWT_ISSUER', 'JWT_JWKS_URL', 'JWT_AUDIENCE'] as const

const isExposed = (url: string) => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopback(hostname)
}

const isOpenRedis = (url: Secret) => {
  const { protocol, hostname, password } = new URL(url.reveal())
  return !isLoopback(hostname) && (protocol !== 'rediss:' || password === '')
}

/** What no variable shows alone. */
function* contradictions(config: Config, env: Environment, given: (name: Variable) => unknown) {
  const hasUrl = given('UPSTREAM_URL') !== undefined
  const hasToken = given('UPSTREAM_REFRESH_TOKEN') !== undefined
  const hasFile = given('UPSTREAM_REFRESH_TOKEN_FILE') !== undefined
  if (!hasUrl && !config.sandbox)
    yield "UPSTREAM_URL: expected the service's address, or SANDBOX=1 for invented data, got neither"
  if (hasUrl && config.sandbox)
    yield 'SANDBOX: expected to be unset where UPSTREAM_URL is set, got both'
  if (hasUrl && !hasToken && !hasFile)
    yield 'UPSTREAM_REFRESH_TOKEN: expected the token of UPSTREAM_URL, here or in the file that UPSTREAM_REFRESH_TOKEN_FILE names, got neither'
  if (hasToken && hasFile)
    yield 'UPSTREAM_REFRESH_TOKEN_FILE: expected to be unset where UPSTREAM_REFRESH_TOKEN is set, got both'
  const asksWho = given('CLIENTS_FILE') !== undefined || given('JWT_ISSUER') !== undefined
  for (const name of JWT)
    if (given(name) === undefined && JWT.some((other) => given(other) !== undefined))
      yield `${name}: expected beside the others of ${JWT.join(', ')}, got none`
  if (!config.public && !asksWho && !isLoopback(config.host))
    yield `HOST: expected a loopback address, CLIENTS_FILE to let clients in by their keys, or PUBLIC=1 to let everybody spend credits, got ${quoted(config.host)}`
  const bound = config.clientsFile?.entries.find(({ client }) => client.documentsOnly)
  if (bound !== undefined && given('DOCUMENTS_FILE') === undefined)
    yield `DOCUMENTS_FILE: expected the trusted documents, since client ${bound.client.name} is bound to them, got none`
  if (config.documentsOnly && given('DOCUMENTS_FILE') === undefined)
    yield 'DOCUMENTS_FILE: expected the trusted documents, since DOCUMENTS_ONLY refuses every other, got none'
  if (config.workers > 1 && given('REDIS_URL') === undefined)
    yield `REDIS_URL: expected what WORKERS share, since they act as one through it, got none for ${config.workers} workers`
  if (config.redisUrl !== undefined && !config.allowPlaintext && isOpenRedis(config.redisUrl))
    yield 'REDIS_URL: expected rediss:// with a password, or ALLOW_PLAINTEXT=1 to send tokens in the clear, got less for another machine'
  if (config.port !== 0 && config.port === config.adminPort)
    yield `ADMIN_PORT: expected another port than PORT, got ${config.adminPort} for both`
  if (config.jwtJwksUrl !== undefined && !config.allowPlaintext && isExposed(config.jwtJwksUrl))
    yield `JWT_JWKS_URL: expected https, or ALLOW_PLAINTEXT=1 to believe whoever answers, got ${quoted(config.jwtJwksUrl)}`
  if (config.upstreamUrl === undefined || config.allowPlaintext) return
  if (isExposed(config.upstreamUrl))
    yield `UPSTREAM_URL: expected https, or ALLOW_PLAINTEXT=1 to send tokens in the clear, got ${quoted(config.upstreamUrl)}`
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    yield 'NODE_TLS_REJECT_UNAUTHORIZED: expected to be unset, or ALLOW_PLAINTEXT=1 to send tokens to whoever answers, got "0"'
}

function* doubts(config: Config, env: Environment) {
  if (config.sandbox && config.upstreamRefreshToken !== undefined)
    yield 'UPSTREAM_REFRESH_TOKEN: not used, since the sandbox answers; set UPSTREAM_URL to use it'
  if (!config.introspection && config.federationSecret.length === 0)
    yield 'FEDERATION_SECRET: not set, so _service shows the schema to whoever asks, although INTROSPECTION is off'
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'])
    if (env[name] !== undefined || env[name.toLowerCase()] !== undefined)
      yield `${name}: not used, requests go to the service directly`
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
  Object.entries({ ...config, billed: billedText(config.billed) })
    .map(([name, value]) => {
      const variable = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
      const text = typeof value === 'boolean' ? Number(value) : (value ?? 'none')
      return `${variable}=${text}`
    })
    .join('\n')
