import { LRUCache } from 'lru-cache'
import { type Answer, CLASSES } from './answer.ts'
import type { IsMeant } from './purge.ts'

/** A place of answers, by its figures. */
export interface Tier {
  readonly bytes: number
  /** Answers that lie there. */
  readonly size: number
  /** How often something was found there. */
  readonly hits: number
}

/** Where answers are kept. */
export interface Shelf extends Tier {
  get(key: string): Answer | undefined
  /** Looks without making the answer any younger. */
  peek(key: string): Answer | undefined
  put(answer: Answer): void
  /** Takes out every answer that is meant. */
  purge(isMeant: IsMeant): void
}

/**
 * Each class of answers has its own share of the bytes, and within it the one used longest ago goes first: so a window
 * of 10,000 rows pushes out no entity, and guessing at ids pushes out nothing but other guesses.
 */
const SHARES = { record: 0.45, window: 0.45, negative: 0.1 } as const

/** Nor does a single answer push out many: the disk, or whoever asked, has what is larger. */
const LARGEST = 8_000_000
const LARGEST_SHARE = 0.05

type Board = LRUCache<string, Answer>

/** Answers in memory, bounded in bytes. */
export const createMemoryShelf = (maxBytes: number): Shelf => {
  const maxEntrySize = Math.max(1, Math.min(LARGEST, Math.floor(maxBytes * LARGEST_SHARE)))
  const board = (share: number): Board =>
    new LRUCache({
      maxSize: Math.max(1, Math.floor(maxBytes * share)),
      maxEntrySize,
      sizeCalculation: (answer) => answer.bytes,
    })
  const boards = {
    record: board(SHARES.record),
    window: board(SHARES.window),
    negative: board(SHARES.negative),
  }
  const { record, window, negative } = boards
  /** Most boards that are asked in vain are empty. */
  const getOn = (board: Board, key: string) => (board.size === 0 ? undefined : board.get(key))
  const peekOn = (board: Board, key: string) => (board.size === 0 ? undefined : board.peek(key))
  let hits = 0
  return {
    get(key) {
      const found = getOn(record, key) ?? getOn(window, key) ?? getOn(negative, key)
      if (found !== undefined) hits += 1
      return found
    },
    peek: (key) => peekOn(record, key) ?? peekOn(window, key) ?? peekOn(negative, key),
    put(answer) {
      for (const other of CLASSES) if (other !== answer.class) boards[other].delete(answer.key)
      boards[answer.class].set(answer.key, answer)
    },
    purge(isMeant) {
      for (const name of CLASSES)
        for (const [key, { endpoint, at }] of [...boards[name].entries()])
          if (isMeant({ endpoint: endpoint.name, at })) boards[name].delete(key)
    },
    get hits() {
      return hits
    },
    get size() {
      return CLASSES.reduce((sum, name) => sum + boards[name].size, 0)
    },
    get bytes() {
      return CLASSES.reduce((sum, name) => sum + boards[name].calculatedSize, 0)
    },
  }
}
