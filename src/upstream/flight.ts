import { createController } from '../signal.ts'
import type { Answer } from './answer.ts'
import type { Operation } from './operation.ts'
import type { Patience } from './patience.ts'
import type { Caller, WireAnswer } from './transport/send.ts'

/**
 * An answer on its way. It belongs to nobody, and whoever waits shares it. Its starter pays, as long as it waits: what
 * is bought later is bought for another, in whose account it then stands.
 */
export interface Flight<V = unknown> {
  /** What becomes of it. */
  readonly landed: Promise<Answer<V>>
  /** The answer, until the deadline of the one who waits. Once nobody waits, it stays if it has not left yet. */
  wait(operation: Operation): Promise<Answer<V>>
  /** Whether an attempt was made at the expense of one that joined; told once for each attempt. */
  tookFrom(operation: Operation): boolean
}

/** Who asks: the starter, until the last of those who wait gives up. */
export type Errand = Pick<Caller, 'purpose' | 'hasStandIn'>

/** A class, since each request has one. */
class SharedFlight<V> implements Flight<V>, Caller {
  readonly landed: Promise<Answer<V>>
  readonly ledger: Caller['ledger']
  readonly client: Caller['client']
  readonly slots: Caller['slots']
  readonly purpose: Caller['purpose']
  readonly hasStandIn: boolean
  readonly isKept = true
  deadline: number
  readonly #starter: Operation
  readonly #patience: Patience
  readonly #read: (wire: WireAnswer) => Answer<V>
  readonly #off = createController()
  readonly #waiting: Operation[] = []
  readonly #joinersWhoPaid: Operation[] = []
  #hasLanded = false
  #last: { readonly wire: WireAnswer; readonly bought: Answer<V> } | undefined = undefined

  constructor(
    starter: Operation,
    { purpose, hasStandIn = false }: Errand,
    patience: Patience,
    read: (wire: WireAnswer) => Answer<V>,
    fly: (caller: SharedFlight<V>) => Promise<Answer<V>>,
  ) {
    this.ledger = starter.ledger
    this.client = starter.client
    this.slots = starter.slots
    this.purpose = purpose
    this.hasStandIn = hasStandIn
    this.deadline = starter.deadline
    this.#starter = starter
    this.#patience = patience
    this.#read = read
    this.landed = fly(this)
    // Those who wait hear of a failure; where all have left, nobody has to.
    const land = () => {
      this.#hasLanded = true
    }
    this.landed.then(land, land)
  }

  get signal() {
    return this.#off.signal
  }

  payer(): Caller['ledger'] {
    const waiting = this.#waiting
    const first = waiting.includes(this.#starter) ? this.#starter : (waiting[0] ?? this.#starter)
    if (first !== this.#starter) this.#joinersWhoPaid.push(first)
    return first.ledger
  }

  /** For the breaker, which wants to know whether an answer can be read; those who wait are given what it read. */
  reads(wire: WireAnswer): boolean {
    try {
      this.#last = { wire, bought: this.#read(wire) }
      return true
    } catch {
      // Thrown again to those who wait for it.
      return false
    }
  }

  read(wire: WireAnswer): Answer<V> {
    return this.#last?.wire === wire ? this.#last.bought : this.#read(wire)
  }

  async wait(operation: Operation): Promise<Answer<V>> {
    this.deadline = Math.max(this.deadline, operation.deadline)
    const waiting = this.#waiting
    waiting.push(operation)
    try {
      return await this.#patience(this.landed, operation)
    } catch (failure) {
      if (waiting.length === 1 && !this.#hasLanded) this.#off.abort(failure)
      throw failure
    } finally {
      waiting.splice(waiting.indexOf(operation), 1)
    }
  }

  tookFrom(operation: Operation): boolean {
    const at = this.#joinersWhoPaid.indexOf(operation)
    if (at >= 0) this.#joinersWhoPaid.splice(at, 1)
    return at >= 0
  }
}

/** A caller that reads what comes, once. */
export type Courier<V> = Caller & Pick<SharedFlight<V>, 'read'>

/** Sends for an answer on behalf of an operation and of all that join it. */
export const createFlight = <V>(
  starter: Operation,
  errand: Errand,
  patience: Patience,
  read: (wire: WireAnswer) => Answer<V>,
  fly: (courier: Courier<V>) => Promise<Answer<V>>,
): Flight<V> => new SharedFlight(starter, errand, patience, read, fly)
