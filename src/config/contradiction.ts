import { boundIn } from '../clients/client.ts'
import type { Config, Environment } from '../config.ts'
import { isLoopback, quotedSetting } from '../setting.ts'
import type { Secret } from '../upstream/token/secret.ts'
import type { Variable } from '../variable.ts'
import { misspellings } from './misspelling.ts'

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
export function* contradictions(
  config: Config,
  env: Environment,
  given: (name: Variable) => unknown,
) {
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
    yield `HOST: expected a loopback address, CLIENTS_FILE to let clients in by their keys, or PUBLIC=1 to let everybody spend credits, got ${quotedSetting(config.host)}`
  const bound = boundIn(config.clientsFile?.entries ?? [])
  if (bound !== undefined && given('DOCUMENTS_FILE') === undefined)
    yield `DOCUMENTS_FILE: expected the trusted documents, since client ${bound} is bound to them, got none`
  if (config.documentsOnly && given('DOCUMENTS_FILE') === undefined)
    yield 'DOCUMENTS_FILE: expected the trusted documents, since DOCUMENTS_ONLY refuses every other, got none'
  if (config.workers > 1 && given('REDIS_URL') === undefined)
    yield `REDIS_URL: expected what WORKERS share, since they act as one through it, got none for ${config.workers} workers`
  if (config.redisUrl !== undefined && !config.allowPlaintext && isOpenRedis(config.redisUrl))
    yield 'REDIS_URL: expected rediss:// with a password, or ALLOW_PLAINTEXT=1 to send tokens in the clear, got less for another machine'
  const lastAdminPort = config.adminPort === 0 ? 0 : config.adminPort + config.workers - 1
  if (config.port !== 0 && config.port === config.adminPort)
    yield `ADMIN_PORT: expected another port than PORT, got ${config.adminPort} for both`
  else if (config.port > config.adminPort && config.port <= lastAdminPort)
    yield `ADMIN_PORT: expected a port for each of ${config.workers} workers, none of them PORT, got ${config.adminPort} to ${lastAdminPort} beside ${config.port}`
  if (lastAdminPort > 65_535)
    yield `ADMIN_PORT: expected a port for each of ${config.workers} workers, got ${config.adminPort} to ${lastAdminPort}, of 65535`
  if (config.jwtJwksUrl !== undefined && !config.allowPlaintext && isExposed(config.jwtJwksUrl))
    yield `JWT_JWKS_URL: expected https, or ALLOW_PLAINTEXT=1 to believe whoever answers, got ${quotedSetting(config.jwtJwksUrl)}`
  if (config.upstreamUrl === undefined || config.allowPlaintext) return
  if (isExposed(config.upstreamUrl))
    yield `UPSTREAM_URL: expected https, or ALLOW_PLAINTEXT=1 to send tokens in the clear, got ${quotedSetting(config.upstreamUrl)}`
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    yield 'NODE_TLS_REJECT_UNAUTHORIZED: expected to be unset, or ALLOW_PLAINTEXT=1 to send tokens to whoever answers, got "0"'
}

/** What NODE_ENV is usually called where nothing is served to others. */
const AT_HOME = ['development', 'test']

/** What may not be meant so. */
export function* doubts(config: Config, env: Environment) {
  yield* misspellings(env)
  if (config.nodeEnv !== 'production' && !AT_HOME.includes(config.nodeEnv))
    yield `NODE_ENV: ${quotedSetting(config.nodeEnv)} counts as development, as everything but production does`
  if (config.sandbox && config.upstreamRefreshToken !== undefined)
    yield 'UPSTREAM_REFRESH_TOKEN: not used, since the sandbox answers; set UPSTREAM_URL to use it'
  const asksWho = config.clientsFile !== undefined || config.jwtIssuer !== undefined
  if (!config.introspection && config.federationSecret.length === 0)
    yield `FEDERATION_SECRET: not set, so _service shows the schema to ${asksWho ? 'every client' : 'whoever asks'}, although INTROSPECTION is off`
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'])
    if (env[name] !== undefined || env[name.toLowerCase()] !== undefined)
      yield `${name}: not used, requests go to the service directly`
}
