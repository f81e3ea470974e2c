import { LRUCache } from 'lru-cache'
import type { Draft, OpenCall } from './draft.ts'

const MOST_SIGNATURES = 1000
/** Weight of the newest run. */
const NEWEST = 0.5

type Kind = Pick<OpenCall, 'endpoint' | 'isSpare'>

const nameOf = ({ endpoint, isSpare }: Kind): string => (isSpare ? `spare ${endpoint}` : endpoint)
/** Before anything was seen. */
const asLikely = ({ isSpare }: Kind): number => (isSpare ? 0 : 1)

/** What is needed of an endpoint is taken for that of the calls that are no spare ones, where there are any. */
const teaching = (open: Draft['open']): Draft['open'] => {
  if (!open.some(({ isSpare }) => isSpare)) return open
  const own = new Set(open.filter(({ isSpare }) => !isSpare).map(({ endpoint }) => endpoint))
  return open.filter(({ endpoint, isSpare }) => !isSpare || !own.has(endpoint))
}

/** Remembers of each operation, whatever its literals, how much of its open numbers it came to need. */
export const createLessons = () => {
  const bySignature = new LRUCache<string, Map<string, number>>({ max: MOST_SIGNATURES })

  return {
    /** How many requests of a call's endpoint runs of an operation needed, of each that was likely. */
    of: (signature: string, call: Kind): number =>
      bySignature.get(signature)?.get(nameOf(call)) ?? asLikely(call),
    /** `needed` counts the distinct requests that a run needed beyond the certain ones, by endpoint. */
    learn(signature: string, { open }: Draft, needed: ReadonlyMap<string, number>): void {
      const foreseen = new Map<string, Kind & { readonly likely: number }>()
      for (const call of teaching(open)) {
        const { likely = 0 } = foreseen.get(nameOf(call)) ?? {}
        foreseen.set(nameOf(call), { ...call, likely: likely + call.likely })
      }
      const own = bySignature.get(signature) ?? new Map<string, number>()
      for (const [name, { endpoint, likely }] of foreseen) {
        const share = (needed.get(endpoint) ?? 0) / likely
        const before = own.get(name) ?? share
        own.set(name, before + (share - before) * NEWEST)
      }
      bySignature.set(signature, own)
    },
  }
}
