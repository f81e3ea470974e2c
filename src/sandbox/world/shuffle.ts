import { mix } from './dice.ts'

/** A bijection of 0 … size-1 onto itself, both ways without a table. */
export interface Shuffle {
  at(position: number): number
  /** The position at which a value stands. */
  of(value: number): number
}

const ROUNDS = [0x51ed270b, 0x2545f491, 0x6b8b4567, 0x327b23c6]

/** A Feistel network over the next even power of two; what falls outside walks on until it is inside. */
export const shuffle = (size: number, salt: number): Shuffle => {
  let half = 1
  while (4 ** half < size) half++
  const mask = 2 ** half - 1
  const keys = ROUNDS.map((round) => mix(round ^ salt))
  const walk = (start: number, order: readonly number[]): number => {
    let value = start
    do {
      let left = value >>> half
      let right = value & mask
      for (const key of order) {
        const next = left ^ (mix(right ^ key) & mask)
        left = right
        right = next
      }
      value = (right << half) | left
    } while (value >= size)
    return value
  }
  const backwards = keys.toReversed()
  return { at: (position) => walk(position, keys), of: (value) => walk(value, backwards) }
}

/** A pure function of 0 … size-1 that is worked out at most once a value: four bytes each, for what listings ask often. */
export const remembered = (
  size: number,
  of: (position: number) => number,
): ((position: number) => number) => {
  const held = new Uint32Array(size)
  return (position) => {
    const known = held[position]
    if (known) return known - 1
    const value = of(position)
    held[position] = value + 1
    return value
  }
}
