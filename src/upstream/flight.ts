import type { GatewayError } from '../errors.ts'
import { createController } from '../signal.ts'
import type { Answer } from './answer.ts'
import type { Operation } from './operation.ts'
import type { Request } from './request.ts'
import type { Caller, WireAnswer } from './transport/send.ts'
import type { Asker, Turn } from './turn.ts'

/** Who waits for a flight. */
export interface Passenger<V> {
  readonly operation: Operation
  arrive(bought: Answer<V>): void
  fail(error: GatewayError): void
}

/** Who asks first, and why: the starter, until the last of those who wait gives up. */
export interface Errand extends Asker {
  readonly starter: Operation
  /** Something older stands in where this fails. */
  readonly hasStandIn: boolean
}

type Read = <V>(request: Request<V>, wire: WireAnswer) => Answer<V>

/**
 * An answer on its way. It belongs to nobody, and whoever waits shares it. Its starter pays, as long as it waits: what
 * is bought later is bought for another, in whose account it then stands.
 */
export class Flight<V = unknown> implements Caller {
  readonly request: Request<V>
  readonly errand: Errand
  readonly ledger: Caller['ledger']
  readonly field: Caller['field']
  readonly client: Caller['client']
  readonly slots: Caller['slots']
  readonly purpose: Caller['purpose']
  readonly hasStandIn: boolean
  readonly isKept = true
  deadline: number
  /** Where its starter lets one after the other go. */
  turn: Turn | undefined = undefined
  readonly #read: Read
  #off = createController()
  readonly #waiting: Passenger<V>[] = []
  #joinersWhoPaid: Operation[] | undefined = undefined
  #hasLanded = false
  #last: WireAnswer | undefined = undefined
  #bought: Answer<V> | undefined = undefined

  constructor(request: Request<V>, errand: Errand, read: Read) {
    const { starter, field, hasStandIn } = errand
    this.request = request
    this.errand = errand
    this.ledger = starter.ledger
    this.field = field
    this.client = starter.client
    this.slots = starter.slots
    this.purpose = starter.purpose
    this.hasStandIn = hasStandIn
    this.deadline = starter.deadline
    this.#read = read
  }

  /** Ended while nobody waits; to be looked at anew each time, since one who joins by then begins another. */
  get signal() {
    return this.#off.signal
  }

  payer(): Caller['ledger'] {
    const { starter } = this.errand
    const waiting = this.#waiting
    const isThere = waiting.some(({ operation }) => operation === starter)
    const first = isThere ? starter : (waiting[0]?.operation ?? starter)
    if (first !== starter) {
      this.#joinersWhoPaid ??= []
      this.#joinersWhoPaid.push(first)
    }
    return first.ledger
  }

  /** For the breaker, which wants to know whether an answer can be read; those who wait are given what it read. */
  reads(wire: WireAnswer): boolean {
    try {
      this.#bought = this.#read(this.request, wire)
      this.#last = wire
      return true
    } catch {
      // Thrown again to those who wait for it.
      return false
    }
  }

  read(wire: WireAnswer): Answer<V> {
    return this.#bought !== undefined && this.#last === wire
      ? this.#bought
      : this.#read(this.request, wire)
  }

  /** Where all had left, what is on the wire is still waited for: it is as much worth to one who comes as to them. */
  join(passenger: Passenger<V>): void {
    if (this.#off.signal.aborted) this.#off = createController()
    this.deadline = Math.max(this.deadline, passenger.operation.deadline)
    this.#waiting.push(passenger)
  }

  /** One who waits gives up. Once nobody waits, what has not left yet stays. */
  leave(passenger: Passenger<V>, reason: GatewayError): void {
    const waiting = this.#waiting
    if (waiting.length === 1 && !this.#hasLanded) this.#off.abort(reason)
    waiting.splice(waiting.indexOf(passenger), 1)
  }

  /** Those who wait hear of a failure; where all have left, nobody has to. */
  land(bought: Answer<V> | GatewayError): void {
    this.#hasLanded = true
    this.#last = undefined
    this.#bought = undefined
    for (const passenger of this.#waiting)
      if (bought instanceof Error) passenger.fail(bought)
      else passenger.arrive(bought)
  }

  /** Whether an attempt was made at the expense of one that joined; told once for each attempt. */
  tookFrom(operation: Operation): boolean {
    const at = this.#joinersWhoPaid?.indexOf(operation) ?? -1
    if (at >= 0) this.#joinersWhoPaid?.splice(at, 1)
    return at >= 0
  }
}
