import { LRUCache } from 'lru-cache'
import type { Draft } from './draft.ts'

const MOST_SIGNATURES = 1000
/** Before anything was seen. */
const AS_LIKELY = 1
/** Weight of the newest run. */
const NEWEST = 0.5

/** Remembers of each operation, whatever its literals, how much of its open numbers it came to need. */
export const createLessons = () => {
  const bySignature = new LRUCache<string, Map<string, number>>({ max: MOST_SIGNATURES })

  return {
    /** How many requests of an endpoint runs of an operation needed, of each that was likely. */
    of: (signature: string, endpoint: string): number =>
      bySignature.get(signature)?.get(endpoint) ?? AS_LIKELY,
    /** `needed` counts the distinct requests that a run needed beyond the certain ones, by endpoint. */
    learn(signature: string, { open }: Draft, needed: ReadonlyMap<string, number>): void {
      const foreseen = new Map<string, number>()
      for (const { endpoint, likely } of open.filter(({ isSpare }) => !isSpare))
        foreseen.set(endpoint, (foreseen.get(endpoint) ?? 0) + likely)
      const own = bySignature.get(signature) ?? new Map<string, number>()
      for (const [endpoint, likely] of foreseen) {
        const share = (needed.get(endpoint) ?? 0) / likely
        const before = own.get(endpoint) ?? share
        own.set(endpoint, before + (share - before) * NEWEST)
      }
      bySignature.set(signature, own)
    },
  }
}
