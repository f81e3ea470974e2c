/** Who yields when credits run short: the higher the rank, the earlier. */
export const RANK = { HIGH: 0, NORMAL: 1, LOW: 2 } as const
export type Rank = (typeof RANK)[keyof typeof RANK]

/** Which field asks, and how soon it yields. */
export interface Asker {
  readonly rank?: Rank | undefined
  /** Type and name, as the schema has them. */
  readonly field?: string | undefined
}

/** Lets work begin once nothing of a better rank is under way; to be told when it has ended. */
export type InTurn = (rank: Rank, work: (end: () => void) => void) => void

/** Work that waits for its turn. */
interface Waiting {
  readonly rank: Rank
  go(): void
}

/**
 * Turns within one operation whose limit may bite: what is given up first asks last, so that the credits have gone to
 * the rest by then. A turn of the event loop lets the fields of an answer that just came ask first.
 */
export const createTurns = (): InTurn => {
  /** By rank, those that wait among them. */
  const underWay = [0, 0, 0]
  let waiting: Waiting[] = []
  let isDue = false

  const mustYield = (rank: Rank): boolean => underWay.slice(0, rank).some((count) => count > 0)
  const goOn = () => {
    isDue = false
    const all = waiting
    waiting = []
    for (const one of all)
      if (mustYield(one.rank)) waiting.push(one)
      else one.go()
  }
  const count = (rank: Rank, change: number) => {
    underWay[rank] = (underWay[rank] ?? 0) + change
    if (isDue || waiting.length === 0) return
    isDue = true
    setImmediate(goOn)
  }

  return (rank, work) => {
    waiting.push({ rank, go: () => work(() => count(rank, -1)) })
    count(rank, 1)
  }
}
