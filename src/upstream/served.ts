import type { ErrorCode } from '../errors.ts'
import type { Answer } from './answer.ts'
import type { Request } from './request.ts'

/** Why an answer past its freshness was given: what stood in the way of a newer one. */
export type StaleReason = ErrorCode | 'REVALIDATING' | 'MAX_STALE' | 'BUDGET_PACE'

/** Where an answer came from: it was held, or sent for because nothing was, or only what was not fresh enough. */
export type Source = 'cache' | 'stale' | 'merged' | 'miss' | 'expired' | 'request'

/** What one operation was served: the makings of its Age, Cache-Control and Cache-Status. */
export interface Served {
  note(request: Request, answer: Answer, source: Source, now: number): void
  /** A row of an answer served where no request of its own was needed. */
  noteRow(answer: Answer, since: number, now: number): void
  /** Part of it is true at this moment only. */
  noteMomentary(): void
  /**
   * Milliseconds: the age of the oldest answer, and the smallest remaining life, below 0 for one that is past it;
   * undefined where nothing was served.
   */
  readonly oldest: number | undefined
  readonly remaining: number | undefined
  readonly sources: ReadonlySet<Source>
  /** Keys of the requests that the operation needed, by the endpoint's name and price. */
  readonly keys: ReadonlyMap<string, Request>
  /** The moment of each answer that served, by the key under which it is held. */
  readonly moments: ReadonlyMap<string, number>
}

export const createServed = (): Served => {
  const keys = new Map<string, Request>()
  const moments = new Map<string, number>()
  const sources = new Set<Source>()
  let oldest: number | undefined
  let remaining: number | undefined
  const age = ({ at, freshUntil }: Answer, now: number): void => {
    oldest = Math.max(oldest ?? 0, now - at)
    remaining = Math.min(remaining ?? Number.POSITIVE_INFINITY, freshUntil - now)
  }
  return {
    keys,
    moments,
    sources,
    get oldest() {
      return oldest
    },
    get remaining() {
      return remaining
    },
    noteMomentary() {
      oldest ??= 0
      remaining = Math.min(remaining ?? 0, 0)
    },
    note(request, answer, source, now) {
      keys.set(request.key, request)
      moments.set(request.key, answer.at)
      sources.add(source)
      age(answer, now)
    },
    noteRow(answer, since, now) {
      moments.set(answer.key, answer.at)
      if (answer.at < since) sources.add('cache')
      age(answer, now)
    },
  }
}
