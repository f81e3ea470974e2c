import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Heard {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Play = (heard: Heard, response: ServerResponse, socket: Socket) => void

/** An upstream of a few lines: plays its answers and keeps what it heard, which is its meter. */
export const createOrigin = async (play: Play) => {
  const heard: Heard[] = []
  let sockets = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url = '', headers, socket } = request
    const entry = { method, url, headers, body }
    heard.push(entry)
    play(entry, response, socket)
  })
  server.on('connection', () => {
    sockets += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    get sockets() {
      return sockets
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const json = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
