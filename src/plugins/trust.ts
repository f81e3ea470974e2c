import { LRUCache } from 'lru-cache'
import type { RequestHeaders } from '../clients/caller.ts'
import type { Client } from '../clients/client.ts'
import { bareHash, isHash } from '../documents.ts'
import type { Params } from '../execution/params.ts'
import type { Library } from './library.ts'

const MOST_KEPT = 1000
const MOST_KEPT_CHARACTERS = 4_000_000

/** Which documents are answered to whom: nothing but `trusted` ones, or some of them, to those who are bound to them. */
export const createTrust = (
  trusted: ReadonlyMap<string, string>,
  boundOf: (headers: RequestHeaders) => Pick<Client, 'documentsOnly' | 'documents'>,
  library?: Library,
) => {
  const texts = new Set(trusted.values())
  const sent = new LRUCache<string, string>({
    max: MOST_KEPT,
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: (document) => document.length || 1,
  })
  const isOpen = (text: string, headers: RequestHeaders): boolean => {
    const { documentsOnly, documents } = boundOf(headers)
    if (!documentsOnly) return true
    if (documents === undefined) return texts.has(text)
    return documents.some((hash) => trusted.get(bareHash(hash)) === text)
  }
  return {
    /** Whether a document is answered to whoever sent it. */
    isOpen,
    /** Takes in a document that came with its hash. */
    learn(hash: string, text: string): void {
      sent.set(hash, text)
      library?.learn(hash, text)
    },
    /** The document of a hash that another replica took in; whoever is bound to trusted ones has no use for it. */
    async findElsewhere(hash: string, headers: RequestHeaders): Promise<string | undefined> {
      if (library === undefined || !isHash(hash) || boundOf(headers).documentsOnly) return undefined
      const text = await library.find(hash)
      if (text !== undefined) sent.set(hash, text)
      return text
    },
    /** The document that a request sends, or names by its hash, where it is known to be open and to be that of the hash. */
    find(
      { query, hash }: Pick<Params, 'query' | 'hash'>,
      headers: RequestHeaders,
    ): string | undefined {
      const known = hash === undefined ? query : (trusted.get(hash) ?? sent.get(hash))
      if (known === undefined || (query !== undefined && query !== known)) return undefined
      return isOpen(known, headers) ? known : undefined
    },
  }
}

export type Trust = ReturnType<typeof createTrust>
