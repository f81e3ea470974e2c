import type { Book } from '../credits/book.ts'
import type { Books } from '../credits/books.ts'
import type { Ledger } from '../credits/ledger.ts'
import type { Standing } from './answer.ts'
import { Call } from './call.ts'
import type { Commons } from './commons.ts'
import { createDesk, type Given, type How } from './desk.ts'
import type { Drift } from './drift.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { type Crowd, createFleet } from './fleet.ts'
import { createHoldings, type HoldingsParts } from './holdings.ts'
import type { Operation } from './operation.ts'
import { createPatience } from './patience.ts'
import { barred, isBarredFrom } from './refusal.ts'
import type { Request } from './request.ts'
import type { Clock } from './transport/send.ts'
import type { Step } from './transport/step.ts'
import type { Rank } from './turn.ts'

type Maybe<T> = T | Promise<T>

/** A request's answer is held, held but past its freshness, on its way, none of these, or not for whoever asks. */
export type HeldState = 'hit' | 'stale' | 'pending' | 'miss' | 'refused'

/** The service, as everything above sees it: requests in, answers out, each bought at most once. */
export interface Upstream {
  /**
   * The answer to a request: held, under way, or sent for; `view` is what is made of it. No promise where one is held
   * that is good for the operation, and thrown where that is a refusal.
   */
  call<V>(request: Request<V>, operation: Operation, how?: How): Maybe<Given<V>>
  call<V, T>(
    request: Request<V>,
    operation: Operation,
    how: How | undefined,
    view: (given: Given<V>) => T,
  ): Maybe<T>
  /** The answer where one is held that is good for the operation; no promise, no request. */
  take<V>(request: Request<V>, operation: Operation, how?: How): Given<V> | undefined
  /** Whether `take` would give something. */
  has(request: Request, operation: Operation): boolean
  /** Whether that is a refusal. */
  refuses(request: Request, operation: Operation): boolean
  /** Whether that is an answer with something in it: no refusal, and no 404. */
  gives(request: Request, operation: Operation): boolean
  /** How a request stands for an operation, told without making its answer any younger. */
  state(request: Request, operation: Operation): HeldState
  /** Has a request of an operation yield no sooner than a rank: another of its fields asks for the same. */
  lift(request: Request, operation: Operation, rank: Rank): void
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
  /** The moment of what is held under a key, a refusal among it; undefined where nothing is. */
  momentOf(key: string): number | undefined
  /** Grows whenever what is held changes. */
  readonly changes: number
  /** Whether nothing is sent: what is held is all that can be had. */
  readonly isClosed: boolean
  readonly clock: Clock
  /** What all operations spent and saved, and what was spent by none. */
  readonly book: Book
  /** The same of all replicas. */
  readonly books: Books
  readonly drift: Drift
}

export interface UpstreamParts extends Omit<HoldingsParts, 'registry'> {
  /** Answers that all replicas share, where there are several. */
  readonly commons?: Commons | undefined
  readonly send: Step
  readonly book: Book
  readonly books: Books
  /** Pays for what no operation asked for. */
  readonly background: Ledger
  /** Whether answers may be renewed behind the back of operations. */
  readonly mayRefresh?: () => boolean
  readonly crowd?: Crowd
}

const asGiven = (given: Given): Given => given

/** A client over one transport and one shelf. */
export const createUpstream = ({
  send,
  book,
  books,
  background,
  mayRefresh = () => true,
  crowd,
  commons,
  ...parts
}: UpstreamParts): Upstream => {
  const { clock, drift } = parts
  const holdings = createHoldings({ ...parts, registry: endpoints })
  const patience = createPatience(clock)
  const desk = createDesk({ clock, mayRefresh })
  const fleet = createFleet({ send, clock, holdings, drift, patience, background, commons, crowd })
  const calling = { clock, holdings, desk, fleet, patience }

  const serving = (operation: Operation) => (known: Pick<Standing, 'at' | 'freshUntil'>) =>
    desk.serves(known, operation)

  const state = (request: Request, operation: Operation): HeldState => {
    if (isBarredFrom(request, operation)) return 'refused'
    const known = holdings.stands(request)
    if (known !== undefined && desk.serves(known, operation)) return 'hit'
    if (fleet.has(request.key)) return 'pending'
    return known !== undefined && desk.standing(known, operation) !== undefined ? 'stale' : 'miss'
  }

  /** How what `take` would give stands. */
  const held = (request: Request, operation: Operation): Standing | undefined =>
    state(request, operation) === 'hit' ? holdings.stands(request) : undefined

  function call<V>(request: Request<V>, operation: Operation, how?: How): Maybe<Given<V>>
  function call<V, T>(
    request: Request<V>,
    operation: Operation,
    how: How | undefined,
    view: (given: Given<V>) => T,
  ): Maybe<T>
  function call(
    request: Request,
    operation: Operation,
    how: How = {},
    view: (given: Given) => unknown = asGiven,
  ): unknown {
    if (isBarredFrom(request, operation)) return Promise.reject(barred(request))
    const known = holdings.find(request)
    const held = desk.take(request, operation, known, how)
    if (held !== undefined) return view(held)
    const begun = new Call(calling, request, operation, how, view)
    begun.begin(known)
    return begun.given
  }

  return {
    isClosed: parts.disk?.isClosed ?? false,
    clock,
    drift,
    book,
    books,
    take: (request, operation, how = {}) =>
      isBarredFrom(request, operation)
        ? undefined
        : desk.take(request, operation, holdings.find(request), how),
    call,
    state,
    lift: fleet.lift,
    has: (request, operation) => state(request, operation) === 'hit',
    refuses: (request, operation) => held(request, operation)?.refusal !== undefined,
    gives(request, operation) {
      const known = held(request, operation)
      return known !== undefined && known.refusal === undefined && known.isNothing !== true
    },
    fact: (of, id, operation) =>
      desk.tell(holdings.about(of, id, serving(operation)), (row) => row, operation),
    elsewhere: (record, id, column, operation) =>
      desk.tell(
        holdings.elsewhere(record, id, column, serving(operation)),
        (row): unknown => Reflect.get(row, column),
        operation,
      ),
    tells: (record, id, column, operation) =>
      holdings.tells(record, id, column, serving(operation)),
    momentOf: holdings.momentOf,
    get changes() {
      return holdings.changes
    },
  }
}
