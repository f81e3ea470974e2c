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
  const overall = new Map<string, number>()

  const learn = (shares: Map<string, number>, endpoint: string, share: number): void => {
    const before = shares.get(endpoint)
    shares.set(endpoint, before === undefined ? share : before + (share - before) * NEWEST)
  }

  return {
    /** How many requests of an endpoint runs of an operation needed, of each that was likely. */
    of: (signature: string, endpoint: string): number =>
      bySignature.get(signature)?.get(endpoint) ?? overall.get(endpoint) ?? AS_LIKELY,
    /** `needed` counts the distinct requests that a run needed beyond the certain ones, by endpoint. */
    learn(signature: string, { open }: Draft, needed: ReadonlyMap<string, number>): void {
      const foreseen = new Map<string, number>()
      for (const { endpoint, likely } of open.filter(({ isSpare }) => !isSpare))
        foreseen.set(endpoint, (foreseen.get(endpoint) ?? 0) + likely)
      const own = bySignature.get(signature) ?? new Map<string, number>()
      for (const [endpoint, likely] of foreseen) {
        const share = (needed.get(endpoint) ?? 0) / likely
        learn(own, endpoint, share)
        learn(overall, endpoint, share)
      }
      bySignature.set(signature, own)
    },
  }
}
