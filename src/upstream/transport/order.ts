import type { Ledger } from '../../credits/ledger.ts'
import type { Caller, WireRequest } from './send.ts'
import { createShares } from './share.ts'

/** What decides who goes next. */
export interface Waits {
  readonly request: WireRequest
  readonly caller: Caller
}

/** An exchange of tokens: everything behind it waits for what it brings. */
export const holdsUpAll = ({ endpoint }: WireRequest): boolean => endpoint === 'token'

/** Whether nobody waits for it. */
export const isBehind = ({ request, caller: { purpose } }: Waits): boolean =>
  !holdsUpAll(request) && (purpose ?? 'interactive') !== 'interactive'

/** Who goes next among those who wait; its order is all there is of classes and of fairness. */
export const createOrder = <W extends Waits>() => {
  const exchanges = new Set<W>()
  const shares = createShares<W>()
  const renewals = new Set<W>()
  const ahead = new Set<W>()
  /** Requests that wait, by who pays for them. */
  const operations = new Map<Ledger, number>()
  const count = <T extends W | undefined>(waiter: T, by: number): T => {
    if (waiter === undefined) return waiter
    const { ledger } = waiter.caller
    const waiting = (operations.get(ledger) ?? 0) + by
    if (waiting > 0) operations.set(ledger, waiting)
    else operations.delete(ledger)
    return waiter
  }

  const lineOf = ({ request, caller: { purpose } }: W) => {
    if (holdsUpAll(request)) return exchanges
    if (purpose === 'revalidation') return renewals
    return purpose === 'warm-up' ? ahead : undefined
  }
  const withdraw = (waiter: W) => {
    const line = lineOf(waiter)
    const isOut = line === undefined ? shares.withdraw(waiter) : line.delete(waiter)
    if (isOut) count(waiter, -1)
  }
  const firstOf = (line: Set<W>): W | undefined => {
    if (line.size === 0) return undefined
    const [first] = line
    line.delete(first as W)
    return first
  }

  return {
    get size() {
      return exchanges.size + shares.size + renewals.size + ahead.size
    },
    /** How many wait for themselves. */
    get waiting() {
      return exchanges.size + shares.size
    },
    /** How many of those who wait for themselves go before one who comes now. */
    before: (newcomer: Waits): number => exchanges.size + shares.before(newcomer),
    /** How many operations have requests that wait. */
    get operations() {
      return operations.size
    },
    add(waiter: W) {
      count(waiter, 1)
      const line = lineOf(waiter)
      if (line === undefined) shares.add(waiter)
      else line.add(waiter)
    },
    /** Takes out whoever is next; of those that nobody waits for only if `behind` allows one. */
    take(behind: boolean): W | undefined {
      const first = firstOf(exchanges) ?? shares.take()
      return count(first ?? (behind ? (firstOf(renewals) ?? firstOf(ahead)) : undefined), -1)
    },
    /** Who has to make room for one who waits for itself, if anybody: what nobody waits for goes first. */
    crowding(newcomer: Waits): W | undefined {
      return [...ahead].at(-1) ?? [...renewals].at(-1) ?? shares.crowding(newcomer)
    },
    /** For one who gave up or was refused. */
    withdraw,
    inOrder: (): W[] => [...exchanges, ...shares.inOrder(), ...renewals, ...ahead],
  }
}
