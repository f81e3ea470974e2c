import { Pool } from 'undici'
import { createCohort } from '../../cohort.ts'
import { Attempt, late } from './attempt.ts'
import { createBodyReader, MAX_BODY_BYTES } from './body.ts'
import { createDepartures } from './departure.ts'
import { createMoments } from './moments.ts'
import { createRoom } from './room.ts'
import type { Clock, WireRequest } from './send.ts'
import type { Step } from './step.ts'

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
  const together = createCohort()
  const moments = createMoments(clock)
  const parts = { moments, room, departures, together, readBody: createBodyReader() }
  const pool = new Pool(base.origin, {
    connections: concurrency,
    pipelining: 1,
    connect: { timeout: CONNECT_MS },
    // They start anew with every byte, and not before the socket: an attempt counts all of its time.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  /** Names and values, one after the other. */
  const headersOf = ({ body, headers = {} }: WireRequest): string[] => {
    const all = ['accept', 'application/json', 'accept-encoding', 'gzip']
    if (body !== undefined) all.push('content-type', 'application/json')
    for (const name in headers) all.push(name, headers[name] ?? '')
    return all
  }

  const send: Step = (request, caller, end) => {
    const { method, path, body = null, endpoint } = request
    const now = clock.now()
    const { deadline, signal, isKept } = caller
    if (now >= deadline || signal?.aborted) return end({ error: late(endpoint, false) })
    const latest = now + (request.limitMs ?? timeoutMs)
    const until = isKept ? latest : Math.min(latest, deadline)
    pool.dispatch(
      { method, path: prefix + path, body, headers: headersOf(request) },
      new Attempt(parts, endpoint, until, signal, end),
    )
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
