import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

const MOST_DOCUMENTS = 1000
const MOST_BYTES = 64 * 1024 * 1024
/** What a parsed character costs at most, and a parsed document of 2,000 tokens. */
const BYTES_OF_CHARACTER = 150
const BYTES_OF_DOCUMENT = 300_000

const bounded = <T extends object>() =>
  new LRUCache<string, T>({
    max: MOST_DOCUMENTS,
    maxSize: MOST_BYTES,
    sizeCalculation: (_parsed, { length }) =>
      1 + 2 * length + Math.min(BYTES_OF_CHARACTER * length, BYTES_OF_DOCUMENT),
  })

/** Documents that were parsed before, and what was wrong with others: bounded in bytes, whoever sends them. */
export const createParsed = () => {
  const documentCache = bounded<DocumentNode>()
  const valid = new WeakSet<DocumentNode>()
  return {
    documentCache,
    errorCache: bounded<object>(),
    /** Takes in that a document passed validation. */
    accept: (document: DocumentNode) => void valid.add(document),
    /** The document of a text that was parsed before and found valid. */
    validOf(text: string): DocumentNode | undefined {
      const document = documentCache.get(text)
      return document !== undefined && valid.has(document) ? document : undefined
    },
  }
}

export type Parsed = ReturnType<typeof createParsed>
