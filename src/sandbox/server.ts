import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../upstream/transport/send.ts'
import { check } from './check.ts'
import { createFaults, type Faults } from './fault.ts'
import { createMeter, type Meter } from './meter.ts'
import { createRate } from './rate.ts'
import { type Answer, canned, isCanned, refusal, reply } from './reply.ts'
import { createRoutes, type Route } from './route.ts'
import { createSources, isPage, type Source } from './source.ts'
import { createTokens, type Rotation } from './token.ts'
import { createWorld } from './world.ts'

export interface SandboxOptions {
  readonly clock: Clock
  /** The same seed, the same data. */
  readonly seed?: number
  /** False: no chart row ever lacks a track, an artist or an album id, so that credits can be foretold. */
  readonly flawedRows?: boolean
  /** Seconds; 3600 when left out. */
  readonly tokenLifetime?: number
  readonly rotation?: Rotation
  readonly refreshToken?: string
  /** Requests a second; no limit when left out. */
  readonly ratePerSecond?: number
  readonly latencyMs?: number
  /** What is billed, spelled like the gateway's BILLED. */
  readonly billed?: string
}

export interface Sandbox {
  /** Listens on the loopback address; gives the base address. */
  listen(port?: number): Promise<string>
  close(): Promise<void>
  readonly meter: Meter
  readonly faults: Faults
  revokeAccessTokens(): void
  replaceRefreshToken(next: string): void
}

const TOKEN_PATH = '/api/token'
const LARGEST_BODY = 1_000_000
const INVENTED = { 'x-sandbox': 'invented data' }
const UNAUTHORIZED = refusal(401, 'Session token not found or was expired.')

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The service with invented data on a loopback port: its rules, its meter, and faults at will. */
export const createSandbox = (options: SandboxOptions): Sandbox => {
  const { clock, latencyMs = 0 } = options
  const sources: Record<string, Source> = createSources(
    createWorld(options.seed, options.flawedRows),
  )
  const findRoute = createRoutes()
  const pace = createRate(options.ratePerSecond)
  const { meter, receive, receiveToken } = createMeter(options.billed)
  const { faults, take } = createFaults()
  const tokens = createTokens({
    now: () => clock.now(),
    lifetime: options.tokenLifetime ?? 3600,
    rotation: options.rotation ?? 'strict',
    refreshToken: options.refreshToken ?? 'sandbox-refresh-token',
  })

  const exchange = (type: string | undefined, body: string): Answer => {
    if (type?.startsWith('application/json') !== true) return refusal(400, 'the body is not JSON')
    let given: unknown
    try {
      given = JSON.parse(body)?.refreshtoken
    } catch {
      return refusal(400, 'the body is not JSON')
    }
    if (typeof given !== 'string') return refusal(400, "'refreshtoken' is required")
    const grant = tokens.exchange(given)
    return grant === undefined
      ? refusal(401, 'Refresh token is not valid.')
      : { status: 200, body: grant }
  }

  const serve = ({ endpoint, values }: Route, request: IncomingMessage, body: string): Answer => {
    const query = new URL(request.url ?? '/', 'http://sandbox').searchParams
    // Documented for this route, and what the first engine is anyway.
    if (endpoint.name === 'search' && query.get('beta') === 'false') query.delete('beta')
    const { headers } = request
    const checked = check(endpoint, { path: values, query, headers, body })
    if ('error' in checked) return refusal(400, checked.error)
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    const source = sources[endpoint.name]
    if (source === undefined) return refusal(404, 'Not found')
    const given = source({ ...checked.args, today } as never)
    if (given === undefined) return refusal(404, 'Not found')
    const page = isPage(given) ? given : { rows: [given], total: 1 }
    const offset = Number(checked.args.offset ?? 0)
    return { status: 200, body: endpoint.envelope.seal(page.rows, page.total, offset) }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '/'
    const { pathname, searchParams } = new URL(target, 'http://sandbox')
    const isToken = request.method === 'POST' && pathname === TOKEN_PATH
    const route = findRoute(request.method ?? '', pathname, searchParams)
    const name = isToken ? 'token' : (route?.endpoint.name ?? 'unknown')
    const note = isToken ? receiveToken() : receive(name, target, route?.endpoint.credits ?? 1)
    const fault = take(name, target) ?? {}
    const { headers, refused } = pace(clock.now())
    const body = await readBody(request)
    if (latencyMs > 0) await clock.sleep(latencyMs)

    const decide = (): Answer => {
      if (isCanned(fault)) return canned(fault)
      if (refused) return refusal(429, 'Rate limit exceeded')
      if (isToken) return exchange(request.headers['content-type'], body)
      if (!tokens.admits(request.headers.authorization)) return UNAUTHORIZED
      return route === undefined ? refusal(404, 'Not found') : serve(route, request, body)
    }
    const decided = decide()
    note(fault.reset === true || fault.stall === 'head' ? 0 : decided.status)
    const date = new Date(clock.now()).toUTCString()
    await reply(response, decided, { ...INVENTED, date, ...headers }, fault, clock)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 30_000

  return {
    async listen(port = 0) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', resolve)
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    async close() {
      if (!server.listening) return
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
    meter,
    faults,
    revokeAccessTokens: tokens.revokeAccessTokens,
    replaceRefreshToken: tokens.replaceRefreshToken,
  }
}
