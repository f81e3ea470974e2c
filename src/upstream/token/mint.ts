import type { Ledger } from '../../credits/ledger.ts'
import { GatewayError } from '../../errors.ts'
import { WireFault } from '../transport/fault.ts'
import type { Clock, Send, WireAnswer } from '../transport/send.ts'
import { type Secret, secret } from './secret.ts'

export interface Granted {
  readonly kind: 'granted'
  readonly token: Secret
  /** Milliseconds. */
  readonly life: number
  /** For the next exchange; absent: the one sent stays good. */
  readonly refreshToken: Secret | undefined
}

/** What an exchange came to. */
export type Grant =
  | Granted
  /** A 200 without an access token; a refresh token in it is as precious as ever. */
  | { readonly kind: 'unreadable'; readonly refreshToken: Secret | undefined }
  /** The refresh token is no good. */
  | { readonly kind: 'refused' }
  /** The request or the address is wrong: the same again changes nothing. */
  | { readonly kind: 'faulty'; readonly status: number }
  /** May pass by itself. */
  | {
      readonly kind: 'busy'
      readonly code: 'RATE_LIMITED' | 'UPSTREAM_UNAVAILABLE'
      readonly why: string
      readonly retryAfter?: number | undefined
      /** The exchange may have been made: its answer is what is missing. */
      readonly lost?: boolean
    }

export type Mint = (refreshToken: Secret) => Promise<Grant>

const ENDPOINT = 'token'
/** An exchange that takes longer than this is not waited for. */
const EXCHANGE_MS = 10_000

const SECOND = 1_000
const LONGEST_LIFE = 3_600
/** Where the answer gives no usable lifetime. */
const UNKNOWN_LIFE = 300
const SHORTEST_LIFE = 1

/** Milliseconds; a lifetime as short as 2 s is real and kept, one of 0 is not a lifetime. */
export const lifeOf = (expiresIn: unknown): number => {
  const seconds = typeof expiresIn === 'string' ? Number(expiresIn.trim() || Number.NaN) : expiresIn
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0)
    return UNKNOWN_LIFE * SECOND
  return Math.min(Math.max(seconds, SHORTEST_LIFE), LONGEST_LIFE) * SECOND
}

/** A text that can stand in a header; anything else is no token. */
const tokenIn = (value: unknown) => {
  const text = typeof value === 'string' ? value.trim() : ''
  return /^[\x21-\x7e]+$/.test(text) ? secret(text) : undefined
}

const fieldsOf = (text: string): ReadonlyMap<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  } catch {
    return new Map()
  }
}

const granted = (text: string): Grant => {
  const fields = fieldsOf(text)
  const token = tokenIn(fields.get('token'))
  const refreshToken = tokenIn(fields.get('refresh_token'))
  if (token === undefined) return { kind: 'unreadable', refreshToken }
  return { kind: 'granted', token, life: lifeOf(fields.get('expires_in')), refreshToken }
}

const failed = ({ status, retryAt = 0 }: WireAnswer, now: number): Grant => {
  if (status === 401) return { kind: 'refused' }
  const why = `the token endpoint answers ${status}`
  const retryAfter = Math.max(0, (retryAt - now) / SECOND)
  if (status === 429) return { kind: 'busy', code: 'RATE_LIMITED', why, retryAfter }
  if (status >= 500) return { kind: 'busy', code: 'UPSTREAM_UNAVAILABLE', why }
  return { kind: 'faulty', status }
}

/** Whoever hears why there is no token knows of which endpoint. */
const reasonIn = (message: string): string =>
  message.startsWith(`${ENDPOINT}: `) ? message.slice(ENDPOINT.length + 2) : message

/** Exchanges a refresh token; `credits` is what the plan bills for it, booked on `ledger`. */
export const createMint =
  (send: Send, clock: Clock, ledger: Ledger, credits: number): Mint =>
  async (refreshToken) => {
    const request = {
      method: 'POST',
      path: '/api/token',
      body: JSON.stringify({ refreshtoken: refreshToken.reveal() }),
      credits,
      limitMs: EXCHANGE_MS,
      endpoint: ENDPOINT,
    } as const
    try {
      const answer = await send(request, { ledger, deadline: clock.now() + EXCHANGE_MS })
      const { status, text } = answer
      return status >= 200 && status < 300 ? granted(text) : failed(answer, clock.now())
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      const { message, facts } = error
      const why = reasonIn(message)
      const code = error.code === 'RATE_LIMITED' ? 'RATE_LIMITED' : 'UPSTREAM_UNAVAILABLE'
      const lost = error instanceof WireFault && error.sent
      return { kind: 'busy', code, why, retryAfter: facts.retryAfter, lost }
    }
  }
