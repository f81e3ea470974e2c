import { Pool } from 'undici'
import { createCohort } from '../../cohort.ts'
import { Attempt, late } from './attempt.ts'
import { createBodyReader, MAX_BODY_BYTES } from './body.ts'
import { createDepartures } from './departure.ts'
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
  const parts = { clock, room, departures, together, readBody: createBodyReader() }
  const pool = new Pool(base.origin, {
    connections: concurrency,
    pipelining: 1,
    connect: { timeout: CONNECT_MS },
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
    const patience = caller.deadline - clock.now()
    if (patience <= 0 || caller.signal?.aborted) return end({ error: late(endpoint, false) })
    const limit = request.limitMs ?? timeoutMs
    const budget = caller.isKept ? limit : Math.min(limit, patience)
    const timeouts = { headersTimeout: budget, bodyTimeout: budget }
    pool.dispatch(
      { method, path: prefix + path, body, headers: headersOf(request), ...timeouts },
      new Attempt(parts, endpoint, budget, caller.signal, end),
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
