/** What happens to a refresh token that was used: refused from then on, until the next is used, or nothing. */
export type Rotation = 'strict' | 'grace' | 'none'

interface Grant {
  readonly token: string
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

interface Settings {
  readonly now: () => number
  /** Seconds. */
  readonly lifetime: number
  readonly rotation: Rotation
  readonly refreshToken: string
}

/** Issues access tokens for refresh tokens, and knows which are good. */
export const createTokens = ({ now, lifetime, rotation, refreshToken }: Settings) => {
  const expiries = new Map<string, number>()
  let current = refreshToken
  let former: string | undefined
  let issued = 0

  const rotate = (): void => {
    if (rotation === 'none') return
    former = rotation === 'grace' ? current : undefined
    current = `sandbox-refresh-${issued}-${'0'.repeat(40)}`
  }
  return {
    /** Undefined for a refresh token that is not, or no longer, good. */
    exchange(given: string): Grant | undefined {
      const repeats = former !== undefined && given === former
      if (given !== current && !repeats) return undefined
      issued++
      if (!repeats) rotate()
      const token = `sandbox-access-${issued}`
      expiries.set(token, now() + lifetime * 1000)
      return { token, expires_in: lifetime, refresh_token: current, scope: 'api' }
    },
    /** Exactly `Bearer <token>`, one space. */
    admits(authorization: string | undefined): boolean {
      const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
      return token !== undefined && (expiries.get(token) ?? 0) > now()
    },
    revokeAccessTokens(): void {
      expiries.clear()
    },
    /** As the operator does after a compromise: no exchange succeeds until `refreshToken` is told. */
    replaceRefreshToken(next: string): void {
      former = undefined
      current = next
    },
  }
}
