import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands between somebody and a Redis: loses or delays answers, holds everything up, or leads to another one, when it is told to. */
export const openCut = async (port: number) => {
  const sockets = new Set<Socket>()
  let target = port
  let named: string | undefined
  let lost = 0
  let isHeld = false
  let delayMs = 0
  let bytesPerMs = Number.POSITIVE_INFINITY
  let deafTo: string | undefined
  let connections = 0
  const unheard: { readonly connection: number; readonly at: number; readonly text: string }[] = []
  /** In the time that it takes a slow way. */
  const pass = (chunk: Buffer, from: Socket, to: Socket) => {
    if (bytesPerMs === Number.POSITIVE_INFINITY) return void to.write(chunk)
    from.pause()
    setTimeout(() => {
      to.write(chunk)
      if (!isHeld) from.resume()
    }, chunk.length / bytesPerMs)
  }
  const server = createServer((client) => {
    const redis = connect(target, '127.0.0.1')
    let loses = false
    let isDeaf = false
    connections += 1
    const connection = connections
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
      isDeaf ||= deafTo !== undefined && chunk.includes(deafTo)
      if (!isDeaf) return pass(chunk, client, redis)
      unheard.push({ connection, at: performance.now(), text: chunk.toString() })
    })
    redis.on('data', (chunk) => {
      if (!loses && delayMs > 0) return void setTimeout(() => client.write(chunk), delayMs)
      if (!loses) return pass(chunk, redis, client)
      named = undefined
      lost += 1
      client.destroy()
    })
    if (isHeld) for (const socket of [client, redis]) socket.pause()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  const breakOff = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(async () => {
    breakOff()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `redis://127.0.0.1:${own}`,
    port: own,
    get lost() {
      return lost
    },
    /** The connection ends in place of the next answer to what names this key; Redis has done what it was told. */
    loseAnswerTo(key: string) {
      named = key
    },
    /** Nothing comes through, until it is let go or leads elsewhere. */
    hold() {
      isHeld = true
      for (const socket of sockets) socket.pause()
    },
    release() {
      isHeld = false
      for (const socket of sockets) socket.resume()
    },
    /** A connection hangs from this word on, until nobody is deaf to any; `unheard` is what came after. */
    hangAt(word: string | undefined) {
      unheard.length = 0
      deafTo = word
    },
    unheard,
    /** Answers come so much later. */
    delay(ms: number) {
      delayMs = ms
    },
    /** A way of so many bytes in a millisecond, each way of each connection. */
    slow(rate: number) {
      bytesPerMs = rate
    },
    /** Ends every connection; the next ones go there. */
    leadTo(other: number) {
      isHeld = false
      target = other
      breakOff()
    },
  }
}
