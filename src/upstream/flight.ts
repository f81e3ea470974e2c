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
export type Errand = Pick<Caller, 'purpose' | 'hasStandIn' | 'reads'>

/** Sends for an answer on behalf of an operation and of all that join it. */
export const createFlight = <V>(
  starter: Operation,
  errand: Errand,
  patience: Patience,
  fly: (caller: Caller) => Promise<Answer<V>>,
): Flight<V> => {
  const { ledger, client, slots, deadline } = starter
  const off = createController()
  const waiting: Operation[] = []
  const joinersWhoPaid: Operation[] = []
  let hasLanded = false
  const payer = () => {
    const [first = starter] = waiting.includes(starter) ? [starter] : waiting
    if (first !== starter) joinersWhoPaid.push(first)
    return first.ledger
  }
  const { signal } = off
  const caller = { ...errand, ledger, payer, client, slots, signal, isKept: true, deadline }
  const landed = fly(caller)
  // Those who wait hear of a failure; where all have left, nobody has to.
  const land = () => {
    hasLanded = true
  }
  landed.then(land, land)
  return {
    landed,
    async wait(operation) {
      caller.deadline = Math.max(caller.deadline, operation.deadline)
      waiting.push(operation)
      try {
        return await patience(landed, operation)
      } catch (failure) {
        if (waiting.length === 1 && !hasLanded) off.abort(failure)
        throw failure
      } finally {
        waiting.splice(waiting.indexOf(operation), 1)
      }
    },
    tookFrom(operation) {
      const at = joinersWhoPaid.indexOf(operation)
      if (at >= 0) joinersWhoPaid.splice(at, 1)
      return at >= 0
    },
  }
}

/** Reads an answer once: for the breaker, which wants to know whether it can be, and for those who wait. */
export const createReader = <V>(read: (wire: WireAnswer) => Answer<V>) => {
  let last: { readonly wire: WireAnswer; readonly bought: Answer<V> } | undefined
  return {
    reads(wire: WireAnswer): boolean {
      try {
        last = { wire, bought: read(wire) }
        return true
      } catch {
        // Thrown again to those who wait for it.
        return false
      }
    },
    read: (wire: WireAnswer): Answer<V> => (last?.wire === wire ? last.bought : read(wire)),
  }
}
