import type { Send, WireAnswer } from '../../../src/upstream/transport/send.ts'

/** What becomes of a refresh token that was exchanged. */
export type Rotation = 'strict' | 'grace' | 'none'

interface Issue {
  /** Seconds; whatever is put here stands in the answer. */
  life?: unknown
  rotation?: Rotation
}

export const answer = (status: number, body: unknown = {}): WireAnswer => ({
  status,
  headers: {},
  text: JSON.stringify(body),
})

/**
 * The service's side of the two tokens. Strict: a token exchanged before revokes its whole family, as
 * services with reuse detection do. Grace: the one before the newest is still taken.
 */
export const createIssuer = (
  now: () => number,
  { life = 3_600, rotation = 'strict' }: Issue = {},
) => {
  let family: string[] = ['seed']
  let revoked = false
  let minted = 0
  let refused = 0
  const good = new Map<string, number>()
  /** Refresh tokens presented, in order: the exchanges. */
  const presented: string[] = []
  const calls: { path: string; authorization: string | undefined }[] = []
  /** Forbidden paths answer 401 whatever the token. */
  const forbidden = new Set<string>()
  /** Paths that answer 503 before anybody looks at the token. */
  const down = new Set<string>()
  /** Replaces the next exchanges' answers; the exchange itself happens unless it throws before. */
  const interceptors: ((done: () => WireAnswer) => WireAnswer | Promise<WireAnswer>)[] = []

  const known = (token: string) => {
    if (rotation === 'none') return family.includes(token)
    if (token === family.at(-1)) return true
    if (rotation === 'grace' && token === family.at(-2)) return true
    if (family.includes(token)) revoked = true
    return false
  }

  const exchange = (token: string): WireAnswer => {
    if (revoked || !known(token)) return answer(401, { error: 'Invalid refresh token' })
    minted += 1
    const access = `access-${minted}`
    const seconds = typeof life === 'number' && life > 0 ? Math.min(life, 3_600) : 3_600
    good.set(access, now() + seconds * 1_000)
    if (rotation !== 'none') family = [...family, `refresh-${minted}`]
    return answer(200, {
      token: access,
      expires_in: life,
      refresh_token: family.at(-1),
      scope: 'api',
    })
  }

  const send: Send = async (request) => {
    if (request.path === '/api/token') {
      const { refreshtoken } = JSON.parse(request.body ?? '{}') as { refreshtoken: string }
      presented.push(refreshtoken)
      const intercept = interceptors.shift()
      return intercept ? intercept(() => exchange(refreshtoken)) : exchange(refreshtoken)
    }
    const authorization = request.headers?.authorization
    calls.push({ path: request.path, authorization })
    if (down.has(request.path)) return answer(503)
    const until = good.get(authorization?.replace('Bearer ', '') ?? '') ?? 0
    if (until <= now() || forbidden.has(request.path)) {
      refused += 1
      return answer(401, { error: 'expired' })
    }
    return answer(200, { obj: { token: authorization } })
  }

  return {
    send,
    presented,
    calls,
    forbidden,
    down,
    interceptors,
    /** Calls answered with 401. */
    get refused() {
      return refused
    },
    /** Tokens live so long from now on. */
    grant(seconds: unknown) {
      life = seconds
    },
    /** Every access token dies now. */
    expireAll: () => good.clear(),
    /** The operator hands out a new refresh token. */
    issue(seed: string) {
      family = [seed]
      revoked = false
    },
    get revoked() {
      return revoked
    },
    get newest() {
      return family.at(-1)
    },
    /** Both are of the line that is good now, and `one` came before `other`. */
    isOlder: (one: string, other: string) =>
      family.includes(one) && family.indexOf(one) < family.indexOf(other),
  }
}

export type Issuer = ReturnType<typeof createIssuer>
