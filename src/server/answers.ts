import type { Server, ServerResponse } from 'node:http'
import { Passing } from '../passing.ts'
import { createQueues } from './queues.ts'

const isLast = (response: ServerResponse) => {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/** Answers under way, so that a process can leave without cutting one. */
export const createAnswers = (server: Server) => {
  const open = new Passing<number, ServerResponse>()
  const queues = createQueues()
  let count = 0
  let isDraining = false

  return {
    /** One more, of which nothing is said yet. */
    begin(response: ServerResponse) {
      const place = count++
      open.set(place, response)
      queues.enter(response)
      response.on('close', () => {
        open.delete(place)
        // One whose head was out before the draining began leaves its connection open.
        if (!server.listening) server.closeIdleConnections()
      })
      if (isDraining) isLast(response)
    },
    get isDraining() {
      return isDraining
    },
    /** From here on each connection ends with its next answer. */
    drain() {
      isDraining = true
      for (const response of open.values()) isLast(response)
    },
    /** Ends those that are not out yet. */
    cut: () => server.closeAllConnections(),
  }
}
