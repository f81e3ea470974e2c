/** A 32-bit mix of avalanche quality (lowbias32). */
export const mix = (value: number): number => {
  let h = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return (h ^ (h >>> 15)) >>> 0
}

const textHash = (text: string): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** Draws that are a pure function of seed, noun, id and turn: nothing is remembered, order does not matter. */
export interface Dice {
  /** 32 bits. */
  bits(noun: string, id: number, turn?: number): number
  /** 0 up to 1, exclusive. */
  roll(noun: string, id: number, turn?: number): number
  /** Both ends inclusive. */
  int(noun: string, id: number, low: number, high: number, turn?: number): number
  chance(noun: string, id: number, probability: number, turn?: number): boolean
  pick<T>(noun: string, id: number, list: readonly T[], turn?: number): T
}

export const createDice = (seed: number): Dice => {
  const bits: Dice['bits'] = (noun, id, turn = 0) =>
    mix(mix(mix(textHash(noun) ^ seed) + id) + Math.imul(turn, 0x9e3779b9))
  const roll: Dice['roll'] = (noun, id, turn) => bits(noun, id, turn) / 0x1_0000_0000
  return {
    bits,
    roll,
    int: (noun, id, low, high, turn) => low + Math.floor(roll(noun, id, turn) * (high - low + 1)),
    chance: (noun, id, probability, turn) => roll(noun, id, turn) < probability,
    pick(noun, id, list, turn) {
      const found = list[Math.floor(roll(noun, id, turn) * list.length)]
      if (found === undefined) throw new RangeError(`nothing to pick for ${noun} ${id}`)
      return found
    },
  }
}
