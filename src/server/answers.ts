import type { Server, ServerResponse } from 'node:http'

const isLast = (response: ServerResponse) => {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/** Answers under way, so that a process can leave without cutting one; hears of a request before whoever answers it. */
export const createAnswers = (server: Server) => {
  const open = new Set<ServerResponse>()
  let isDraining = false

  server.on('request', (_request, response: ServerResponse) => {
    open.add(response)
    response.on('close', () => {
      open.delete(response)
      // One whose head was out before the draining began leaves its connection open.
      if (!server.listening) server.closeIdleConnections()
    })
    if (isDraining) isLast(response)
  })

  return {
    get isDraining() {
      return isDraining
    },
    /** From here on each connection ends with its next answer. */
    drain() {
      isDraining = true
      for (const response of open) isLast(response)
    },
    /** Ends those that are not out yet. */
    cut: () => server.closeAllConnections(),
  }
}
