import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a replica and its Redis, and loses an answer when it is told to. */
export const openCut = async (port: number) => {
  const sockets = new Set<Socket>()
  let named: string | undefined
  let lost = 0
  const server = createServer((client) => {
    const redis = connect(port, '127.0.0.1')
    let loses = false
    for (const socket of [client, redis]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        redis.destroy()
      })
    }
    client.on('data', (chunk) => {
      loses ||= named !== undefined && chunk.includes(named)
      redis.write(chunk)
    })
    redis.on('data', (chunk) => {
      if (!loses) return client.write(chunk)
      named = undefined
      lost += 1
      client.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lost() {
      return lost
    },
    /** The connection ends in place of the next answer to what names this key; Redis has done what it was told. */
    loseAnswerTo(key: string) {
      named = key
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
