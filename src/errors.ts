import { isFlat, MOST_LEVELS } from './depth.ts'

/** The words that clients branch on; the list is the contract's, and no other word is sent. */
export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'UPSTREAM_FORBIDDEN'
  | 'RATE_LIMITED'
  | 'CREDIT_LIMIT_EXCEEDED'
  | 'CREDIT_BUDGET_EXHAUSTED'
  | 'NOT_CACHED'
  | 'TIMEOUT'
  | 'UPSTREAM_UNAUTHENTICATED'
  | 'UPSTREAM_REJECTED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_BAD_RESPONSE'
  | 'OVERLOADED'
  | 'PERSISTED_QUERY_NOT_FOUND'

/** Facts beside the code; a client is told them where they help it. */
export interface ErrorFacts {
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number
  /** Credits that the refused work would have cost. */
  readonly credits?: number
  /** The GraphQL argument at fault. */
  readonly argument?: string
  /** Whose own limit it is, where it is not the limit of all; for our own use, not told. */
  readonly client?: string | undefined
  /** Status of the service's answer; for our own use, not told. */
  readonly status?: number
}

/** The code that Node gives a failure, such as ENOENT; empty where it has none. */
export const codeOf = (failure: unknown): string =>
  failure instanceof Error && 'code' in failure ? String(failure.code) : ''

/** A failure for whoever sits at a terminal: of a path that is not there, that. */
export const wordsOf = (failure: unknown): string => {
  if (!(failure instanceof Error)) return String(failure)
  const isMissing = codeOf(failure) === 'ENOENT' && 'path' in failure
  return isMissing ? `${failure.path}: no such file or folder` : failure.message
}

const MOST_SHOWN = 60

const cut = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

/** A text as a message repeats it: escaped, and no longer than 60 characters. */
export const quoted = (text: string): string => JSON.stringify(cut(text))

/** Any value as a message repeats it: a text quoted, all else as JSON or as it is written, no longer than that. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return cut(String(value))
  return isFlat(value) ? cut(JSON.stringify(value)) : `more than ${MOST_LEVELS} levels`
}

/** Every failure that is somebody's to act on; whatever else is thrown is a fault of ours and masked. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ErrorCode
  readonly facts: ErrorFacts

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.facts = facts
  }
}
