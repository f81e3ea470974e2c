import type { Plugin } from 'graphql-yoga'
import { bareHash, hashOf } from '../documents.ts'
import { GatewayError } from '../errors.ts'
import { hashIn } from '../execution/params.ts'
import { refused } from './errors.ts'
import type { Trust } from './trust.ts'

// Clients know this text and send the document with their next try.
const notFound = () =>
  refused(new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound'))
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

/** The hash by which a request names its document, in its parameters or in its address. */
const namedBy = (params: object, { method, url }: Request): string | undefined => {
  const { extensions, documentId } = params as { extensions?: unknown; documentId?: unknown }
  const inUrl = method === 'GET' ? new URL(url).searchParams.get('documentId') : undefined
  const hash = hashIn(extensions, documentId) ?? inUrl ?? undefined
  if (hash === undefined) return undefined
  if (typeof hash === 'string') return bareHash(hash)
  throw notItsHash()
}

/** Documents by their hash: trusted ones, and those that clients sent with their hash before, here or to another replica. */
export const useDocuments = ({ find, findElsewhere, isOpen, learn }: Trust): Plugin => ({
  async onParams({ params, request, setParams }) {
    // What is no request at all is refused next.
    if (typeof params !== 'object' || params === null) return
    const { query } = params
    const hash = namedBy(params, request)
    const given = typeof query === 'string' ? query : undefined
    const text =
      find({ query: given, hash }, request.headers) ??
      (given === undefined && hash !== undefined
        ? await findElsewhere(hash, request.headers)
        : undefined)
    if (text !== undefined) {
      if (given === undefined) setParams({ ...params, query: text })
    } else if (given !== undefined) {
      if (!isOpen(given, request.headers)) throw notTrusted()
      if (hash === undefined || hashOf(given) !== hash) throw notItsHash()
      learn(hash, given)
    } else if (hash !== undefined) throw notFound()
  },
})
