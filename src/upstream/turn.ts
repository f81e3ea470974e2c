import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

/** Who yields when credits run short: the higher the rank, the earlier. */
export const RANK = { HIGH: 0, NORMAL: 1, LOW: 2 } as const
export type Rank = (typeof RANK)[keyof typeof RANK]

/** Which field asks, and how soon it yields. */
export interface Asker {
  readonly rank?: Rank | undefined
  /** Type and name, as the schema has them. */
  readonly field?: string | undefined
}

/** Lets work begin once nothing of a better rank is under way. */
export type InTurn = <T>(rank: Rank, work: () => Promise<T>) => Promise<T>

/**
 * Turns within one operation whose limit may bite: what is given up first asks last, so that the credits have gone to
 * the rest by then. A turn of the event loop lets the fields of an answer that just came ask first.
 */
export const createTurns = (): InTurn => {
  const underWay = [0, 0, 0]
  let turn: Promise<void> | undefined
  /** One for all that wait for it. */
  const nextTurn = (): Promise<void> => {
    turn ??= turnOfTheLoop().then(() => {
      turn = undefined
    })
    return turn
  }
  const mustYield = (rank: Rank): boolean => underWay.slice(0, rank).some((count) => count > 0)
  return async (rank, work) => {
    const count = (change: number) => {
      underWay[rank] = (underWay[rank] ?? 0) + change
    }
    count(1)
    try {
      do await nextTurn()
      while (mustYield(rank))
      return await work()
    } finally {
      count(-1)
    }
  }
}
