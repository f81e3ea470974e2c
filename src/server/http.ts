import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Gateway } from '../gateway.ts'
import { createAnswers } from './answers.ts'
import { createGraphiql } from './graphiql.ts'
import { createListening } from './listening.ts'
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

  const server: Server = createServer(LIMITS)
  server.maxConnections = MOST_CONNECTIONS
  server.maxHeadersCount = MOST_HEADERS
  const answers = createAnswers(server)
  const isReady = () => gateway.isReady() && !answers.isDraining

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0]
    if (path === '/livez') return say(response, 200)
    if (path === '/readyz') return say(response, isReady() ? 200 : 503)
    if (path === '/' && settings.graphiql) return say(response, 302, { location: '/graphql' })
    if (path !== '/graphql') return say(response, 404)
    if (settings.graphiql && wantsPage(request)) return showPage(request, response)
    if (isForged(request)) return say(response, 403)
    await gateway.yoga(request, response)
  }

  server.on('request', (request, response) => {
    route(request, response).catch((failure: unknown) => {
      gateway.log.error(failure)
      response.destroy()
    })
  })

  return {
    ...createListening(server, settings.port, settings.host),
    /** From here on not ready, and each connection ends with its next answer. */
    drain: answers.drain,
    cut: answers.cut,
    get isDraining() {
      return answers.isDraining
    },
  }
}
