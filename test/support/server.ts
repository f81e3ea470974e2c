import { onTestFinished } from 'vitest'
import type { Gateway } from '../../src/gateway.ts'
import { createHttpServer } from '../../src/server/http.ts'

/** The HTTP face of a gateway, on a port of its own. */
export const openServer = async (gateway: Gateway, graphiql = true) => {
  const settings = { port: 0, host: '127.0.0.1', graphiql, sandbox: true }
  const server = createHttpServer(gateway, settings)
  const address = await server.listen()
  const close = async () => {
    server.cut()
    await server.close()
  }
  return { server, address, close }
}

/** The same, closed when its test ends. */
export const serve = async (gateway: Gateway) => {
  const opened = await openServer(gateway)
  onTestFinished(opened.close)
  return opened
}
