import type { ServerResponse } from 'node:http'
import { type Load, overloaded } from '../load.ts'

/** In the words of a GraphQL answer, although no GraphQL was read. */
const refuse = (response: ServerResponse, id: string) => {
  const { code, message, facts } = overloaded()
  const { retryAfter } = facts
  response
    .writeHead(503, {
      'x-request-id': id,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(retryAfter),
    })
    .end(JSON.stringify({ errors: [{ message, extensions: { code, retryAfter } }] }))
}

/** Lets an operation in by the name of its request and counts it until its answer is out; false: the process has strength for none, and it is told so. */
export const createEntry =
  (load: Load) =>
  (response: ServerResponse, id: string): boolean => {
    if (load.level === 'critical') {
      refuse(response, id)
      return false
    }
    response.on('close', load.enter())
    return true
  }
