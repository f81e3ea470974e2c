import { Pool } from 'undici'
import { createCohort } from '../../cohort.ts'
import type { Signal } from '../../signal.ts'
import { type Arrival, Attempt, late } from './attempt.ts'
import { createBodyReader, MAX_BODY_BYTES } from './body.ts'
import { createDepartures } from './departure.ts'
import { createRoom } from './room.ts'
import type { Clock, Send, WireRequest } from './send.ts'

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

/** The socket end: one request, one answer of whatever status, or a fault that tells if it was sent. */
export const createHttp = ({ baseUrl, concurrency, timeoutMs }: HttpSettings, clock: Clock) => {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, '')
  const departures = createDepartures()
  const room = createRoom(MOST_BYTES_HELD)
  const parts = { clock, room, departures, together: createCohort() }
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

  const exchange = (request: WireRequest, budget: number, left?: Signal): Promise<Arrival> => {
    const { method, path, body = null, endpoint } = request
    const attempt = new Attempt(parts, endpoint, budget, left)
    const timeouts = { headersTimeout: budget, bodyTimeout: budget }
    pool.dispatch(
      { method, path: prefix + path, body, headers: headersOf(request), ...timeouts },
      attempt,
    )
    return attempt.arrival
  }

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
