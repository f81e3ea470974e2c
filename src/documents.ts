import { hash } from 'node:crypto'

/** Documents that may be asked for by their hash. */
export interface Documents {
  readonly byHash: ReadonlyMap<string, string>
  /** Where they were read. */
  toString(): string
}

/** The hash without the word before it that some tools write. */
export const bareHash = (hash: string): string => hash.replace(/^sha256:/, '')

/** The hash that clients know a document by. */
export const hashOf = (document: string, algorithm = 'sha256'): string => hash(algorithm, document)

/** Whether it can be the hash of a document that a client sends. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** What a hash was made with, by its length; undefined for a name that somebody chose. */
const algorithmOf = (hash: string): string | undefined => {
  if (!/^[0-9a-f]+$/.test(hash)) return undefined
  return { 40: 'sha1', 64: 'sha256' }[hash.length]
}

const textOf = (entry: unknown): string | undefined => {
  if (typeof entry === 'string') return entry
  return typeof entry === 'object' && entry !== null && 'document' in entry
    ? textOf(entry.document)
    : undefined
}

/** Reads a manifest: documents by hash, as graphql-codegen writes them, or each with its price beside it. */
export const readDocuments = (manifest: string): Map<string, string> => {
  const entries: unknown = JSON.parse(manifest)
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
    throw new Error('no object')
  return new Map(
    Object.entries(entries).map(([key, entry]) => {
      const hash = bareHash(key)
      const text = textOf(entry)
      if (text === undefined) throw new Error(`no document under ${JSON.stringify(key)}`)
      const algorithm = algorithmOf(hash)
      if (algorithm !== undefined && hashOf(text, algorithm) !== hash)
        throw new Error(`another document under ${JSON.stringify(key)}`)
      return [hash, text]
    }),
  )
}
