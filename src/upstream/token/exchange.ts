import type { Lease } from '../../board/lease.ts'
import type { Turn } from '../../board/turn.ts'
import { GatewayError } from '../../errors.ts'
import { createAccess, type HeldAccess, type Watch } from './access.ts'
import type { Line } from './line.ts'
import type { Grant, Granted, Mint } from './mint.ts'
import type { Pace } from './pace.ts'
import { hashOf } from './record.ts'
import type { Secret } from './secret.ts'
import type { Troubles } from './trouble.ts'

const ADVICE = 'Ask the operator of the service for a new one and set UPSTREAM_REFRESH_TOKEN.'
const POISONED = `The refresh token is refused: it was withdrawn, or exchanged elsewhere. ${ADVICE}`
const lost = (at: number) =>
  `The refresh token is refused, and an exchange begun at ${new Date(at).toISOString()} was cut off before its result was saved: the newest token is lost. ${ADVICE}`
const IN_STATE_DIR = { name: 'STATE_DIR', kept: 'file', all: 'the token files in STATE_DIR' }
const IN_REDIS = { name: 'Redis', kept: 'text', all: '“…:board:token” in Redis' }
const placeOf = ({ isElsewhere }: Line) => (isElsewhere ? IN_REDIS : IN_STATE_DIR)
const unreadable = ({ name, kept }: typeof IN_REDIS) =>
  `The configured refresh token is refused, and the record of newer ones in ${name} cannot be read: put its ${kept} or its STATE_KEY back. Failing that: ${ADVICE}`
const sealed = ({ name, all }: typeof IN_REDIS) =>
  `${name} holds newer tokens than UPSTREAM_REFRESH_TOKEN, sealed with another STATE_KEY: put that key back, or set a new UPSTREAM_REFRESH_TOKEN. To present the old one again may end the newer ones; to do so delete ${all}.`
const PLAIN =
  'Redis holds newer tokens than UPSTREAM_REFRESH_TOKEN, in a record that is not sealed with STATE_KEY: it is not believed, since others may have put it there. Where it is of before STATE_KEY was set, run "refrain token seal"; else set a new UPSTREAM_REFRESH_TOKEN.'
const refusal = (line: Line) => {
  if (line.unreadable) return unreadable(placeOf(line))
  return line.interrupted === undefined ? POISONED : lost(line.interrupted)
}
const malformed = (status: number) =>
  `The token endpoint answers ${status} to a well-formed request: check UPSTREAM_URL and UPSTREAM_REFRESH_TOKEN.`

/** An access token, and whether it lives long enough to be renewed without being asked for. */
export interface Renewed {
  readonly held: HeldAccess
  readonly lasting: boolean
}

const LASTING = 60_000
const LONGEST = 60 * 60_000
const SILENCE = 15_000
/** With a token that serves there is time: to present the old one too early ends the whole line. */
const SILENCE_WHILE_SERVED = 2 * 60_000

/** Who asks for a renewal, and what waiting for another's turn does to it. */
export interface Asking {
  /** The held token serves meanwhile. */
  isServed(): boolean
  isClosed(): boolean
}

/** One renewal: what the board has, else an exchange, else the other token, else a trouble. */
export const createExchange = (
  line: Line,
  mint: Mint,
  lease: Lease,
  watch: Watch,
  troubles: Troubles,
  pace: Pace,
) => {
  let turn: Turn | undefined

  /** What another process, or an earlier one, left: better than what we hold if it is newer. */
  const takeOver = async (): Promise<Renewed | undefined> => {
    const { gen, accessToken: token, accessExp } = (await line.catchUp()) ? (line.record ?? {}) : {}
    if (gen === undefined || token === undefined || accessExp === undefined) return undefined
    const now = watch()
    const held = createAccess({ gen, token }, Math.min(accessExp - now.wall, LONGEST), now, watch)
    return held.alive ? { held, lasting: true } : undefined
  }

  /** Undefined: it was not made, for another process wrote meanwhile. */
  const exchange = async (
    candidate: Secret,
  ): Promise<Exclude<Grant, Granted> | Renewed | undefined> => {
    if (!(await line.intend())) return undefined
    const born = watch()
    const grant = await mint(candidate)
    if (grant.kind === 'unreadable' && grant.refreshToken !== undefined) {
      await line.keep(candidate, { refreshToken: grant.refreshToken })
      return grant
    }
    if (grant.kind !== 'granted') {
      await line.conclude(grant.kind === 'busy' && grant.lost === true)
      return grant
    }
    pace.minted(born)
    const { token, life, refreshToken = candidate } = grant
    const accessExp = born.wall + life
    const gen = await line.keep(candidate, { accessToken: token, accessExp, refreshToken })
    return { held: createAccess({ gen, token }, life, born, watch), lasting: life >= LASTING }
  }

  /**
   * The newest of the line, then the configured one, since a service may give tokens that it does not take. Not where an
   * exchange was cut off, which is why the newest is refused: what is older would end what that one brought. A probe of a
   * known refusal tries the newest only.
   */
  const alternative = (refusals: ReadonlySet<string>) => {
    const isExplained = line.interrupted !== undefined || troubles.last?.kind === 'rejected'
    return [
      line.record?.refreshToken,
      line.record?.orphan,
      ...(isExplained ? [] : [line.seed]),
    ].find((token) => token !== undefined && !refusals.has(hashOf(token)))
  }

  const renewAlone = async (): Promise<Renewed> => {
    if (line.sealed) throw troubles.faulty(sealed(placeOf(line)))
    if (line.plain) throw troubles.rejected(PLAIN)
    if (pace.wait > 0) throw troubles.early(pace.wait)
    const refusals = new Set<string>()
    let repaired = false
    let candidate = alternative(refusals)
    if (candidate === undefined) throw troubles.faulty('UPSTREAM_REFRESH_TOKEN is not set.')
    while (candidate !== undefined) {
      const result = await exchange(candidate)
      if (result !== undefined && 'held' in result) return result
      if (result?.kind === 'busy') throw troubles.busy(result)
      if (result?.kind === 'faulty')
        throw result.status === 400
          ? troubles.faulty(malformed(result.status))
          : troubles.rejected(malformed(result.status))
      if (result === undefined || result.kind === 'refused') {
        if (result !== undefined) refusals.add(hashOf(candidate))
        const moved = await takeOver()
        if (moved !== undefined) return moved
        candidate = alternative(refusals)
        continue
      }
      const { refreshToken } = result
      if (refreshToken === undefined || repaired)
        throw troubles.busy({ why: 'the answer holds none' })
      repaired = true
      candidate = refreshToken
    }
    throw troubles.rejected(refusal(line))
  }

  /** Lets others have their turn, once there is nothing that only this process knows. */
  const yieldTurn = async () => {
    if (turn === undefined || line.unsaved) return
    const ended = turn
    turn = undefined
    await ended.end()
  }

  const renewInTurn = async ({ isServed, isClosed }: Asking): Promise<Renewed> => {
    let taken = await takeOver()
    if (taken !== undefined) return taken
    turn ??= await lease.claim({
      patience: () => (isServed() ? SILENCE_WHILE_SERVED : SILENCE),
      async isNeedless() {
        taken = await takeOver()
        return taken !== undefined || isClosed()
      },
    })
    if (taken !== undefined) return taken
    if (turn === undefined)
      throw new GatewayError('UPSTREAM_UNAVAILABLE', 'The gateway is shutting down')
    try {
      // Whoever had the turn before may have left something just now.
      return (await takeOver()) ?? (await renewAlone())
    } finally {
      await yieldTurn()
    }
  }

  const renew = async (asking: Asking): Promise<Renewed> => {
    try {
      return await renewInTurn(asking)
    } catch (failure) {
      // The board is away, or goes away meanwhile.
      if (failure instanceof GatewayError || !line.mayGoAlone) throw failure
      return renewAlone()
    }
  }

  return { renew, yieldTurn }
}
