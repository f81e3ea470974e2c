/** Random numbers that are the same for the same seed. */
export const createDice = (seed: number) => {
  let state = (seed % 2_147_483_646) + 1
  const roll = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  /** Both ends inclusive. */
  const int = (low: number, high: number) => low + Math.floor(roll() * (high - low + 1))
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((one) => ({ one, at: roll() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one)
  return {
    roll,
    int,
    shuffled,
    pick<T>(list: readonly T[]): T {
      const found = list[int(0, list.length - 1)]
      if (found === undefined) throw new RangeError('nothing to pick from')
      return found
    },
  }
}

export type Dice = ReturnType<typeof createDice>
