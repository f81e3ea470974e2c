import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createPlain, type Socket } from 'node:net'
import { createServer as createTls, TLSSocket, Server as TlsServer } from 'node:tls'
import { systemClock } from '../../src/clock.ts'

/** What befalls one request or its answer; members go together where that makes sense. */
export interface Wrong {
  /** The connection breaks: before the service has the request, or once it has answered. */
  readonly reset?: 'request' | 'answer'
  /** Nothing comes back, and the connection stays: the service never had the request, or its answer is lost. */
  readonly hole?: 'request' | 'answer'
  readonly delayMs?: number
  /** Share of the body, 0 to 1, after which the connection ends. */
  readonly cut?: number
  readonly drip?: { readonly bytes: number; readonly everyMs: number }
  /** What follows the answer on the same connection, though nobody asked. */
  readonly extra?: string
  /** The connection ends behind the answer, although it promised to stay. */
  readonly ends?: boolean
}

/** What befalls the nth request, counted from 1 over all connections; `line` is its first, with verb and path. */
export type Script = (exchange: number, line: string) => Wrong | undefined

/** Some of the time, one of these; the same random numbers, the same misfortunes. */
export const atRandom =
  (random: () => number, share: number, wrongs: readonly Wrong[]): Script =>
  () =>
    random() < share ? wrongs[Math.floor(random() * wrongs.length)] : undefined

const BLANK = '\r\n\r\n'

const bodyAt = (answer: Buffer) => answer.indexOf(BLANK) + BLANK.length

const END_OF_CHUNKS = Buffer.from('0\r\n\r\n')

/** Gathers an answer as it comes; tells it once it is whole. */
const createGathering = () => {
  let parts: Buffer[] = []
  let size = 0
  /** Bytes of the answer, once its head told them; NaN where only its end tells. */
  let whole: number | undefined

  return (part: Buffer): Buffer | undefined => {
    parts.push(part)
    size += part.length
    if (whole === undefined) {
      const begun = Buffer.concat(parts)
      parts = [begun]
      if (!begun.includes(BLANK)) return undefined
      const start = bodyAt(begun)
      const length = /^content-length: *(\d+)/im.exec(begun.toString('latin1', 0, start))?.[1]
      whole = start + Number(length)
    }
    const isWhole = Number.isNaN(whole)
      ? Buffer.concat(parts.slice(-2)).subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)
      : size >= whole
    return isWhole ? Buffer.concat(parts) : undefined
  }
}

const breakOff = (socket: Socket) =>
  socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy()

/** Stands between the gateway and the service at `target`, on a port of its own, and spoils what passes. */
export const openProxy = async (
  target: string,
  {
    script: first = () => undefined,
    tls,
    sleep = systemClock.sleep,
  }: {
    readonly script?: Script
    /** A certificate and its key: it then speaks TLS with the gateway. */
    readonly tls?: { readonly key: string; readonly cert: string }
    readonly sleep?: (ms: number) => Promise<void>
  } = {},
) => {
  const { hostname, port: service } = new URL(target)
  const clients = new Set<Socket>()
  /** Connections whose request is not answered. */
  const busy = new Set<Socket>()
  let most = 0
  let script = first
  let exchanges = 0
  let connections = 0

  const deliver = async (client: Socket, answer: Buffer, wrong: Wrong) => {
    if (wrong.hole !== undefined) return
    if (wrong.delayMs !== undefined) await sleep(wrong.delayMs)
    busy.delete(client)
    if (wrong.reset !== undefined) return breakOff(client)
    const start = bodyAt(answer)
    if (wrong.cut !== undefined)
      return client.end(answer.subarray(0, start + (answer.length - start) * wrong.cut))
    const { bytes, everyMs } = wrong.drip ?? { bytes: answer.length, everyMs: 0 }
    for (let at = 0; at < answer.length && !client.destroyed; at += bytes) {
      if (at > 0) await sleep(everyMs)
      client.write(answer.subarray(at, at + bytes))
    }
    if (wrong.extra !== undefined) client.write(wrong.extra)
    if (wrong.ends === true) client.end()
  }

  const serve = (client: Socket) => {
    connections += 1
    clients.add(client)
    const upstream = connect(Number(service), hostname)
    let wrong: Wrong | undefined
    let asking = false
    let gather = createGathering()
    client.on('data', (chunk) => {
      if (!asking) {
        asking = true
        exchanges += 1
        wrong = script(exchanges, chunk.toString('latin1').split('\r\n', 1)[0] ?? '')
        busy.add(client)
        most = Math.max(most, busy.size)
        gather = createGathering()
      }
      if (wrong?.reset === 'request') return breakOff(client)
      if (wrong?.hole !== 'request') upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      asking = false
      if (wrong === undefined) {
        busy.delete(client)
        return client.write(chunk)
      }
      const answer = gather(chunk)
      if (answer !== undefined) void deliver(client, answer, wrong)
    })
    client.on('error', () => undefined).on('close', () => upstream.destroy())
    client.on('close', () => {
      clients.delete(client)
      busy.delete(client)
    })
    upstream.on('error', () => breakOff(client)).on('close', () => client.destroy())
  }

  const server = tls === undefined ? createPlain(serve) : createTls(tls, serve)
  server.on('tlsClientError', () => undefined)
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)

  /** Breaks every connection. */
  const hangUp = () => {
    for (const client of clients) breakOff(client)
  }
  /** Connections are refused, and those that are there break. */
  const refuse = async () => {
    if (!server.listening) return
    server.close()
    hangUp()
    await once(server, 'close')
  }

  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    /** Requests that came, and connections that were made. */
    get exchanges() {
      return exchanges
    },
    get connections() {
      return connections
    },
    /** Connections that neither side has left. */
    get open() {
      return clients.size
    },
    /** Most requests that were unanswered at once. */
    get most() {
      return most
    },
    /** What befalls requests from now on; none: nothing does. */
    play(next: Script = () => undefined) {
      script = next
    },
    /** The certificate that new connections are shown. */
    present(pair: { readonly key: string; readonly cert: string }) {
      if (server instanceof TlsServer) server.setSecureContext(pair)
    },
    hangUp,
    refuse,
    /** Connections are taken again, at the same address. */
    async accept() {
      if (!server.listening) await listen(port)
    },
    close: refuse,
  }
}
