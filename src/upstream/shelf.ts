import { LRUCache } from 'lru-cache'
import type { Answer } from './answer.ts'

/** Where answers are kept. */
export interface Shelf {
  get(key: string): Answer | undefined
  /** Looks without making the answer any younger. */
  peek(key: string): Answer | undefined
  put(answer: Answer): void
  readonly bytes: number
}

/** Answers in memory, bounded in bytes; the one used longest ago goes first. */
export const createMemoryShelf = (maxBytes: number): Shelf => {
  const cache = new LRUCache<string, Answer>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 10)),
    sizeCalculation: (answer) => answer.bytes,
  })
  return {
    get: (key) => cache.get(key),
    peek: (key) => cache.peek(key),
    put: (answer) => {
      cache.set(answer.key, answer)
    },
    get bytes() {
      return cache.calculatedSize
    },
  }
}
