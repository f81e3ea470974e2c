import { onTestFinished } from 'vitest'
import type { Gateway } from '../../src/gateway.ts'
import { createHttpServer } from '../../src/server/http.ts'

/** The HTTP face of a gateway on a port of its own, closed when the test ends. */
export const serve = async (gateway: Gateway) => {
  const server = createHttpServer(gateway, {
    port: 0,
    host: '127.0.0.1',
    graphiql: true,
    sandbox: true,
  })
  const address = await server.listen()
  onTestFinished(async () => {
    server.cut()
    await server.close()
  })
  return { server, address }
}
