import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** Slow or greedy sockets are closed before they hold anything that others need. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  // Longer than a balancer keeps an idle connection, so that it never sends into one that just closed.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  insecureHTTPParser: false,
}
const MOST_CONNECTIONS = 2000
const MOST_REQUESTS_ON_A_CONNECTION = 10_000
const MOST_HEADERS = 64

/** A server that bounds its connections and what comes over them. */
export const createSocketServer = (answer: typeof ServerResponse<IncomingMessage>): Server => {
  const server = createServer({ ...LIMITS, ServerResponse: answer })
  server.maxConnections = MOST_CONNECTIONS
  server.maxRequestsPerSocket = MOST_REQUESTS_ON_A_CONNECTION
  // One more than is answered: Node leaves out those beyond and says nothing.
  server.maxHeadersCount = MOST_HEADERS + 1
  return server
}

export const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.length > 2 * MOST_HEADERS
