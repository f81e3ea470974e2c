import { GatewayError } from '../../errors.ts'

const secondsTo = (moment: number, now: number) => Math.ceil((moment - now) / 1_000)

/** The rate limit opens past the deadline. */
export const limited = (opens: number, now: number): GatewayError => {
  const retryAfter = secondsTo(opens, now)
  return new GatewayError(
    'RATE_LIMITED',
    `The upstream's rate limit allows this request in ${retryAfter} s, past its deadline`,
    { retryAfter },
  )
}

/** Too many are ahead, at the speed at which the upstream answers. */
export const busy = (begin: number, now: number): GatewayError => {
  const retryAfter = secondsTo(begin, now)
  return new GatewayError(
    'OVERLOADED',
    `The upstream is kept busy for ${retryAfter} s by requests ahead of this one`,
    { retryAfter },
  )
}

export const late = (): GatewayError =>
  new GatewayError('TIMEOUT', 'Nobody waits any more for what had not left')

export const full = (length: number): GatewayError =>
  new GatewayError('OVERLOADED', `${length} operations wait for the upstream already`)

export const crowdedOut = (): GatewayError =>
  new GatewayError('OVERLOADED', 'The queue is full, and others were to have the room')

/** Its own requests keep a client waiting; whoever joined for another client may fare better. */
export const overSlots = (code: 'TIMEOUT' | 'OVERLOADED', client: string): GatewayError =>
  new GatewayError(code, 'The slots of this client are taken by its other requests', {
    client,
    retryAfter: 1,
  })

export const closing = (): GatewayError =>
  new GatewayError('UPSTREAM_UNAVAILABLE', 'The gateway is shutting down')
