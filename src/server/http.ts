import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from '../execution/face.ts'
import type { Gateway } from '../gateway.ts'
import { createGlances, worked } from '../load.ts'
import { createAddresses } from './address.ts'
import { createAnswers } from './answers.ts'
import { createEntry } from './entry.ts'
import { createGraphiql } from './graphiql.ts'
import { createLines } from './lines.ts'
import { createListening } from './listening.ts'
import { isForged } from './origin.ts'
import { showPage, wantsPage } from './page.ts'
import { asked, isPlainPost, readBody, write } from './post.ts'
import { createReaders } from './readers.ts'
import { createCodings, represent } from './representation.ts'
import { nameRequest } from './request-id.ts'
import { say } from './saying.ts'
import { createSocketServer, hasTooManyHeaders } from './sockets.ts'
import { createHosts, pathOf } from './target.ts'

export interface ServerSettings {
  readonly port: number
  readonly host: string
  readonly graphiql: boolean
  /** Whether the data is invented, so that the page says so. */
  readonly sandbox: boolean
  /** Addresses and networks of proxies that are believed whom they ask for. */
  readonly trustProxy?: readonly string[]
}

const TEXTS = {
  nothing: 'Nothing is here: operations are sent to /graphql',
  forged: 'A page of another site may not ask: its origin is not in CORS_ORIGINS',
  coding: 'An answer travels as br, as gzip or as it is, and Accept-Encoding takes none of these',
  headers: 'At most 64 headers are read',
  host: 'The Host header names no host',
}

type Maybe<T> = T | Promise<T>

const after = <T, R>(value: Maybe<T>, then: (value: T) => Maybe<R>): Maybe<R> =>
  value instanceof Promise ? value.then(then) : then(value)

/** The HTTP face of a gateway: GraphQL, its explorer, and the probes. */
export const createHttpServer = (gateway: Gateway, settings: ServerSettings) => {
  const page = createGraphiql({
    title: settings.sandbox ? 'Refrain (sandbox)' : 'Refrain',
    endpoint: '/graphql',
    sandbox: settings.sandbox,
  })

  const readers = createReaders(gateway.upstream.clock)
  const server = createSocketServer(readers.Answer)
  const answers = createAnswers(server)
  const nameAddress = createAddresses(settings.trustProxy)
  const codingsFor = createCodings()
  const namesHost = createHosts()
  const entry = createEntry(gateway.load)
  const work = createGlances(worked, () => performance.now())
  const lines = createLines({ work, tell: gateway.load.wait })
  const isReady = () => gateway.isReady() && !answers.isDraining

  const fail = (response: ServerResponse, failure: unknown) => {
    // Whoever has left is told nothing, and is no fault.
    if (!response.destroyed) gateway.log.error(failure)
    response.destroy()
  }

  /** Does something of an answer's; no promise where there is nothing to wait for, since most answers are held. */
  const attempt = (response: ServerResponse, work: () => Maybe<void>) => {
    try {
      const done = work()
      if (done instanceof Promise) done.catch((failure: unknown) => fail(response, failure))
    } catch (failure) {
      fail(response, failure)
    }
  }

  const route = (request: IncomingMessage, response: ServerResponse): Maybe<void> => {
    nameAddress(request)
    const id = nameRequest(request)
    const path = pathOf(request)
    const isPost = path === '/graphql' && isPlainPost(request) && !hasTooManyHeaders(request)
    // A post is told with its answer: headers that are set beforehand are slow to write.
    if (!isPost) response.setHeader('x-request-id', id)
    if (hasTooManyHeaders(request))
      return say(response, 431, TEXTS.headers, { connection: 'close' })
    if (path === '/livez') return void response.writeHead(200).end()
    if (path === '/readyz') return void response.writeHead(isReady() ? 200 : 503).end()
    if (!namesHost(request)) return say(response, 400, TEXTS.host, { 'x-request-id': id })
    if (path === '/' && settings.graphiql)
      return void response.writeHead(302, { location: '/graphql' }).end()
    if (path !== '/graphql') return say(response, 404, TEXTS.nothing)
    if (settings.graphiql && wantsPage(request)) return showPage(page, request, response)
    if (isForged(request, gateway.isAllowed)) return say(response, 403, TEXTS.forged)
    const codings = codingsFor(request.headers['accept-encoding']?.toString())
    if (codings === undefined) return say(response, 406, TEXTS.coding, { 'x-request-id': id })
    const own = asked(request, response)
    const client = gateway.nameOf(own.headers)
    if (!entry.admits(client, response, id)) return
    /** Goes on in the client's turn: not for who has left while it waited, nor where too many wait. */
    const inTurn = (work: () => Maybe<void>) => {
      const go = () => response.destroyed || attempt(response, work)
      if (!lines.enter(client, go)) entry.refuse(response, id)
    }
    const send = (reply: Reply) => write(response, reply, id)
    const answer = (reply: Reply): Maybe<void> => after(represent(reply, request, codings), send)
    if (request.method === 'GET') {
      entry.begin(response)
      return inTurn(() => after(gateway.get(request.url ?? path, own), answer))
    }
    if (!isPost) {
      request.once('end', () => entry.begin(response))
      return inTurn(() => gateway.yoga(request, response))
    }
    const take = (body: string) => {
      entry.begin(response)
      inTurn(() =>
        after(gateway.answer({ headers: own.headers, signal: own.signal, body }), answer),
      )
    }
    readBody(request, (body) => attempt(response, () => take(body)))
  }

  server.on('request', (request, response) => {
    if (answers.begin(response)) attempt(response, () => route(request, response))
  })

  return {
    ...createListening(server, settings.port, settings.host, 'PORT'),
    /** From here on not ready, and each connection ends with the last answer that was asked for over it. */
    drain: answers.drain,
    close: answers.close,
    cut: answers.cut,
    get isDraining() {
      return answers.isDraining
    },
    /** Bytes that wait for slow readers. */
    get waiting() {
      return readers.waiting
    },
  }
}
