/** A variable of the environment, as whoever sets it should know it. */
export interface Description {
  /** What holds where it is not set, as one writes it; absent: nothing. */
  readonly initial?: string
  /** The same in words, where it depends on others. */
  readonly unset?: string
  readonly doc: string
}

/** Every variable that is read, by its theme; the README, `.env.example` and docs/reference.md are made from it. */
export const VARIABLES = {
  'the service': {
    UPSTREAM_URL: {
      doc: "the service's address; unset: the sandbox answers, but in production only with `SANDBOX=1`",
    },
    UPSTREAM_REFRESH_TOKEN: { doc: 'refresh token of your API user' },
    UPSTREAM_REFRESH_TOKEN_FILE: {
      doc: 'a file with that token, instead; a new one put there is taken over within seconds',
    },
    SANDBOX: {
      unset: '1 without `UPSTREAM_URL`',
      doc: 'invented data; needs saying in production',
    },
    ALLOW_PLAINTEXT: {
      initial: '0',
      doc: '1 permits an http address off this machine, an unchecked certificate, and a Redis there without TLS or password',
    },
  },
  'who asks': {
    PORT: { initial: '4000', doc: 'where GraphQL listens, path `/graphql`; 0 takes any free port' },
    HOST: {
      initial: '127.0.0.1',
      doc: 'the address for it; off loopback only with `CLIENTS_FILE`, `JWT_ISSUER` or `PUBLIC=1`',
    },
    PUBLIC: { initial: '0', doc: '1: whoever reaches the port may spend your credits' },
    ADMIN_PORT: {
      initial: '4001',
      doc: "the operator's own port: `/credits`, a page of what all replicas spent and saved, when, by whom and for what, with budgets and their forecast (JSON for who does not ask for HTML); `/metrics` for Prometheus; `/livez`, and `/readyz` with the state of token, load, pauses, requests and budgets; on `PORT` both answer without details; the second of `WORKERS` has the next port, and so on: Prometheus is to be told of each",
    },
    ADMIN_HOST: { initial: '127.0.0.1', doc: 'the address for it' },
    CLIENTS_FILE: {
      doc: 'JSON of clients with the hashes of their keys, as `node dist/cli/main.js client add web --file clients.json` writes it: whoever sends none of these keys is refused; watched, a change is taken over within seconds',
    },
    JWT_ISSUER: {
      doc: 'clients by a token of this issuer, as its `iss` has it, instead of by a key or beside keys; `CLIENTS_FILE` then says what they may, by name',
    },
    JWT_JWKS_URL: { doc: "where the issuer's public keys are" },
    JWT_AUDIENCE: { doc: 'what `aud` of such a token must be or hold' },
    TRUST_PROXY: {
      doc: 'addresses or networks of your own proxies, comma-separated: what these say in `X-Forwarded-For` of whom they ask for is believed, and of nobody else',
    },
    CORS_ORIGINS: { doc: 'exact origins whose pages may ask, comma-separated' },
    GRAPHIQL: { unset: '1, in production 0', doc: 'the explorer page' },
    INTROSPECTION: { unset: '1, in production 0', doc: 'whether clients may ask for the schema' },
    DOCUMENTS_FILE: {
      doc: 'JSON of trusted documents by hash, as graphql-codegen or `node dist/cli/main.js price src/queries --manifest documents.json` writes it',
    },
    DOCUMENTS_ONLY: { initial: '0', doc: "1 refuses every other document, but for the router's" },
    FEDERATION_SECRET: {
      doc: 'set: `_service` and `_entities` only with `Authorization: Bearer` of it; two, comma-separated, while it changes',
    },
    NODE_INTERFACE: {
      initial: '1',
      doc: '0 leaves `node` and `nodes` out of the subgraph, where another subgraph has them',
    },
  },
  'what outlives a process': {
    STATE_DIR: {
      unset: '`.refrain`, on the sandbox `off`',
      doc: 'folder of the token record, on a disk of this machine; processes that share it mint once for all; `off` keeps everything in memory',
    },
    STATE_KEY: {
      doc: '32 bytes in base64 that seal the token record; `openssl rand -base64 32` makes them',
    },
  },
  'many as one': {
    REDIS_URL: {
      doc: 'Redis or Valkey, such as `rediss://:password@host:6379/0`: all replicas with this address act as one',
    },
    REPLICAS_MAX: {
      initial: '1',
      doc: 'most replicas that will ever share `REDIS_URL`: the part of a budget that each may spend while Redis is away',
    },
    WORKERS: {
      initial: '1',
      doc: 'processes on this machine that share `PORT` and act as one through `REDIS_URL`; `auto`: one for each core',
    },
  },
  credits: {
    CREDITS_PER_DAY: {
      doc: 'credits that this deployment may spend from one midnight UTC to the next',
    },
    CREDITS_PER_MONTH: { doc: 'the same for a calendar month' },
    CREDITS_PER_OPERATION: { initial: '200', doc: 'most credits of one operation' },
    BILLED: {
      initial: 'all-but:401,token',
      doc: 'what your plan bills: `all`, `none` for a fixed-rate plan, or `all-but:` with statuses and `token`',
    },
  },
  bounds: {
    CACHE_MAX_MB: { initial: '256', doc: 'megabytes of answers kept in memory' },
    DISK_MAX_MB: {
      initial: '2048',
      doc: 'megabytes of answers kept in `STATE_DIR`, through restarts',
    },
    UPSTREAM_CONCURRENCY: { initial: '16', doc: 'requests to the service at once' },
    UPSTREAM_RPS: { doc: 'requests to the service per second' },
    UPSTREAM_TIMEOUT_MS: { initial: '8000', doc: 'milliseconds of one attempt' },
    OPERATION_TIMEOUT_MS: { initial: '10000', doc: 'milliseconds of one operation' },
  },
  'the process': {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      doc: 'a collector that takes OTLP over HTTP: set, operations and requests to the service are traced; the other `OTEL_` variables have their standard meaning',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { doc: 'the whole address for traces, instead' },
    OTEL_TRACES_EXPORTER: { initial: 'otlp', doc: '`none` for no traces' },
    OTEL_SDK_DISABLED: { initial: '0', doc: 'true for no traces' },
    LOG_LEVEL: { initial: 'info', doc: '`debug`, `info`, `warn`, `error` or `silent`' },
    NODE_ENV: {
      initial: 'development',
      doc: '`production` turns explorer, introspection and the unasked sandbox off',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Description>>>>

type Themes = typeof VARIABLES
/** The name of a variable. */
export type Variable = { [T in keyof Themes]: keyof Themes[T] }[keyof Themes]
