import type { Waits } from './order.ts'

interface Share<W> {
  /** Each with the turn it may have: the moment of virtual time at which its share reaches it. */
  readonly waiting: Map<W, number>
  /** The first of these, and its turn: a map that lost many at its front is slow to say who stands there. */
  first: W | undefined
  turn: number
  /** The turn after its last. */
  next: number
}

const lookForFirst = <W>(share: Share<W>) => {
  share.first = undefined
  for (const [waiter, turn] of share.waiting) {
    share.first = waiter
    share.turn = turn
    return
  }
}

/** A client shares with other clients, an operation of nobody known with other operations. */
const ownerOf = ({ caller: { client, ledger } }: Waits) => client ?? ledger

/**
 * Those who wait for themselves, in turns that give each client the same: fair queueing, where time goes by as fast
 * as credits are handed to all that share them, and a request of two credits takes two turns.
 */
export const createShares = <W extends Waits>() => {
  const shares = new Map<unknown, Share<W>>()
  let time = 0
  let size = 0

  /** The share that it is taken out of; undefined where it is in none. */
  const remove = (waiter: W): Share<W> | undefined => {
    const share = shares.get(ownerOf(waiter))
    if (share?.waiting.delete(waiter) !== true) return undefined
    size -= 1
    if (share.first === waiter) lookForFirst(share)
    return share
  }

  /** A share that is used up and made up for is like one that never was: looked for where one has just been used up. */
  const forget = (from: Share<W> | undefined) => {
    if (from === undefined || from.waiting.size > 0) return
    for (const [owner, { waiting, next }] of shares)
      if (waiting.size === 0 && (size === 0 || next <= time)) shares.delete(owner)
  }

  return {
    get size() {
      return size
    },
    add(waiter: W) {
      const own = shares.get(ownerOf(waiter))
      const share = own ?? { waiting: new Map(), first: undefined, turn: 0, next: time }
      const turn = Math.max(time, share.next)
      share.waiting.set(waiter, turn)
      share.next = turn + waiter.request.credits
      if (share.first === undefined) lookForFirst(share)
      if (own === undefined) shares.set(ownerOf(waiter), share)
      size += 1
    },
    take(): W | undefined {
      let waiter: W | undefined
      let earliest = Number.POSITIVE_INFINITY
      let active = 0
      for (const { first, turn } of shares.values()) {
        if (first === undefined) continue
        active += 1
        if (turn >= earliest) continue
        waiter = first
        earliest = turn
      }
      if (waiter === undefined) return undefined
      const share = remove(waiter)
      time += waiter.request.credits / active
      forget(share)
      return waiter
    },
    withdraw(waiter: W): boolean {
      const share = remove(waiter)
      if (share === undefined) return false
      share.next -= waiter.request.credits
      forget(share)
      return true
    },
    /** How many go before one who comes now, in the mean: of each other client no more than of its own and it. */
    before(newcomer: Waits): number {
      const own = shares.get(ownerOf(newcomer))?.waiting.size ?? 0
      let count = 0
      for (const { waiting } of shares.values()) count += Math.min(waiting.size, own + 1)
      return count
    },
    /** The newest of the client that has most waiting, where that is more than one who comes would have. */
    crowding({ caller: { client } }: Waits): W | undefined {
      let most: readonly W[] = []
      for (const [owner, { waiting }] of shares)
        if (typeof owner === 'string' && owner !== client && waiting.size > most.length)
          most = [...waiting.keys()]
      const own = client === undefined ? 0 : (shares.get(client)?.waiting.size ?? 0)
      return most.length > own + 1 ? most.at(-1) : undefined
    },
    /** In the order of their turns. */
    inOrder(): W[] {
      return [...shares.values()]
        .flatMap(({ waiting }) => [...waiting])
        .sort(([, a], [, b]) => a - b)
        .map(([waiter]) => waiter)
    },
  }
}
