import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

const MOST_BYTES = 32 * 1024 * 1024
/** What a parsed character costs at most. */
const BYTES_OF_CHARACTER = 150

/** Documents that were found valid, by their text: bounded in bytes, whoever sends them. */
export const createValidated = () =>
  new LRUCache<string, DocumentNode>({
    maxSize: MOST_BYTES,
    sizeCalculation: (_document, { length }) => 1 + (2 + BYTES_OF_CHARACTER) * length,
  })

export type Validated = Pick<ReturnType<typeof createValidated>, 'get' | 'set'>
