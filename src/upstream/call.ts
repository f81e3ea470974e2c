import { GatewayError } from '../errors.ts'
import type { Answer } from './answer.ts'
import type { Desk, Given, How } from './desk.ts'
import { type Fleet, isOfItsStarter, rejection } from './fleet.ts'
import type { Flight, Passenger } from './flight.ts'
import type { Holdings } from './holdings.ts'
import type { Operation } from './operation.ts'
import { departed, type Patience, type Patient, type Waiting } from './patience.ts'
import { isFinal } from './refusal.ts'
import { type Request, wordsOf } from './request.ts'
import type { Source } from './served.ts'
import type { Clock } from './transport/send.ts'

export interface CallParts {
  readonly clock: Clock
  readonly holdings: Holdings
  readonly desk: Desk
  readonly fleet: Fleet
  readonly patience: Patience
}

/**
 * An operation that asks for what is not at hand, until it is given an old answer, one that was on its way, or one that
 * it sends for. A class, since each request has one.
 */
export class Call<V, T> implements Passenger<V>, Patient {
  readonly given: Promise<T>
  readonly operation: Operation
  readonly #parts: CallParts
  readonly #request: Request<V>
  readonly #how: How
  readonly #view: (given: Given<V>) => T
  #resolve!: (value: T) => void
  #reject!: (error: unknown) => void
  #waiting: Waiting | undefined = undefined
  #flight: Flight<V> | undefined = undefined
  /** Of what it waits for. */
  #source: Source = 'miss'
  /** Whether it has looked for what other replicas hold. */
  #hasLooked = false
  /** Whether it has waited for a request that finds out whether the plan permits its route. */
  #hasWaited = false

  constructor(
    parts: CallParts,
    request: Request<V>,
    operation: Operation,
    how: How,
    view: (given: Given<V>) => T,
  ) {
    this.operation = operation
    this.#parts = parts
    this.#request = request
    this.#how = how
    this.#view = view
    this.given = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** `known` is what is held, and not good for the operation as it is. */
  begin(known: Answer<V> | undefined): void {
    try {
      this.#go(known)
    } catch (failure) {
      this.#refuse(failure)
    }
  }

  arrive(bought: Answer<V>): void {
    const { operation } = this
    const isShared = this.#isJoined
      ? this.#flight?.tookFrom(operation) !== true
      : this.#parts.fleet.isOfAnother(bought)
    const { saving = 'merged', field } = this.#how
    const { credits, name } = this.#request.endpoint
    try {
      if (isShared) operation.ledger.save(saving, credits, name, field)
      const source = isShared ? 'merged' : this.#source
      this.#give(this.#parts.desk.give(this.#request, operation, bought, source))
    } catch (failure) {
      this.fail(rejection(failure))
    }
  }

  fail(error: GatewayError): void {
    const { clock } = this.#parts
    if (this.#isJoined && isOfItsStarter(error) && clock.now() < this.operation.deadline)
      this.#again()
    else this.#fallBack(error)
  }

  giveUp(reason: GatewayError): void {
    if (this.#waiting === undefined) return
    this.#end()
    this.#flight?.leave(this, reason)
    if (this.#flight === undefined) this.#reject(reason)
    else this.fail(reason)
  }

  get #isJoined(): boolean {
    return this.#source === 'merged'
  }

  #again(): void {
    this.#flight = undefined
    try {
      const { holdings, desk } = this.#parts
      const known = holdings.find(this.#request)
      const held = desk.take(this.#request, this.operation, known, this.#how)
      if (held === undefined) this.#go(known)
      else this.#give(held)
    } catch (failure) {
      this.#refuse(failure)
    }
  }

  /** What is held stands in, where it is of use. */
  #fallBack(error: GatewayError): void {
    const { holdings, desk } = this.#parts
    const request = this.#request
    try {
      const held = holdings.find(request)
      if (held === undefined || !desk.isOfUse(held) || isFinal(error)) throw error
      this.#give(desk.give(request, this.operation, held, 'stale', error.code))
    } catch (failure) {
      this.#refuse(failure)
    }
  }

  #go(known: Answer<V> | undefined): void {
    const { desk, fleet } = this.#parts
    const gone = departed(this.operation)
    if (gone !== undefined) throw gone
    const stands = known && desk.standing(known, this.operation)
    const look = this.#hasLooked ? undefined : this.#look(stands !== undefined)
    if (look !== undefined) {
      this.#hasLooked = true
      this.#await(look)
      return
    }
    this.#checkSpending()
    if (known !== undefined && stands !== undefined) {
      if (stands === 'renews') fleet.renew(this.#request)
      this.#give(desk.standIn(this.#request, this.operation, known, this.#how, stands))
      return
    }
    const scout = this.#hasWaited ? undefined : fleet.ahead(this.#request)
    if (scout === undefined) this.#fly(known)
    else {
      this.#hasWaited = true
      this.#await(scout)
    }
  }

  /** Refuses to spend for whoever wants nothing spent. */
  #checkSpending(): void {
    if (!this.operation.directives.onlyIfCached) return
    const { credits, name } = this.#request.endpoint
    const words = wordsOf(this.#request)
    throw new GatewayError('NOT_CACHED', `${name}: nothing is held for ${words}`, { credits })
  }

  /** A look at what other replicas hold, where nothing that is held here can be given at once. */
  #look(isAtHand: boolean): Promise<unknown> | undefined {
    const { fleet } = this.#parts
    const { onlyIfCached, maxAge = 0 } = this.operation.directives
    if (fleet.has(this.#request.key) || maxAge < 0) return undefined
    return isAtHand && !onlyIfCached ? undefined : fleet.look(this.#request)
  }

  /** Waits for what may change how things stand. */
  #await(change: Promise<unknown>): void {
    this.#waiting ??= this.#parts.patience.enter(this.operation, this)
    change.then(
      () => this.#waiting && this.#again(),
      (failure: unknown) => this.#waiting && this.#refuse(failure),
    )
  }

  #fly(known: Answer<V> | undefined): void {
    const { desk, fleet, patience } = this.#parts
    this.#waiting ??= patience.enter(this.operation, this)
    const underWay = fleet.of(this.#request)
    this.#source = underWay === undefined ? desk.sourceBeside(known) : 'merged'
    underWay?.join(this)
    if (underWay !== undefined) fleet.lift(this.#request, this.operation, this.#how.rank)
    try {
      this.#flight = underWay ?? fleet.start(this.#request, this, this.#how, desk.isOfUse(known))
    } catch (failure) {
      this.#fallBack(rejection(failure))
    }
  }

  #end(): void {
    if (this.#waiting !== undefined) this.#parts.patience.leave(this.#waiting)
    this.#waiting = undefined
  }

  #give(given: Given<V>): void {
    this.#end()
    this.#resolve(this.#view(given))
  }

  #refuse(failure: unknown): void {
    this.#end()
    this.#reject(failure)
  }
}
