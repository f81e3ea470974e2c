/** Where a thing is mentioned: in what, and at which of its places. */
export interface Mention<W> {
  readonly where: W
  readonly place: number
}

/** Spreads names over the 32-bit integers. */
const hashOf = (name: string): number => {
  let hash = 0
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x5bd1e995)
  return hash ^ (hash >>> 15)
}

/**
 * The latest `most` mentions of things, found by the name of the thing. A ring of numbers, the newest written over the
 * oldest: so many small objects would be marked whenever the heap is cleared. Names are known by their hash alone, so
 * that one in some billions found is a mention of another thing.
 */
export const createMentions = <W>(most: number) => {
  const hashes = new Int32Array(most)
  const places = new Uint32Array(most)
  const wheres = new Array<W | undefined>(most).fill(undefined)
  /** The number of the mention before, of those whose hashes have the same remainder; and of the last of all these. */
  const before = new Float64Array(most)
  const last = new Float64Array(most)
  /** How many there have been: they are numbered from 1. */
  let count = 0
  return {
    /** Of what mentions it more than once in a row, the last place counts. */
    add(name: string, where: W, place: number): void {
      const hash = hashOf(name)
      const remainder = (hash >>> 0) % most
      const latest = last[remainder] ?? 0
      const known = latest % most
      if (latest > 0 && hashes[known] === hash && wheres[known] === where) {
        places[known] = place
        return
      }
      count += 1
      const slot = count % most
      hashes[slot] = hash
      places[slot] = place
      wheres[slot] = where
      before[slot] = latest
      last[remainder] = count
    },
    /** The latest first. */
    of(name: string): Mention<W>[] {
      const found: Mention<W>[] = []
      const hash = hashOf(name)
      let number = last[(hash >>> 0) % most] ?? 0
      while (number > 0 && number > count - most) {
        const slot = number % most
        const where = wheres[slot]
        if (hashes[slot] === hash && where !== undefined)
          found.push({ where, place: places[slot] ?? 0 })
        number = before[slot] ?? 0
      }
      return found
    },
  }
}
