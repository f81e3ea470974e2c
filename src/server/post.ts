import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Posted, Reply } from '../execution/face.ts'
import { MOST_BODY_BYTES } from '../plugins/bounds.ts'
import { isPlain } from '../plugins/form.ts'
import { type Controller, createController, type Signal } from '../signal.ts'

/** What of a request changes its answer. */
const VARY =
  'accept, accept-encoding, origin, authorization, x-api-key, cache-control, x-credits-limit, x-credits-plan, x-credits-report'

export const isPlainPost = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' && isPlain(headers['content-type'], headers['content-encoding'])

/** Stands for every body that is longer than is read. */
const TOO_LONG = ' '.repeat(MOST_BODY_BYTES + 1)

/**
 * Reads a body, and takes it once. What is too long is known by what it says of itself or once so much has come; the
 * rest is let pass, so that the client hears the answer and can ask again. Where it leaves before the end, nothing follows.
 */
export const readBody = (request: IncomingMessage, take: (body: string) => void): void => {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) {
    take(TOO_LONG)
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    const isNew = length <= MOST_BODY_BYTES
    length += chunk.length
    if (length <= MOST_BODY_BYTES) chunks.push(chunk)
    else if (isNew) take(TOO_LONG)
  })
  request.on('end', () => {
    if (length > MOST_BODY_BYTES) return
    const [first] = chunks
    const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
    take(bytes.toString('utf8'))
  })
}

/** The headers of a request. A class, since each request has them. */
class SentHeaders implements Iterable<[string, string]> {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    return this.#headers[name]?.toString() ?? null
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const [name, value] of Object.entries(this.#headers))
      if (value !== undefined) yield [name, value.toString()]
  }
}

/** Tells that the client left before its answer was out. Most answers ask it nothing, so it hears of it only for who does. */
class Leaving implements Signal {
  readonly reason = undefined
  readonly #response: ServerResponse
  #heard: Controller | undefined

  constructor(response: ServerResponse) {
    this.#response = response
  }

  get aborted(): boolean {
    const { destroyed, writableFinished } = this.#response
    return this.#heard?.signal.aborted ?? (destroyed && !writableFinished)
  }

  addEventListener(type: 'abort', listener: () => void): void {
    this.#hear().addEventListener(type, listener)
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#heard?.signal.removeEventListener(type, listener)
  }

  #hear(): Signal {
    if (this.#heard !== undefined) return this.#heard.signal
    const heard = createController()
    if (this.aborted) heard.abort()
    this.#heard = heard
    this.#response.on('close', () => this.#response.writableFinished || heard.abort())
    return heard.signal
  }
}

/** What of a request counts beside its body. */
export const asked = (
  request: IncomingMessage,
  response: ServerResponse,
): Omit<Posted, 'body'> => ({
  headers: new SentHeaders(request.headers),
  signal: new Leaving(response),
})

/** `id` is the name of the request. */
export const write = (
  response: ServerResponse,
  { status, headers, body }: Reply,
  id: string,
): void => {
  const told = ['x-request-id', id]
  for (const name in headers) told.push(name, headers[name] ?? '')
  told.push('vary', VARY)
  if (status !== 304) told.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, told).end(body)
}
