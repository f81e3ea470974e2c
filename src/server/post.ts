import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Posted, Reply } from '../execution/face.ts'
import { createController, type Signal } from '../signal.ts'

const JSON_TYPE = /^application\/(?:graphql\+)?json(?:;\s*charset=utf-?8)?$/i

/** Whether a request is JSON whose length, where it is told beforehand, is within bounds: what clients of GraphQL send. */
export const isPlainPost = ({ method, headers }: IncomingMessage, mostBytes: number): boolean =>
  method === 'POST' &&
  JSON_TYPE.test(headers['content-type'] ?? '') &&
  headers['content-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) <= mostBytes

/** Reads a body; undefined where it is longer than that. Where the client leaves before its end, nothing follows. */
export const readBody = (
  request: IncomingMessage,
  mostBytes: number,
): Promise<string | undefined> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= mostBytes) chunks.push(chunk)
      else resolve(undefined)
    })
    request.on('end', () => {
      const [only, ...others] = chunks
      const bytes = only !== undefined && others.length === 0 ? only : Buffer.concat(chunks)
      resolve(bytes.toString('utf8'))
    })
  })

const headersOf = ({ headers }: IncomingMessage): Posted['headers'] => ({
  get: (name) => headers[name]?.toString() ?? null,
  *[Symbol.iterator]() {
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) yield [name, value.toString()]
  },
})

/** Aborted when the client leaves before its answer is out. */
const signalOf = (response: ServerResponse): Signal => {
  const left = createController()
  if (response.destroyed) left.abort()
  response.on('close', () => response.writableFinished || left.abort())
  return left.signal
}

/** What of a request counts beside its body. */
export const asked = (
  request: IncomingMessage,
  response: ServerResponse,
): Omit<Posted, 'body'> => ({
  headers: headersOf(request),
  signal: signalOf(response),
})

/** `id` is the name of the request. */
export const write = (
  response: ServerResponse,
  { status, headers, body }: Reply,
  id: string,
): void => {
  const told: Record<string, string> = { 'x-request-id': id, ...headers }
  if (status !== 304) told['content-length'] = String(body.length)
  response.writeHead(status, told).end(body)
}
