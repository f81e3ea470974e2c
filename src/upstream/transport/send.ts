import type { Ledger } from '../../credits/ledger.ts'
import type { Signal } from '../../signal.ts'

/** One HTTP request as it goes out: nothing in it is checked again below this line. */
export interface WireRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query, encoded. */
  readonly path: string
  /** JSON text of a POST. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Credits of one attempt. */
  readonly credits: number
  /** Most milliseconds of one attempt, where it is not the setting's. */
  readonly limitMs?: number
  /** Name of the endpoint: what a breaker, a metric and a remembered refusal are about. */
  readonly endpoint: string
}

/** A text, with the bytes of it in UTF-8 where it came in bytes. */
export interface Body {
  readonly text: string
  readonly bytes?: Buffer | undefined
}

/** What came back, whatever the status. */
export interface WireAnswer extends Body {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Moment before which nothing more is sent, where this answer said so or had to be taken so. */
  readonly retryAt?: number
}

/** Who waits for an answer: somebody, nobody because an older one stands in, or nobody yet. */
export type Purpose = 'interactive' | 'revalidation' | 'warm-up'

/** On whose behalf a request goes out. */
export interface Caller {
  /** Pays for every attempt, unless another does by then. */
  readonly ledger: Ledger
  /** Who pays for an attempt that is made now. */
  payer?(): Ledger
  /** The field that asks, for the account of what is spent. */
  readonly field?: string | undefined
  /** Moment, in the clock's milliseconds, after which an answer is of no use; it may move on as others join. */
  readonly deadline: number
  /** Aborted when nobody waits any more: what has not left by then stays. */
  readonly signal?: Signal | undefined
  /** An answer that comes too late is kept for others, so that what has left is not given up. */
  readonly isKept?: boolean
  /** Interactive unless it says otherwise. */
  readonly purpose?: Purpose | undefined
  /** Who shares the service fairly with others; an operation of nobody known shares for itself. */
  readonly client?: string | undefined
  /** Requests that this client may have on their way at once; as many as there are slots where it is not said. */
  readonly slots?: number | undefined
  /** Something older stands in where this fails: it is not worth a second credit. */
  readonly hasStandIn?: boolean
  /** Whether an answer of success can be read; to a breaker one that cannot is a failure. */
  reads?(answer: WireAnswer): boolean
}

/** The transport as one who waits for it sees it. */
export type Send = (request: WireRequest, caller: Caller) => Promise<WireAnswer>

/** How an attempt ended. */
export type Outcome = { readonly answer: WireAnswer } | { readonly error: unknown }

/** Follows an attempt from the moment at which it may leave. */
export interface Followed {
  /** What goes with it. */
  readonly headers?: WireRequest['headers']
  end(outcome: Outcome, credits: number): void
}

/** Is told of each attempt: what is measured and traced is learnt here, and nowhere else on the way. */
export type Watch = (request: WireRequest, caller: Caller) => Followed

/** Time, as everything below the server sees it; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`; an aborted wait resolves at once. */
  sleep(ms: number, signal?: Signal): Promise<void>
}
