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

/** A class, since each operation has one: an object literal with getters is built anew, getter by getter. */
class OperationServed implements Served {
  /** Put together when they are asked for: of most operations nobody asks. */
  readonly #requests: Request[] = []
  readonly #answers: Answer[] = []
  readonly sources = new Set<Source>()
  oldest: number | undefined = undefined
  remaining: number | undefined = undefined

  get keys(): ReadonlyMap<string, Request> {
    return new Map(this.#requests.map((request) => [request.key, request]))
  }

  get moments(): ReadonlyMap<string, number> {
    return new Map(this.#answers.map(({ key, at }) => [key, at]))
  }

  noteMomentary(): void {
    this.oldest ??= 0
    this.remaining = Math.min(this.remaining ?? 0, 0)
  }

  note(request: Request, answer: Answer, source: Source, now: number): void {
    this.#requests.push(request)
    this.sources.add(source)
    this.#age(answer, now)
  }

  noteRow(answer: Answer, since: number, now: number): void {
    if (answer.at < since) this.sources.add('cache')
    this.#age(answer, now)
  }

  #age(answer: Answer, now: number): void {
    const { at, freshUntil } = answer
    if (this.#answers.at(-1) !== answer) this.#answers.push(answer)
    this.oldest = Math.max(this.oldest ?? 0, now - at)
    this.remaining = Math.min(this.remaining ?? Number.POSITIVE_INFINITY, freshUntil - now)
  }
}

export const createServed = (): Served => new OperationServed()
