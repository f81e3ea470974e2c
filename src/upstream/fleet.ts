import type { OfClient } from '../clients/crowd.ts'
import type { Ledger } from '../credits/ledger.ts'
import { type ErrorCode, GatewayError } from '../errors.ts'
import { Passing } from '../passing.ts'
import { type Answer, type Answered, aliased, answer } from './answer.ts'
import { days, minutes } from './calendar.ts'
import type { Commons, Kept } from './commons.ts'
import type { Drift } from './drift.ts'
import { type Errand, Flight, type Passenger } from './flight.ts'
import { isWelcome } from './freshness.ts'
import type { Holdings } from './holdings.ts'
import type { Operation } from './operation.ts'
import { Departure, type Patience, type Patient } from './patience.ts'
import type { Request } from './request.ts'
import type { Claim } from './right.ts'
import { createScouts } from './scout.ts'
import { createServed } from './served.ts'
import { WireFault } from './transport/fault.ts'
import type { Caller, Clock, Outcome, WireAnswer } from './transport/send.ts'
import type { Step } from './transport/step.ts'
import { type Asker, RANK, type Rank } from './turn.ts'

/** The operations that the service is asked for. */
export interface Crowd {
  /** Lets an operation send for something. Throws where it may not. */
  admit(operation: OfClient): void
  /** What it sent for is here. */
  release(operation: OfClient): void
}

export interface FleetParts {
  readonly send: Step
  readonly clock: Clock
  readonly holdings: Holdings
  readonly drift: Drift
  readonly patience: Patience
  /** Answers that all replicas share, where there are several. */
  readonly commons?: Commons | undefined
  readonly crowd?: Crowd | undefined
  /** Pays for what no operation asked for. */
  readonly background: Ledger
}

const RENEWAL_MS = 10_000
/** How long another replica believes a refusal that it did not get itself. */
const REFUSED_FOR = minutes(2)

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

/**
 * Failures of the one who asked first: whoever joined may fare better. What the service said, and what was sent, was
 * paid for, and is everybody's.
 */
export const isOfItsStarter = (error: GatewayError): boolean =>
  (OF_THE_STARTER.has(error.code) || error.facts.client !== undefined) &&
  error.facts.status === undefined &&
  !(error instanceof WireFault && error.sent)

/** Failures of the one who asked, or of one who left, tell nothing of what is held. */
const isToldBy = ({ code, facts }: GatewayError, { signal }: Caller): boolean =>
  code !== 'CREDIT_LIMIT_EXCEEDED' &&
  facts.client === undefined &&
  !(code === 'TIMEOUT' && signal?.reason instanceof Departure)

/** Longer than any answer is of use. */
const LONGEST_LIFE = days(30)
/** What the service says of a request, rather than of a moment. */
const OF_THE_REQUEST = [400, 403, 404]

/** All flights under way, one for a request; what they bring, or fail with, is held. */
export const createFleet = (parts: FleetParts) => {
  const { send, clock, holdings, drift, patience, background, commons, crowd } = parts
  const flights = new Passing<string, Flight>()
  const looks = new Map<string, Promise<unknown>>()
  const ofOthers = new WeakSet<Answer>()

  const readKept = <V>(request: Request<V>, kept: Kept): Answer<V> | undefined => {
    const found = holdings.reread(request, kept)
    return found !== undefined && clock.now() < found.usableUntil ? found : undefined
  }

  const lookFor = async (request: Request): Promise<void> => {
    const kept = await commons?.look(request.key)
    const found = kept && readKept(request, kept)
    if (found !== undefined) holdings.receive(request, found)
  }

  /** What another replica brings that is good for the operation; else the right to send. */
  const claim = async <V>(
    request: Request<V>,
    { directives, since }: Operation,
    caller: Caller,
  ): Promise<Answer<V> | Claim | undefined> => {
    for (let after = holdings.peek(request.key)?.at ?? 0; commons !== undefined; ) {
      const got = await commons.claim(request.key, after, caller)
      if ('end' in got) return got
      const found = readKept(request, got)
      if (found !== undefined && isWelcome(found, directives, since, clock.now())) {
        ofOthers.add(found)
        return found
      }
      after = got.at
    }
    return undefined
  }

  const share = <V>(bought: Answered<V>, wire: WireAnswer): void => {
    if (commons === undefined) return
    const { status, text } = wire
    for (const { request, answer: kept } of [bought, aliased(bought.answer)].filter(
      (one) => one !== undefined,
    ))
      commons.keep(
        request,
        { status, text, at: kept.at },
        Math.min(kept.usableUntil - clock.now(), LONGEST_LIFE),
      )
  }

  const shareRefusal = (request: Request, wire: WireAnswer): void => {
    const { status } = wire
    if (commons !== undefined && OF_THE_REQUEST.includes(status))
      commons.keep(request, { status, text: wire.text, at: clock.now() }, REFUSED_FOR)
  }
  const scouts = createScouts()

  const read = <V>(request: Request<V>, wire: WireAnswer): Answer<V> =>
    answer(request, wire, clock.now(), drift.reading(request.endpoint.name))

  const land = <V>(flight: Flight<V>, end: Answer<V> | GatewayError): void => {
    const { request, errand } = flight
    flights.delete(request.key)
    scouts.learn(request, end instanceof Error ? end : undefined)
    crowd?.release(errand.starter)
    flight.land(end)
  }

  const claimed = async <V>(flight: Flight<V>): Promise<Claim | Answer<V> | undefined> => {
    const got = await claim(flight.request, flight.errand.starter, flight)
    if (got === undefined || 'end' in got) return got
    if (got.refusal !== undefined) throw got.refusal
    holdings.receive(flight.request, got)
    return got
  }

  /** Takes in why nothing came of a flight; of what goes wrong with that, those who wait hear too. */
  const missed = (
    flight: Flight,
    error: GatewayError,
    wire: WireAnswer | undefined,
  ): GatewayError => {
    const { request } = flight
    try {
      if (isToldBy(error, flight)) holdings.fail(request, error, wire)
      if (wire !== undefined) shareRefusal(request, wire)
      return error
    } catch (failure) {
      return rejection(failure)
    }
  }

  /** Takes in what came of a flight. */
  const receive = <V>(flight: Flight<V>, outcome: Outcome): Answer<V> | GatewayError => {
    const { request } = flight
    const wire = 'answer' in outcome ? outcome.answer : undefined
    try {
      if ('error' in outcome) throw outcome.error
      const held = holdings.keep(request, flight.read(outcome.answer), outcome.answer)
      share({ request, answer: held }, outcome.answer)
      return held
    } catch (failure) {
      return missed(flight, rejection(failure), wire)
    }
  }

  /** No promise and no function that waits: what they are given by then would grow as old as they are. */
  const fly = <V>(flight: Flight<V>, endTurn?: () => void): void => {
    const end = (found: Answer<V> | GatewayError, right?: Claim) => {
      right?.end()
      endTurn?.()
      land(flight, found)
    }
    const go = (right?: Claim) =>
      send(flight.request.wire, flight, (outcome) => end(receive(flight, outcome), right))
    if (commons === undefined) go()
    else
      claimed(flight).then(
        (got) => (got !== undefined && 'key' in got ? end(got) : go(got)),
        (error: unknown) => end(receive(flight, { error })),
      )
  }

  const launch = <V>(request: Request<V>, passenger: Passenger<V>, errand: Errand): Flight<V> => {
    const flight = new Flight(request, errand, read)
    flight.join(passenger)
    flights.set(request.key, flight)
    scouts.follow(request)
    const { starter, rank = RANK.NORMAL } = errand
    if (starter.inTurn === undefined) fly(flight)
    else flight.turn = starter.inTurn(rank, (end) => fly(flight, end))
    return flight
  }

  return {
    has: (key: string): boolean => flights.has(key),
    /** The flight for a request; keyed by it, so that it brings that request's answer. */
    of: <V>({ key }: Request<V>) => flights.get(key) as Flight<V> | undefined,
    /** Has what an operation sent for yield no sooner than a rank, where that waits for its turn. */
    lift({ key }: Request, operation: Operation, rank: Rank = RANK.NORMAL): void {
      const flight = flights.get(key)
      if (flight?.errand.starter === operation) flight.turn?.lift(rank)
    },
    /** The end of a flight that finds out whether the plan permits this request's route. */
    ahead: (request: Request) => scouts.ahead(request, flights),
    /** Sends for one who waits, and for all that join it. Throws where its operation may not. */
    start<V>(request: Request<V>, passenger: Passenger<V>, asker: Asker, hasStandIn: boolean) {
      const { operation: starter } = passenger
      crowd?.admit(starter)
      const { rank, field } = asker
      return launch(request, passenger, { starter, rank, field, hasStandIn })
    },
    /** Whether another replica bought it. */
    isOfAnother: (bought: Answer): boolean => ofOthers.has(bought),
    /** Takes in what other replicas hold for a request; undefined where there are none. */
    look(request: Request): Promise<unknown> | undefined {
      if (commons === undefined) return undefined
      const { key } = request
      const look = looks.get(key) ?? lookFor(request).finally(() => looks.delete(key))
      looks.set(key, look)
      return look
    },
    /** Renews an answer behind the back of those who are given the old one. */
    renew(request: Request): void {
      if (flights.has(request.key)) return
      const now = clock.now()
      const nobody = { ledger: background, deadline: now + RENEWAL_MS, directives: {}, since: now }
      const operation = { ...nobody, purpose: 'revalidation', served: createServed() } as const
      const renewal: Passenger<unknown> & Patient = {
        operation,
        arrive: () => patience.leave(waiting),
        fail: () => patience.leave(waiting),
        giveUp: (reason) => flight.leave(renewal, reason),
      }
      const waiting = patience.enter(operation, renewal)
      const flight = launch(request, renewal, { starter: operation, hasStandIn: true })
    },
  }
}

export type Fleet = ReturnType<typeof createFleet>
