/** Who goes next among those who wait: the seam for classes and for fairness between clients. */
export interface Order<Waiter> extends Iterable<Waiter> {
  readonly size: number
  add(waiter: Waiter): void
  /** Takes out whoever is next; iterating shows the same order. */
  take(): Waiter | undefined
  /** For one who gave up or was refused. */
  withdraw(waiter: Waiter): void
}

/** First come, first served; but those who are `urgent` before the others. */
export const createFifo = <Waiter>(
  urgent: (waiter: Waiter) => boolean = () => false,
): Order<Waiter> => {
  const first = new Set<Waiter>()
  const others = new Set<Waiter>()
  return {
    get size() {
      return first.size + others.size
    },
    add(waiter) {
      if (urgent(waiter)) first.add(waiter)
      else others.add(waiter)
    },
    take() {
      const [next] = first.size > 0 ? first : others
      if (next !== undefined) this.withdraw(next)
      return next
    },
    withdraw(waiter) {
      first.delete(waiter)
      others.delete(waiter)
    },
    *[Symbol.iterator]() {
      yield* first
      yield* others
    },
  }
}
