import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

const SAFE = /^[\w.:-]{1,64}$/

/** Names a request, for its answer and its errors: by the name that it brings where that is a plain word, else anew. */
export const nameRequest = ({ headers }: IncomingMessage, response: ServerResponse): void => {
  const given = headers['x-request-id']?.toString() ?? ''
  const id = SAFE.test(given) ? given : randomUUID()
  headers['x-request-id'] = id
  response.setHeader('x-request-id', id)
}
