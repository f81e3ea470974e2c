const BETWEEN_LINES = 60_000

/** Counts those who are no client, and says so once a minute at most: whoever guesses keys is not to fill the log. */
export const createStrangers = (now: () => number, warn: (text: string) => void) => {
  let count = 0
  let told = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    get count() {
      return count
    },
    note(): void {
      count += 1
      if (now() - toldAt < BETWEEN_LINES) return
      warn(`${count - told} requests came without the key of a client, and were turned away`)
      told = count
      toldAt = now()
    },
  }
}

export type Strangers = ReturnType<typeof createStrangers>
