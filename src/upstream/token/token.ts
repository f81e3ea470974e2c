import type { Lease } from '../../board/lease.ts'
import { GatewayError } from '../../errors.ts'
import { createAlarm } from '../transport/alarm.ts'
import type { Clock } from '../transport/send.ts'
import { type Access, createWatch, type HeldAccess } from './access.ts'
import { createWithin, type Patience } from './deadline.ts'
import { createExchange } from './exchange.ts'
import type { Line } from './line.ts'
import type { Mint } from './mint.ts'
import { createPace } from './pace.ts'
import { createSaving } from './saving.ts'
import type { Secret } from './secret.ts'
import { stateOf, type TokenState } from './state.ts'
import { createTroubles } from './trouble.ts'

/** Least time between two exchanges that a 401 asked for: it may be about a right, not the token. */
const BETWEEN_DOUBTS = 30_000
const quiet = () => undefined

/** The single owner of both tokens: hands out access tokens and renews them, one exchange at a time. */
export const createToken = (
  line: Line,
  mint: Mint,
  lease: Lease,
  clock: Clock,
  random: () => number,
  monotonic: () => number,
) => {
  const watch = createWatch(clock, monotonic)
  const troubles = createTroubles(clock, random)
  const exchange = createExchange(line, mint, lease, watch, troubles, createPace(watch))
  let access: HeldAccess | undefined
  let flight: Promise<HeldAccess> | undefined
  /** Generation that a 401 cast doubt on, until a newer one is there. */
  let doubted: number | undefined
  let doubtSettled = Number.NEGATIVE_INFINITY
  let closed = false
  const saving = createSaving(line, clock, exchange.yieldTurn)

  const asking = {
    isServed: () => access?.alive === true && access.gen !== doubted,
    isClosed: () => closed,
  }

  const setAlarm = createAlarm(clock, () => void renew().catch(quiet))

  const ownFault = (error: unknown) => {
    const why = `the exchange failed on this side: ${String(error)}`
    return line.isElsewhere ? troubles.away(why) : troubles.busy({ why })
  }

  const renewal = async (): Promise<HeldAccess> => {
    try {
      const { held, lasting } = await exchange.renew(asking)
      access = held
      troubles.clear()
      if (doubted !== undefined) doubtSettled = watch().steady
      doubted = undefined
      if (lasting && !closed) setAlarm(clock.now() + held.renewAfter)
      return held
    } catch (error) {
      const failure = error instanceof GatewayError ? error : ownFault(error)
      const until = troubles.last?.until ?? Number.POSITIVE_INFINITY
      if (!closed) setAlarm(until)
      throw failure
    } finally {
      void saving.untilKept()
    }
  }

  const renew = (): Promise<HeldAccess> => {
    flight ??= renewal().finally(() => {
      flight = undefined
    })
    flight.catch(quiet)
    return flight
  }

  /** Redis was away and is not, or another process has got what this one did not. */
  const isOver = async () => {
    if (troubles.last === undefined || troubles.last.kind === 'away')
      return troubles.last !== undefined
    return line.isBehind().catch(() => false)
  }
  const restore = async () => {
    await line.restore().catch(quiet)
    await flight?.catch(quiet)
    if ((await isOver()) && !closed) await renew().catch(quiet)
  }
  line.watch(() => void restore())

  const late = () =>
    troubles.last?.error ?? new GatewayError('TIMEOUT', 'No access token came within the deadline')

  const within = createWithin(clock, late)

  /** The held token, unless somebody has to wait for a better one. */
  const atHand = (): Access | undefined => {
    if (access?.alive !== true) return undefined
    const blocked = flight === undefined && troubles.active !== undefined
    if (blocked) return access
    if (doubted === access.gen) return undefined
    if (access.due) renew().catch(quiet)
    return access
  }

  const current = async (patience: Patience): Promise<Access> => {
    const { deadline, signal } = patience
    for (;;) {
      if (signal?.aborted) throw late()
      const held = atHand()
      if (held !== undefined) return held
      const trouble = flight === undefined ? troubles.active : undefined
      if (trouble !== undefined) {
        if (trouble.kind !== 'busy' || trouble.until >= deadline) throw trouble.error
        await clock.sleep(trouble.until - clock.now(), signal)
        continue
      }
      try {
        return await within(renew(), patience)
      } catch (error) {
        const passing = troubles.active?.kind === 'busy' && troubles.active.error === error
        if (!passing) throw error
      }
    }
  }

  const end = async () => {
    closed = true
    saving.close()
    setAlarm(Number.POSITIVE_INFINITY)
    await flight?.catch(quiet)
    await saving.last()
  }
  let ending: Promise<void> | undefined

  return {
    get state(): TokenState {
      return stateOf(flight !== undefined, access?.alive === true, troubles.last)
    },
    /** Milliseconds since the held access token was asked for; undefined where none is held. */
    get age(): number | undefined {
      return access?.age
    },
    /** What an operator should know; undefined when all is well. */
    get problem(): string | undefined {
      if (troubles.last !== undefined) return troubles.last.problem
      return line.unsaved ? 'The newest refresh token could not be saved yet.' : undefined
    },
    /** What the service may repeat beside an access token. */
    get refreshTokens(): readonly Secret[] {
      return line.refreshTokens
    },
    atHand,
    /** An access token, in time. A trouble that passes in time is waited out. */
    current,
    /**
     * A newer token than `gen`, which got a 401: another's exchange, or one for all who ask now.
     * Undefined: `gen` came of such an exchange a moment ago, so another would change nothing.
     */
    async after(gen: number, patience: Patience): Promise<Access | undefined> {
      if (access?.alive !== true || access.gen !== gen) return current(patience)
      if (flight === undefined && troubles.active !== undefined) throw troubles.active.error
      if (watch().steady - doubtSettled < BETWEEN_DOUBTS) return undefined
      doubted = gen
      return within(renew(), patience)
    },
    /** Takes a newly configured refresh token; what is held serves until that one has worked. */
    async reseed(seed: Secret) {
      // What an exchange on its way brings belongs to the line it began in.
      await flight?.catch(quiet)
      if (!line.reseed(seed)) return
      troubles.clear()
      doubted = access?.gen
      await renew().catch(quiet)
    },
    /** Writes down again what a board has lost, and ends a trouble that is over on it. */
    restore,
    /** The newest refresh token exists in this process only. */
    get unsaved(): boolean {
      return line.unsaved
    },
    /** Ends timers; an exchange on its way, and its save, are waited for. */
    close(): Promise<void> {
      ending ??= end()
      return ending
    },
  }
}

export type Token = ReturnType<typeof createToken>
