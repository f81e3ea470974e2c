/** Who yields when credits run short: the higher the rank, the earlier. */
export const RANK = { HIGH: 0, NORMAL: 1, LOW: 2 } as const
export type Rank = (typeof RANK)[keyof typeof RANK]

/** Which field asks, and how soon it yields. */
export interface Asker {
  readonly rank?: Rank | undefined
  /** Type and name, as the schema has them. */
  readonly field?: string | undefined
}

export const rankOf = (asker: Asker | undefined): Rank => asker?.rank ?? RANK.NORMAL

/** Of those who ask for one thing, the first who yields no sooner than any. */
export const foremost = (askers: readonly (Asker | undefined)[]): Asker | undefined =>
  askers.reduce((first, asker) => (rankOf(asker) < rankOf(first) ? asker : first), askers[0])

/** Work from when it waits for its turn until it has ended. */
export interface Turn {
  /** For another, too, who yields no sooner than a rank. */
  lift(rank: Rank): void
}

/** Lets work begin once nothing of a better rank is under way; to be told when it has ended. */
export type InTurn = (rank: Rank, work: (end: () => void) => void) => Turn

/** Work that waits for its turn. */
interface Waiting {
  rank: Rank
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
    const own: Waiting = { rank, go: () => work(() => count(own.rank, -1)) }
    waiting.push(own)
    count(rank, 1)
    return {
      lift(better) {
        const before = own.rank
        if (better >= before) return
        own.rank = better
        count(better, 1)
        count(before, -1)
      },
    }
  }
}
