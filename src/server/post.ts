import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Posted, Reply } from '../execution/face.ts'
import { createController, type Signal } from '../signal.ts'

const JSON_TYPE = /^application\/json(?:;\s*charset=utf-?8)?$/i

/** Whether a request is JSON of a length that is told beforehand and within bounds: what clients of GraphQL send. */
export const isPlainPost = ({ method, headers }: IncomingMessage, mostBytes: number): boolean =>
  method === 'POST' &&
  JSON_TYPE.test(headers['content-type'] ?? '') &&
  headers['content-encoding'] === undefined &&
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= mostBytes

/** Reads a body whose length is within bounds; where the client leaves before its end, nothing follows. */
const readBody = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
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
  response.once('close', () => response.writableFinished || left.abort())
  return left.signal
}

/** What of a request without a body counts. */
export const asked = (
  request: IncomingMessage,
  response: ServerResponse,
): Omit<Posted, 'body'> => ({
  headers: headersOf(request),
  signal: signalOf(response),
})

/** Reads a plain post. */
export const posted = async (
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Posted> => {
  const body = await readBody(request)
  return { body, ...asked(request, response) }
}

export const write = (response: ServerResponse, { status, headers, body }: Reply): void => {
  const length = status === 304 ? {} : { 'content-length': String(body.length) }
  response.writeHead(status, { ...headers, ...length }).end(body)
}
