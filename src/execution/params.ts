import { isFlat } from '../depth.ts'
import { bareHash } from '../documents.ts'
import { isObject } from '../upstream/envelopes.ts'

/** What the body of a plain request asks for. */
export interface Params {
  /** The document, or its hash, or both. */
  readonly query?: string | undefined
  readonly hash?: string | undefined
  /** Undefined where none is named. */
  readonly operationName?: string | undefined
  readonly variables: Record<string, unknown>
}

const MEMBERS = new Set(['query', 'operationName', 'variables', 'extensions', 'documentId'])

const isMissing = (value: unknown): value is null | undefined => (value ?? undefined) === undefined

const isText = (value: unknown) => isMissing(value) || typeof value === 'string'

const isMap = (value: unknown) => isMissing(value) || isObject(value)

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The hash that a body names its document by: as Apollo's clients send it, or as the working group's. */
export const hashIn = (extensions: unknown, documentId: unknown): unknown => {
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined
  return (isObject(persisted) ? persisted.sha256Hash : undefined) ?? documentId ?? undefined
}

/** Reads a body that is in good form; undefined for any other, which is somebody else's to refuse. */
export const paramsOf = (body: string): Params | undefined => {
  const params = parsed(body)
  if (!isObject(params)) return undefined
  for (const name in params) if (!MEMBERS.has(name)) return undefined
  const { query, operationName, variables, extensions, documentId } = params
  const hash = hashIn(extensions, documentId)
  if (!isText(query) || !isText(operationName) || !isText(hash)) return undefined
  if (!isMap(variables) || !isMap(extensions) || !isFlat(params)) return undefined
  return {
    query: query ?? undefined,
    hash: typeof hash === 'string' ? bareHash(hash) : undefined,
    operationName: operationName || undefined,
    variables: variables ?? {},
  } as Params
}
