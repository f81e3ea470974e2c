import { hashOf } from '../hash.ts'

/** Where a thing is mentioned: in what, at which of its places, and what is held of that. */
export interface Mention<W, H> {
  readonly where: W
  readonly place: number
  readonly held: H
}

/** The hash of a thing, of which a number may be told as its digits. */
const hashOfThing = (kind: number, id: number | string): number => {
  const number = Number(id)
  const isNumber = number === (number | 0) && (typeof id === 'number' || `${number}` === id)
  const hash = Math.imul(kind ^ (isNumber ? number : hashOf(`${id}`)), 0x5bd1e995)
  return hash ^ (hash >>> 15)
}

/** Mentions in what is held, wanted or not, that a look comes to; what only those before them tell costs a call. */
const MOST_MET = 50

/**
 * The latest `most` mentions of things, found by the endpoint of its record and its number. A ring of numbers, the newest
 * written over the oldest: so many small objects would be marked whenever the heap is cleared. Things are known by their
 * hash alone, so that one in some billions found is a mention of another. `holding` gives what is held of what mentions.
 */
export const createMentions = <W extends { readonly at: number }, H>(
  most: number,
  holding: (where: W) => H | undefined,
) => {
  const kinds = new Map<string, number>()
  const kindOf = (of: string): number => {
    const known = kinds.get(of)
    if (known !== undefined) return known
    const kind = hashOf(of)
    kinds.set(of, kind)
    return kind
  }
  const hashes = new Int32Array(most)
  const places = new Uint32Array(most)
  const wheres = new Array<W | undefined>(most).fill(undefined)
  /** The number of the mention before, of those whose hashes have the same remainder; and of the last of all these. */
  const before = new Float64Array(most)
  const last = new Float64Array(most)
  /** The latest moment of a mention and of all that there were before: what is noted last may have come first. */
  const crests = new Float64Array(most)
  /** How many there have been: they are numbered from 1. */
  let count = 0
  /** What mentions them at present, and how many there had been before it. */
  let present: W | undefined
  let ahead = 0
  return {
    /** Of what mentions it more than once in a row, the last place counts. */
    add(of: string, id: number | string, where: W, place: number): void {
      if (where !== present) {
        present = where
        ahead = count
      }
      const hash = hashOfThing(kindOf(of), id)
      const remainder = (hash >>> 0) % most
      const latest = last[remainder] ?? 0
      if (latest > ahead && hashes[latest % most] === hash) {
        places[latest % most] = place
        return
      }
      const crest = crests[count % most] ?? 0
      count += 1
      const slot = count % most
      hashes[slot] = hash
      places[slot] = place
      wheres[slot] = where
      before[slot] = latest
      crests[slot] = Math.max(crest, where.at)
      last[remainder] = count
    },
    /**
     * The newest `many` in what is held and wanted, the newest first. Bounded: what is held no more is left out for
     * good when a look comes to it, of what is held there are MOST_MET, and of other things there is one mention on the
     * way on average, as there are as many remainders as mentions.
     */
    of(
      of: string,
      id: number | string,
      many: number,
      isWanted: (held: H) => boolean,
    ): Mention<W, H>[] {
      const found: Mention<W, H>[] = []
      const hash = hashOfThing(kindOf(of), id)
      const remainder = (hash >>> 0) % most
      let number = last[remainder] ?? 0
      let behind = 0
      for (let met = 0; met < MOST_MET && number > 0 && number > count - most; ) {
        const slot = number % most
        const next = before[slot] ?? 0
        const where = hashes[slot] === hash ? wheres[slot] : undefined
        const held = where && holding(where)
        if (where !== undefined && held === undefined) {
          wheres[slot] = undefined
          if (behind === 0) last[remainder] = next
          else before[behind % most] = next
        } else behind = number
        if (where !== undefined && held !== undefined) {
          met += 1
          if (isWanted(held)) found.push({ where, place: places[slot] ?? 0, held })
          if (found.length > 1) found.sort((one, other) => other.where.at - one.where.at)
          const oldest = found[many - 1]?.where.at ?? -1
          if (oldest >= (crests[next % most] ?? 0)) break
        }
        number = next
      }
      return found.length > many ? found.slice(0, many) : found
    },
  }
}
