import { Pool } from 'undici'
import { createController, type Signal } from '../../signal.ts'
import { createBodyReader, MAX_BODY_BYTES, tooLarge } from './body.ts'
import { createDepartures } from './departure.ts'
import { faultOf, WireFault } from './fault.ts'
import { createRoom, type Place } from './room.ts'
import type { Clock, Send, WireAnswer, WireRequest } from './send.ts'

export interface HttpSettings {
  /** Where the service lives; a path in it goes before every request's own. */
  readonly baseUrl: string
  /** Connections, which is requests at once. */
  readonly concurrency: number
  /** Most milliseconds of one attempt, where the request does not say. */
  readonly timeoutMs: number
}

const CONNECT_MS = 2_000
/** Bytes of bodies on their way: with the one that may pass it and one that is unpacked, 64 MB. */
const MOST_BYTES_HELD = 2 * MAX_BODY_BYTES

interface Arrival {
  readonly status: number
  readonly headers: WireAnswer['headers']
  readonly chunks: readonly Buffer[]
  readonly place: Place | undefined
}

const late = (endpoint: string, sent: boolean) =>
  new WireFault('TIMEOUT', `${endpoint}: the upstream did not answer in time`, {
    sent,
    repeatable: false,
  })

/** The socket end: one request, one answer of whatever status, or a fault that tells if it was sent. */
export const createHttp = ({ baseUrl, concurrency, timeoutMs }: HttpSettings, clock: Clock) => {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, '')
  const departures = createDepartures()
  const room = createRoom(MOST_BYTES_HELD)
  const readBody = createBodyReader()
  const pool = new Pool(base.origin, {
    connections: concurrency,
    pipelining: 1,
    connect: { timeout: CONNECT_MS },
  })

  const headersOf = ({ body, headers }: WireRequest) => ({
    accept: 'application/json',
    'accept-encoding': 'gzip',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  })

  const exchange = (request: WireRequest, budget: number, left?: Signal): Promise<Arrival> =>
    new Promise((resolve, reject) => {
      const { method, path, body, endpoint } = request
      const over = createController()
      const chunks: Buffer[] = []
      let size = 0
      let sent = false
      let head: Pick<Arrival, 'status' | 'headers'> | undefined
      let place: Place | undefined
      let hangUp: ((reason: Error) => void) | undefined

      const end = () => {
        over.abort()
        left?.removeEventListener('abort', giveUp)
      }
      const fail = (fault: WireFault) => {
        if (over.signal.aborted) return
        end()
        place?.leave()
        reject(fault)
        hangUp?.(fault)
      }
      const giveUp = () => {
        if (!sent) fail(late(endpoint, false))
      }
      // undici's own timeouts start anew with every byte and not before the socket: this one counts all.
      // A process that stood still finds its timer over and the answer waiting: the answer counts.
      void clock.sleep(budget, over.signal).then(() => {
        if (!over.signal.aborted) setImmediate(() => fail(late(endpoint, sent)))
      })
      left?.addEventListener('abort', giveUp)

      pool.dispatch(
        {
          method,
          path: prefix + path,
          body: body ?? null,
          headers: headersOf(request),
          headersTimeout: budget,
          bodyTimeout: budget,
        },
        {
          onRequestStart(controller) {
            if (over.signal.aborted) return controller.abort(late(endpoint, false))
            hangUp = (reason) => controller.abort(reason)
            departures.expect(() => {
              sent = true
            })
          },
          onResponseStart(controller, status, headers) {
            head = { status, headers }
            place ??= room.enter(controller)
          },
          onResponseData(_controller, chunk) {
            size += chunk.length
            if (size > MAX_BODY_BYTES) fail(tooLarge(endpoint))
            else {
              chunks.push(chunk)
              place?.add(chunk.length)
            }
          },
          onResponseEnd() {
            if (head === undefined || over.signal.aborted) return
            end()
            resolve({ ...head, chunks, place })
          },
          onResponseError(_controller, error) {
            fail(faultOf(error, endpoint, sent))
          },
        },
      )
    })

  const send: Send = async (request, caller) => {
    const patience = caller.deadline - clock.now()
    if (patience <= 0 || caller.signal?.aborted) throw late(request.endpoint, false)
    const limit = request.limitMs ?? timeoutMs
    const budget = caller.isKept ? limit : Math.min(limit, patience)
    const { status, headers, chunks, place } = await exchange(request, budget, caller.signal)
    try {
      return { status, headers, text: await readBody(chunks, headers, request.endpoint) }
    } finally {
      place?.leave()
    }
  }

  return {
    send,
    /** Bytes of bodies on their way, as sent. */
    get bodyBytes() {
      return room.bytes
    },
    /** Waits for what is on the wire. */
    async close() {
      await pool.close()
      departures.close()
    },
  }
}
