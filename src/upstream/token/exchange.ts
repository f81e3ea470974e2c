import { createAccess, type HeldAccess, type Watch } from './access.ts'
import type { Line } from './line.ts'
import type { Grant, Granted, Mint } from './mint.ts'
import { hashOf } from './record.ts'
import type { Secret } from './secret.ts'
import type { Troubles } from './trouble.ts'

const ADVICE = 'Ask the operator of the service for a new one and set UPSTREAM_REFRESH_TOKEN.'
const refused = (interrupted: number | undefined) =>
  interrupted === undefined
    ? `The refresh token is refused: it was withdrawn, or exchanged elsewhere. ${ADVICE}`
    : `The refresh token is refused, and an exchange begun at ${new Date(interrupted).toISOString()} was cut off before its result was saved: the newest token is lost. ${ADVICE}`
const malformed = (status: number) =>
  `The token endpoint answers ${status} to a well-formed request: check UPSTREAM_URL and UPSTREAM_REFRESH_TOKEN.`

/** An access token, and whether it lives long enough to be renewed without being asked for. */
export interface Renewed {
  readonly held: HeldAccess
  readonly lasting: boolean
}

const LASTING = 60_000
const LONGEST = 60 * 60_000

/** One renewal: what the board has, else an exchange, else the other token, else a trouble. */
export const createExchange = (line: Line, mint: Mint, watch: Watch, troubles: Troubles) => {
  /** What another process, or an earlier one, left: better than what we hold if it is newer. */
  const takeOver = async (): Promise<Renewed | undefined> => {
    const { gen, accessToken: token, accessExp } = (await line.catchUp()) ? (line.record ?? {}) : {}
    if (gen === undefined || token === undefined || accessExp === undefined) return undefined
    const now = watch()
    const held = createAccess({ gen, token }, Math.min(accessExp - now.wall, LONGEST), now, watch)
    return held.alive ? { held, lasting: true } : undefined
  }

  const exchange = async (candidate: Secret): Promise<Exclude<Grant, Granted> | Renewed> => {
    await line.intend()
    const born = watch()
    const grant = await mint(candidate)
    if (grant.kind !== 'granted') {
      await line.conclude(grant.kind === 'busy' && grant.lost === true)
      return grant
    }
    const { token, life, refreshToken = candidate } = grant
    const accessExp = born.wall + life
    const gen = await line.keep(candidate, { accessToken: token, accessExp, refreshToken })
    return { held: createAccess({ gen, token }, life, born, watch), lasting: life >= LASTING }
  }

  /** The newest of the line, then the configured one; a probe of a known refusal tries the newest only. */
  const alternative = (refusals: ReadonlySet<string>) => {
    const seeds = troubles.last?.kind === 'rejected' ? [] : [line.seed]
    return [line.record?.refreshToken, ...seeds].find(
      (token) => token !== undefined && !refusals.has(hashOf(token)),
    )
  }

  return async (): Promise<Renewed> => {
    const taken = await takeOver()
    if (taken !== undefined) return taken
    const refusals = new Set<string>()
    let repaired = false
    let candidate = alternative(refusals)
    if (candidate === undefined) throw troubles.faulty('UPSTREAM_REFRESH_TOKEN is not set.')
    while (candidate !== undefined) {
      const result = await exchange(candidate)
      if ('held' in result) return result
      if (result.kind === 'busy') throw troubles.busy(result)
      if (result.kind === 'faulty')
        throw result.status === 400
          ? troubles.faulty(malformed(result.status))
          : troubles.rejected(malformed(result.status))
      if (result.kind === 'refused') {
        refusals.add(hashOf(candidate))
        const moved = await takeOver()
        if (moved !== undefined) return moved
        candidate = alternative(refusals)
        continue
      }
      const { refreshToken } = result
      if (refreshToken !== undefined) await line.keep(candidate, { refreshToken })
      if (refreshToken === undefined || repaired)
        throw troubles.busy({ why: 'the answer holds none' })
      repaired = true
      candidate = refreshToken
    }
    throw troubles.rejected(refused(line.interrupted))
  }
}
