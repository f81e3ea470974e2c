import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Opens a port, and closes it so that no answer under way is cut. */
export const createListening = (
  server: Server,
  port: number,
  host: string,
  /** Whether a worker has the port for itself. */
  exclusive = false,
) => ({
  /** Resolves with the address once it listens. */
  listen: () =>
    new Promise<string>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host, exclusive }, () => {
        const { port: given } = server.address() as AddressInfo
        resolve(`http://${host.includes(':') ? `[${host}]` : host}:${given}`)
      })
    }),
  /** Takes no new connection and resolves when the last answer is out. */
  close: () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
    }),
})
