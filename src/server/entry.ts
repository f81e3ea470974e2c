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

/** The way in of operations. */
export const createEntry = (load: Load) => ({
  refuse,
  /** Whether there is strength for one more of a client; where there is none, whoever asks is told so by the name of the request. */
  admits(client: string | undefined, response: ServerResponse, id: string): boolean {
    const isOpen = load.levelFor(client) !== 'critical'
    if (!isOpen) refuse(response, id)
    return isOpen
  },
  /** Counts an operation until its answer is out: from where all of it has come, so that who sends slowly takes nobody's place. */
  begin(response: ServerResponse): void {
    if (!response.destroyed) response.on('close', load.enter())
  },
})
