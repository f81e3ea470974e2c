import type { Ledger } from '../credits/ledger.ts'
import { type ErrorCode, GatewayError } from '../errors.ts'
import { type Answer, answer } from './answer.ts'
import type { Drift } from './drift.ts'
import { createFlight, createReader, type Flight } from './flight.ts'
import type { Holdings } from './holdings.ts'
import type { Operation } from './operation.ts'
import { Departure, type Patience } from './patience.ts'
import type { Request } from './request.ts'
import { createScouts } from './scout.ts'
import { createServed } from './served.ts'
import { WireFault } from './transport/fault.ts'
import type { Caller, Clock, Send, WireAnswer } from './transport/send.ts'
import { type Asker, RANK } from './turn.ts'

export interface FleetParts {
  readonly send: Send
  readonly clock: Clock
  readonly holdings: Holdings
  readonly drift: Drift
  readonly patience: Patience
  /** Pays for what no operation asked for. */
  readonly background: Ledger
}

const RENEWAL_MS = 10_000

/** What went wrong, in the words of the gateway. */
export const rejection = (failure: unknown): GatewayError =>
  failure instanceof GatewayError
    ? failure
    : new GatewayError('UPSTREAM_UNAVAILABLE', 'The service could not be asked', {}, failure)

const OF_THE_STARTER: ReadonlySet<ErrorCode> = new Set([
  'CREDIT_LIMIT_EXCEEDED',
  'CREDIT_BUDGET_EXHAUSTED',
  'TIMEOUT',
  'RATE_LIMITED',
])

/** Failures of the one who asked first, not of the service: whoever joined may fare better. What was sent was paid for. */
export const isOfItsStarter = (error: GatewayError): boolean =>
  OF_THE_STARTER.has(error.code) && !(error instanceof WireFault && error.sent)

/** Failures of the one who asked, or of one who left, tell nothing of what is held. */
const isToldBy = ({ code }: GatewayError, { signal }: Caller): boolean =>
  code !== 'CREDIT_LIMIT_EXCEEDED' && !(code === 'TIMEOUT' && signal?.reason instanceof Departure)

/** All flights under way, one for a request; what they bring, or fail with, is held. */
export const createFleet = ({ send, clock, holdings, drift, patience, background }: FleetParts) => {
  const flights = new Map<string, Flight>()
  const scouts = createScouts()

  const start = <V>(
    request: Request<V>,
    operation: Operation,
    { rank = RANK.NORMAL, field }: Asker = {},
  ): Flight<V> => {
    const { inTurn, purpose } = operation
    const { reads, read } = createReader<V>((wire) =>
      answer(request, wire, clock.now(), drift.reading(request.endpoint.name)),
    )
    const fly = async (caller: Caller): Promise<Answer<V>> => {
      let wire: WireAnswer | undefined
      try {
        wire = await send({ ...request.wire, field }, caller)
        const bought = read(wire)
        holdings.keep(request, bought, wire)
        return bought
      } catch (failure) {
        const error = rejection(failure)
        if (isToldBy(error, caller)) holdings.fail(request, error, wire)
        throw error
      } finally {
        flights.delete(request.key)
      }
    }
    const errand = { purpose, hasStandIn: holdings.standsIn(request), reads }
    const started = createFlight(operation, errand, patience, (caller) =>
      inTurn ? inTurn(rank, () => fly(caller)) : fly(caller),
    )
    flights.set(request.key, started)
    scouts.follow(request, started.landed)
    return started
  }

  return {
    has: (key: string): boolean => flights.has(key),
    /** The flight for a request; keyed by it, so that it brings that request's answer. */
    of: <V>({ key }: Request<V>) => flights.get(key) as Flight<V> | undefined,
    /** The end of a flight that finds out whether the plan permits this request's route. */
    ahead: (request: Request) => scouts.ahead(request, flights),
    start,
    /** Renews an answer behind the back of those who are given the old one. */
    renew(request: Request): void {
      if (flights.has(request.key)) return
      const now = clock.now()
      const nobody = { ledger: background, deadline: now + RENEWAL_MS, directives: {}, since: now }
      const operation = { ...nobody, purpose: 'revalidation', served: createServed() } as const
      start(request, operation)
        .wait(operation)
        .catch(() => undefined)
    },
  }
}
