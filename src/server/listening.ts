import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { codeOf } from '../errors.ts'

/** The setting that names what a server listens on. */
export type ListeningSetting = 'PORT' | 'ADMIN_PORT'

const ofThePort: Readonly<Record<string, string>> = {
  EADDRINUSE: 'somebody else listens there already, so set another',
  EACCES: 'this user may not listen there, so set one above 1023',
}

/** Opens a port, and closes it so that no answer under way is cut. */
export const createListening = (
  server: Server,
  port: number,
  host: string,
  setting: ListeningSetting,
  /** Whether a worker has the port for itself. */
  exclusive = false,
) => ({
  /** Resolves with the address once it listens. */
  listen: () =>
    new Promise<string>((resolve, reject) => {
      server.once('error', (failure) => {
        const why = ofThePort[codeOf(failure)]
        reject(why === undefined ? failure : new Error(`${setting}=${port} on ${host}: ${why}`))
      })
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
