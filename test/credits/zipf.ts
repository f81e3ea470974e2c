import { expect } from 'vitest'
import { openRun } from '../support/run.ts'

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
const dice = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws of 0 to `keys` - 1, the k-th in proportion to 1 / k: few asked for often, most hardly ever. */
const zipf = (keys: number, seed: number) => {
  const roll = dice(seed)
  const sums: number[] = []
  for (let key = 0; key < keys; key++) sums.push((sums[key - 1] ?? 0) + 1 / (key + 1))
  const whole = sums.at(-1) ?? 0
  return (): number => {
    const drawn = roll() * whole
    let low = 0
    let high = keys - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? whole) > drawn) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Clients that ask at once. */
const AT_ONCE = 20

/** Reads tracks as many clients do, and expects each that was read to have been paid for once. */
export const readsCostDistinctKeys = async (reads: number, keys: number): Promise<void> => {
  const { query, meter, gateway, close } = await openRun({ sandbox: { flawedRows: false } })
  const draw = zipf(keys, 42)
  const read = new Set<number>()
  let spent = 0
  let saved = 0
  const one = async (): Promise<void> => {
    const cmId = draw()
    read.add(cmId)
    const { data, errors, credits } = await query(
      'query ($cmId: Int!) { track(cmId: $cmId) { cmId durationMs } }',
      { cmId },
    )
    expect(errors).toEqual([])
    expect(data.track.cmId).toBe(cmId)
    spent += credits.spent
    saved += credits.saved
  }
  try {
    for (let done = 0; done < reads; done += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, reads - done) }, one))
    expect(meter.credits).toBe(read.size)
    expect(spent).toBe(read.size)
    expect(saved).toBe(reads - read.size)
    expect(gateway.upstream.book.spent).toBe(read.size)
  } finally {
    await close()
  }
}
