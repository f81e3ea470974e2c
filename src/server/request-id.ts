import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const SAFE = /^[\w.:-]{1,64}$/

/** Names a request, for its errors and its answer: by the name that it brings where that is a plain word, else anew. */
export const nameRequest = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id']?.toString()
  const id = given !== undefined && SAFE.test(given) ? given : randomUUID()
  headers['x-request-id'] = id
  return id
}
