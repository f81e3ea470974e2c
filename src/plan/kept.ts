import type { Request } from '../upstream/request.ts'
import type { CertainCall, Draft } from './draft.ts'

/** The requests that a run needed. */
export interface Needs {
  readonly certain: readonly Request[]
  readonly open: readonly Request[]
}

/** What is kept of an operation for its next price. */
export interface Kept {
  readonly draft: Draft
  /** Those of the last run. */
  readonly needs: Needs
  /** Letters of the document: values in it are cut from its text. */
  readonly letters: number
}

const BYTES_OF_DRAFT = 1000
/** A call beside its requests. */
const BYTES_OF_CALL = 600
/** With its key and its arguments, where these are short: a chart needs sixty. */
const BYTES_OF_REQUEST = 400
/** Letters of a short key, and what each beyond may cost: lists of small things in its arguments. */
const SHORT_KEY = 100
const BYTES_OF_KEY_LETTER = 16
/** What one of a text costs. */
const BYTES_OF_LETTER = 2

const weightOfRequest = ({ key }: Request): number =>
  BYTES_OF_REQUEST + BYTES_OF_KEY_LETTER * Math.max(0, key.length - SHORT_KEY)

/** With those that may take the place of its own, which are as long. */
const weightOfCall = ({ request, instead }: CertainCall): number =>
  BYTES_OF_CALL + (1 + (instead?.windows.length ?? 0)) * weightOfRequest(request)

const sum = <T>(all: readonly T[], weigh: (one: T) => number): number =>
  all.reduce((bytes, one) => bytes + weigh(one), 0)

/** Bytes of what is kept under a key. */
export const weightOf = ({ draft, needs, letters }: Kept, key: string): number =>
  BYTES_OF_DRAFT +
  BYTES_OF_REQUEST * draft.open.length +
  BYTES_OF_LETTER * (key.length + letters) +
  sum(draft.certain, weightOfCall) +
  sum(draft.joined?.calls ?? [], weightOfCall) +
  sum(needs.certain, weightOfRequest) +
  sum(needs.open, weightOfRequest)
