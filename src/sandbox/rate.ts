/** What a request is told about the rate. */
export interface Pace {
  readonly refused: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** Named where nothing is limited, so that a client's pacing has something to read. */
const UNLIMITED = 1_000
const SECOND = 1_000

/**
 * A sliding window; every request received counts, refused ones and token calls too.
 * `X-RateLimit-Reset` is the second, since the epoch, at which a call can succeed.
 */
export const createRate = (perSecond?: number) => {
  const limit = perSecond === undefined ? UNLIMITED : Math.max(1, Math.floor(perSecond))
  const window = perSecond === undefined ? 0 : (SECOND * limit) / perSecond
  let received: number[] = []
  return (now: number): Pace => {
    received = received.filter((moment) => moment > now - window)
    const refused = received.length >= limit
    received.push(now)
    const remaining = Math.max(0, limit - received.length)
    const blocking = received.at(-limit)
    const reset = remaining > 0 || blocking === undefined ? now : blocking + window
    return {
      refused,
      headers: {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil(reset / SECOND)),
      },
    }
  }
}
