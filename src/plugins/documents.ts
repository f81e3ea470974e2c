import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { bareHash, hashOf } from '../documents.ts'
import { GatewayError } from '../errors.ts'
import type { RequestHeaders } from '../execution/execution.ts'
import { refused } from './errors.ts'

const MOST_KEPT = 1000
const MOST_KEPT_CHARACTERS = 4_000_000

// Clients know this text and send the document with their next try; whatever is no 200 they take for a failure.
const notFound = () =>
  refused(new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound'), { status: 200 })
const notTrusted = () =>
  refused(new GatewayError('FORBIDDEN', 'only trusted documents are answered'), {
    status: 403,
    spec: true,
  })
const notItsHash = () =>
  refused(
    new GatewayError(
      'BAD_USER_INPUT',
      'the hash is not that of the document: expected sha256, in hex',
    ),
  )

/** The hash by which a request names its document: as Apollo's clients send it, or as the working group's. */
const namedBy = (params: object, { method, url }: Request): string | undefined => {
  const { extensions, documentId } = params as {
    readonly extensions?: { readonly persistedQuery?: { readonly sha256Hash?: unknown } | null }
    readonly documentId?: unknown
  }
  const inUrl = method === 'GET' ? new URL(url).searchParams.get('documentId') : undefined
  const hash = extensions?.persistedQuery?.sha256Hash ?? documentId ?? inUrl ?? undefined
  if (hash === undefined) return undefined
  if (typeof hash === 'string') return bareHash(hash)
  throw notItsHash()
}

/** Documents that are known from the start; `isBound` tells for whom they are all that is answered. */
export const createTrust = (
  byHash: ReadonlyMap<string, string>,
  isBound: (headers: RequestHeaders) => boolean,
) => {
  const texts = new Set(byHash.values())
  return {
    byHash,
    isBound,
    /** Whether a document is answered to whoever sent it. */
    isOpen: (text: string, headers: RequestHeaders) => texts.has(text) || !isBound(headers),
  }
}

export type Trust = ReturnType<typeof createTrust>

/** Documents by their hash: trusted ones, and those that clients sent with their hash before. */
export const useDocuments = ({ byHash: trusted, isBound, isOpen }: Trust): Plugin => {
  const sent = new LRUCache<string, string>({
    max: MOST_KEPT,
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: (document) => document.length || 1,
  })
  return {
    onParams({ params, request, setParams }) {
      // What is no request at all is refused next.
      if (typeof params !== 'object' || params === null) return
      const { query } = params
      const hash = namedBy(params, request)
      if (typeof query === 'string') {
        if (!isOpen(query, request.headers)) throw notTrusted()
        if (hash === undefined || trusted.get(hash) === query) return
        if (hashOf(query) !== hash) throw notItsHash()
        sent.set(hash, query)
      } else if (hash !== undefined) {
        const known = trusted.get(hash) ?? (isBound(request.headers) ? undefined : sent.get(hash))
        if (known === undefined) throw notFound()
        setParams({ ...params, query: known })
      }
    },
  }
}
