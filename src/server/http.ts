import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gateway } from '../gateway.ts'
import { createGraphiql } from './graphiql.ts'
import { isForged } from './origin.ts'

export interface ServerSettings {
  readonly port: number
  readonly host: string
  readonly graphiql: boolean
  /** Whether the data is invented, so that the page says so. */
  readonly sandbox: boolean
}

/** Slow or greedy sockets are closed before they hold anything that others need. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
}
const MOST_CONNECTIONS = 2000
const MOST_HEADERS = 64

/** A browser that opens or reloads the page; the explorer keeps its query in the address, so that one may be there. */
const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '')

const say = (response: ServerResponse, status: number, headers: Record<string, string> = {}) => {
  response.writeHead(status, headers).end()
}

/** The HTTP face of a gateway: GraphQL, its explorer, and the probes. */
export const createHttpServer = (gateway: Gateway, settings: ServerSettings) => {
  const page = createGraphiql({
    title: settings.sandbox ? 'Refrain (sandbox)' : 'Refrain',
    endpoint: '/graphql',
    sandbox: settings.sandbox,
  })

  const showPage = async ({ headers }: IncomingMessage, response: ServerResponse) => {
    const answer = await page({
      acceptEncoding: headers['accept-encoding']?.toString(),
      ifNoneMatch: headers['if-none-match'],
    })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0]
    if (path === '/livez') return say(response, 200)
    if (path === '/readyz') return say(response, gateway.isReady() ? 200 : 503)
    if (path === '/' && settings.graphiql) return say(response, 302, { location: '/graphql' })
    if (path !== '/graphql') return say(response, 404)
    if (settings.graphiql && wantsPage(request)) return showPage(request, response)
    if (isForged(request)) return say(response, 403)
    await gateway.yoga(request, response)
  }

  const server: Server = createServer(LIMITS, (request, response) => {
    route(request, response).catch(() => response.destroy())
  })
  server.maxConnections = MOST_CONNECTIONS
  server.maxHeadersCount = MOST_HEADERS

  return {
    /** Resolves with the address once it listens. */
    listen: () =>
      new Promise<string>((resolve, reject) => {
        server.once('error', reject)
        server.listen(settings.port, settings.host, () => {
          const { port } = server.address() as AddressInfo
          const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
          resolve(`http://${host}:${port}`)
        })
      }),
    /** Takes no new connection and resolves when the last answer is out. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}
