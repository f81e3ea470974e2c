import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { Passing } from '../passing.ts'
import { createQueues } from './queues.ts'

const socketOf = ({ req }: ServerResponse): Socket => req.socket

/** Answers under way, so that a process can leave without cutting one. */
export const createAnswers = (server: Server) => {
  const open = new Passing<number, ServerResponse>()
  const queues = createQueues()
  /** The last answer of each connection so far; undefined until the draining begins. */
  let lasts: Map<Socket, ServerResponse> | undefined
  let count = 0

  const isFlowing = ({ writableEnded, writableFinished }: ServerResponse) =>
    writableEnded && !writableFinished
  /** A connection whose answer is written and not yet read is idle to Node, which would cut it. */
  const closeIdle = () => {
    for (const response of open.values()) if (isFlowing(response)) return
    server.closeIdleConnections()
  }

  /** From then on whatever comes over the connection is not looked at (RFC 9112, 9.6). */
  const endsIt = (response: ServerResponse): boolean => response.hasHeader('connection')
  const setLast = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  /** Puts an answer behind those of its connection; false: its end has been told already. */
  const enqueue = (response: ServerResponse, ends: Map<Socket, ServerResponse>): boolean => {
    const before = ends.get(socketOf(response))
    if (before !== undefined && endsIt(before)) {
      if (before.headersSent) return false
      before.removeHeader('connection')
    }
    ends.set(socketOf(response), response)
    setLast(response)
    return true
  }

  return {
    /** One more, of which nothing is said yet. False where none is to be given: the connection ends before it. */
    begin(response: ServerResponse): boolean {
      if (lasts !== undefined && !enqueue(response, lasts)) return false
      const place = count++
      open.set(place, response)
      queues.enter(response)
      response.on('close', () => {
        open.delete(place)
        if (lasts?.get(socketOf(response)) === response) lasts.delete(socketOf(response))
        // One whose head was out before the draining began leaves its connection open.
        if (!server.listening) closeIdle()
      })
      return true
    },
    get isDraining() {
      return lasts !== undefined
    },
    /** From here on each connection ends with the last answer that was asked for over it. */
    drain() {
      const ends = new Map<Socket, ServerResponse>()
      for (const response of open.values()) ends.set(socketOf(response), response)
      for (const response of ends.values()) setLast(response)
      lasts = ends
    },
    /** Takes no new connection, and resolves when the last answer is out. */
    close: () =>
      new Promise<void>((resolve) => {
        // That of an HTTP server would cut what is idle to Node on its own account.
        Listener.prototype.close.call(server, () => resolve())
        closeIdle()
      }),
    /** Ends those that are not out yet. */
    cut: () => server.closeAllConnections(),
  }
}
