import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { GatewayError } from '../errors.ts'
import type { Clock } from '../upstream/transport/send.ts'
import type { Tokens } from './caller.ts'
import { digestOf, isName } from './client.ts'

export interface TokenSettings {
  readonly issuer: string
  /** Where the issuer's public keys are. */
  readonly jwksUrl: string
  readonly audience: string
}

/** With public keys only: one that is public would be no secret to sign with. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA'],
]
const MOST_KEPT = 10_000
/** Checks at once: whoever sends tokens of his own making is not to keep the process busy. */
const MOST_CHECKS = 64
/** A token is checked again after this, since a key may have been withdrawn. */
const BELIEVED_MS = 300_000
const SKEW_SECONDS = 30
const RETRY_SECONDS = 5

/** Nobody can tell: the keys could not be had. */
const isUntold = (failure: unknown): boolean =>
  !(failure instanceof errors.JOSEError) ||
  failure instanceof errors.JWKSTimeout ||
  failure instanceof errors.JWKSInvalid ||
  failure.code === errors.JOSEError.code

const unable = (): GatewayError =>
  new GatewayError('OVERLOADED', 'tokens cannot be checked at the moment', {
    retryAfter: RETRY_SECONDS,
  })

/** The OAuth client where the token names one, else whom it was made for. */
const nameIn = ({ client_id: id, azp, sub }: JWTPayload): string | undefined =>
  [id, azp, sub].find(isName)

/** Tokens of one issuer, each checked once while it is believed; bounded, whoever sends them. */
export const createTokens = (
  { issuer, jwksUrl, audience }: TokenSettings,
  clock: Clock,
  warn: (text: string) => void,
): Tokens => {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5_000 })
  const good = new LRUCache<string, { readonly name: string; readonly until: number }>({
    max: MOST_KEPT,
  })
  let checks = 0

  const verify = async (token: string): Promise<void> => {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
    })
    const name = nameIn(payload)
    const end = ((payload.exp ?? 0) + SKEW_SECONDS) * 1000
    if (name !== undefined)
      good.set(digestOf(token), { name, until: Math.min(end, clock.now() + BELIEVED_MS) })
  }

  return {
    nameOf(token) {
      const known = good.get(digestOf(token))
      return known !== undefined && clock.now() < known.until ? known.name : undefined
    },
    async check(token) {
      if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return
      if (checks >= MOST_CHECKS) throw unable()
      checks += 1
      try {
        await verify(token)
      } catch (failure) {
        if (!isUntold(failure)) return
        warn(`JWT_JWKS_URL: the issuer's keys could not be had: ${failure}`)
        throw unable()
      } finally {
        checks -= 1
      }
    },
  }
}
