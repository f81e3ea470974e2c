import type { Book } from '../credits/book.ts'
import type { Books } from '../credits/books.ts'
import type { Ledger, Saving } from '../credits/ledger.ts'
import { GatewayError } from '../errors.ts'
import type { Answer, Standing } from './answer.ts'
import type { Commons } from './commons.ts'
import type { Drift } from './drift.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import type { Told } from './facts.ts'
import { createFleet, isOfItsStarter, rejection } from './fleet.ts'
import type { Flight } from './flight.ts'
import { isWelcome, revalidatesUntil } from './freshness.ts'
import { createHoldings, type HoldingsParts } from './holdings.ts'
import type { Operation } from './operation.ts'
import { createPatience, departed } from './patience.ts'
import { barred, isBarredFrom, isFinal } from './refusal.ts'
import { type Request, wordsOf } from './request.ts'
import type { Source, StaleReason } from './served.ts'
import type { Clock, Send } from './transport/send.ts'
import type { Asker } from './turn.ts'

/** An answer as it is given out; `stale` says how old and why, where its freshness is over. */
export interface Given<V = unknown> {
  readonly value: V
  readonly stale?: { readonly age: number; readonly reason: StaleReason }
}

/** A request's answer is held, held but past its freshness, on its way, or none of these. */
export type HeldState = 'hit' | 'stale' | 'pending' | 'miss'

/** The service, as everything above sees it: requests in, answers out, each bought at most once. */
export interface Upstream {
  /** The answer to a request: held, under way, or sent for. */
  call<V>(request: Request<V>, operation: Operation, how?: How): Promise<Given<V>>
  /** The answer where one is held that is good for the operation; no promise, no request. */
  take<V>(request: Request<V>, operation: Operation, how?: How): Given<V> | undefined
  /** Whether `take` would give something. */
  has(request: Request, operation: Operation): boolean
  /** How a request stands for an operation, told without making its answer any younger. */
  state(request: Request, operation: Operation): HeldState
  /** Whether a fresh answer is held. */
  holds(request: Request): boolean
  /** A row of some answer about a thing, where that answer is good for the operation. */
  fact(of: string, id: number | string, operation: Operation): Given<object> | undefined
  /** A value that does not age, of a thing that has a record: told by a row of whatever answer. */
  elsewhere(
    record: Endpoint,
    id: number | string,
    column: string,
    operation: Operation,
  ): Given | undefined
  /** Whether `elsewhere` would give something; told without making its answer any younger. */
  tells(record: Endpoint, id: number | string, column: string, operation: Operation): boolean
  /** The moment at which the answer under a key was bought; undefined where none is held. */
  boughtAt(key: string): number | undefined
  /** How many answers were bought so far. */
  readonly purchases: number
  /** Whether nothing is sent: what is held is all that can be had. */
  readonly isClosed: boolean
  readonly clock: Clock
  /** What all operations spent and saved, and what was spent by none. */
  readonly book: Book
  /** The same of all replicas. */
  readonly books: Books
  readonly drift: Drift
}

export interface How extends Asker {
  /** The reason to book where the request is not sent. */
  readonly saving?: Saving | undefined
  /** Whether it has looked for what other replicas hold. */
  readonly hasLooked?: boolean
  /** Whether it has waited for a request that finds out whether the plan permits its route. */
  readonly hasWaited?: boolean
}

export interface UpstreamParts extends Omit<HoldingsParts, 'registry'> {
  /** Answers that all replicas share, where there are several. */
  readonly commons?: Commons | undefined
  readonly send: Send
  readonly book: Book
  readonly books: Books
  /** Pays for what no operation asked for. */
  readonly background: Ledger
  /** Whether answers may be renewed behind the back of operations. */
  readonly mayRefresh?: () => boolean
  /** Lets an operation send; to be told when what it sends for is here. Throws where it may not. */
  readonly admit?: (operation: Operation) => () => void
  /** How much longer answers are taken for fresh than their endpoints say; 1 while credits last. */
  readonly stretch?: () => number
}

/** A client over one transport and one shelf. */
export const createUpstream = ({
  send,
  book,
  books,
  background,
  mayRefresh = () => true,
  admit = () => () => undefined,
  stretch = () => 1,
  commons,
  ...parts
}: UpstreamParts): Upstream => {
  const { clock, drift } = parts
  const holdings = createHoldings({ ...parts, registry: endpoints })
  const patience = createPatience(clock)
  const fleet = createFleet({ send, clock, holdings, drift, patience, background, commons })

  const serves = (
    known: Pick<Standing, 'at' | 'freshUntil'>,
    { directives, since }: Operation,
  ): boolean => isWelcome(known, directives, since, clock.now(), stretch())

  /** How an answer that is no longer welcome may still stand in at once: while it is renewed, or because it just could not be. */
  const standing = (known: Standing, { directives }: Operation): 'renews' | 'waits' | undefined => {
    const now = clock.now()
    if (known.refusal !== undefined || now >= known.usableUntil) return undefined
    if (known.retryAt !== undefined && now < known.retryAt) return 'waits'
    const isYoung = directives.maxAge === undefined || now - known.at <= directives.maxAge
    return now < revalidatesUntil(known) && isYoung && mayRefresh() ? 'renews' : undefined
  }

  const serving = (operation: Operation) => (known: Pick<Standing, 'at' | 'freshUntil'>) =>
    serves(known, operation)

  const state = (request: Request, operation: Operation): HeldState => {
    // Nothing is sent for it: the refusal is at hand.
    if (isBarredFrom(request, operation)) return 'hit'
    const known = holdings.stands(request)
    if (known !== undefined && serves(known, operation)) return 'hit'
    if (fleet.has(request.key)) return 'pending'
    return known !== undefined && standing(known, operation) !== undefined ? 'stale' : 'miss'
  }

  /** Why an answer is past its freshness that serves all the same; undefined where it is not. */
  const lapse = (known: Standing, { since, directives }: Operation): StaleReason | undefined => {
    if (known.at >= since || clock.now() < known.freshUntil) return undefined
    return directives.maxStale === undefined ? 'BUDGET_PACE' : 'MAX_STALE'
  }

  const aged = <V>(value: V, { at }: Standing, reason: StaleReason | undefined): Given<V> =>
    reason === undefined
      ? { value }
      : { value, stale: { age: Math.floor((clock.now() - at) / 1000), reason } }

  const give = <V>(
    request: Request<V>,
    operation: Operation,
    given: Answer<V>,
    source: Source,
    reason?: StaleReason,
  ): Given<V> => {
    operation.served.note(request, given, source, clock.now())
    if (given.refusal !== undefined) throw given.refusal
    return aged(given.content.value, given, reason)
  }

  /** What a row of an answer tells, with the age of that answer. */
  const giveTold = <V>(
    told: Told | undefined,
    view: (row: object) => V,
    operation: Operation,
  ): Given<V> | undefined => {
    if (told === undefined) return undefined
    operation.served.noteRow(told.answer, operation.since, clock.now())
    return aged(view(told.row), told.answer, lapse(told.answer, operation))
  }

  const takeHeld = <V>(
    request: Request<V>,
    operation: Operation,
    known: Answer<V> | undefined,
    { saving = 'cache', field }: How = {},
  ): Given<V> | undefined => {
    if (known === undefined || !serves(known, operation)) return undefined
    operation.ledger.save(saving, request.endpoint.credits, request.endpoint.name, field)
    return give(request, operation, known, 'cache', lapse(known, operation))
  }

  const standIn = <V>(
    request: Request<V>,
    operation: Operation,
    known: Answer<V> | undefined,
    { saving = 'cache', field }: How,
  ): Given<V> | undefined => {
    const stands = known && standing(known, operation)
    if (known === undefined || stands === undefined) return undefined
    operation.ledger.save(saving, request.endpoint.credits, request.endpoint.name, field)
    if (stands === 'renews') fleet.renew(request)
    return give(
      request,
      operation,
      known,
      'stale',
      stands === 'waits' ? known.failure : 'REVALIDATING',
    )
  }

  /** Why a request is sent: nothing is held, or it is too old, or fresh and not fresh enough for who asks. */
  const forward = (known: Answer | undefined): Source => {
    if (known === undefined || known.refusal !== undefined) return 'miss'
    return clock.now() < known.freshUntil ? 'request' : 'expired'
  }

  /** A look at what other replicas hold, where nothing that is held here can be given at once. */
  const fleetLook = (request: Request, operation: Operation, known: Answer | undefined) => {
    const { onlyIfCached, maxAge = 0 } = operation.directives
    if (fleet.has(request.key) || maxAge < 0) return undefined
    const isAtHand = known !== undefined && standing(known, operation) !== undefined
    return isAtHand && !onlyIfCached ? undefined : fleet.look(request)
  }

  const begin = <V>(request: Request<V>, operation: Operation, how: How): Flight<V> => {
    const [land, begun] = [admit(operation), fleet.start(request, operation, how)]
    begun.landed.then(land, land)
    return begun
  }

  const call = async <V>(
    request: Request<V>,
    operation: Operation,
    how: How = {},
  ): Promise<Given<V>> => {
    const { endpoint } = request
    const gone = departed(operation)
    if (gone !== undefined) throw gone
    if (isBarredFrom(request, operation)) throw barred(request)
    const known = holdings.find(request)
    const fresh = takeHeld(request, operation, known, how)
    if (fresh !== undefined) return fresh
    const look = how.hasLooked ? undefined : fleetLook(request, operation, known)
    if (look !== undefined) {
      await patience(look, operation)
      return call(request, operation, { ...how, hasLooked: true })
    }
    if (operation.directives.onlyIfCached)
      throw new GatewayError(
        'NOT_CACHED',
        `${endpoint.name}: nothing is held for ${wordsOf(request)}`,
        { credits: endpoint.credits },
      )
    const old = standIn(request, operation, known, how)
    if (old !== undefined) return old
    const scout = how.hasWaited ? undefined : fleet.ahead(request)
    if (scout !== undefined) {
      await patience(scout, operation)
      return call(request, operation, { ...how, hasWaited: true })
    }
    const flight = fleet.of(request)
    const source = flight === undefined ? forward(known) : 'merged'
    try {
      const bought = await (flight ?? begin(request, operation, how)).wait(operation)
      const isShared =
        flight === undefined ? fleet.isOfAnother(bought) : !flight.tookFrom(operation)
      const { saving = 'merged', field } = how
      if (isShared) operation.ledger.save(saving, endpoint.credits, endpoint.name, field)
      return give(request, operation, bought, isShared ? 'merged' : source)
    } catch (failure) {
      const error = rejection(failure)
      if (flight !== undefined && isOfItsStarter(error) && clock.now() < operation.deadline)
        return call(request, operation, how)
      const stale = holdings.find(request)
      if (stale === undefined || stale.refusal !== undefined || isFinal(error)) throw error
      if (clock.now() >= stale.usableUntil) throw error
      return give(request, operation, stale, 'stale', error.code)
    }
  }

  return {
    isClosed: parts.disk?.isClosed ?? false,
    clock,
    drift,
    book,
    books,
    take: (request, operation, how) =>
      isBarredFrom(request, operation)
        ? undefined
        : takeHeld(request, operation, holdings.find(request), how),
    call,
    state,
    has: (request, operation) => state(request, operation) === 'hit',
    fact: (of, id, operation) =>
      giveTold(holdings.about(of, id, serving(operation)), (row) => row, operation),
    elsewhere: (record, id, column, operation) =>
      giveTold(
        holdings.elsewhere(record, id, column, serving(operation)),
        (row): unknown => Reflect.get(row, column),
        operation,
      ),
    tells: (record, id, column, operation) =>
      holdings.tells(record, id, column, serving(operation)),
    boughtAt: (key) => holdings.peek(key)?.at,
    get purchases() {
      return holdings.purchases
    },
    holds: (request) => clock.now() < (holdings.stands(request)?.freshUntil ?? 0),
  }
}
