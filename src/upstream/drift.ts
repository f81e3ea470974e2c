import type { Reading } from './decode.ts'

/** How many values of each field of each endpoint could not be read, each once as long as its answer is held. */
export interface Drift {
  /** For one answer of an endpoint, however often it is opened. */
  reading(endpoint: string): Reading
  readonly counts: ReadonlyMap<string, number>
}

const MOST_FIELDS = 1000

/** A class, since each answer has one. */
class OfAnswer implements Reading {
  readonly #endpoint: string
  readonly #count: (field: string) => void
  #settled: Set<string> | undefined = undefined
  #told: Set<string> | undefined = undefined

  constructor(endpoint: string, count: (field: string) => void) {
    this.#endpoint = endpoint
    this.#count = count
  }

  note(path: string): void {
    if (this.#settled?.has(path)) return
    this.#told ??= new Set()
    this.#told.add(path)
    this.#count(`${this.#endpoint}.${path}`)
  }

  settle(): void {
    if (this.#told === undefined) return
    this.#settled = new Set([...(this.#settled ?? []), ...this.#told])
    this.#told = undefined
  }
}

/** Counts drift by `endpoint.field`; the number of names is bounded because nested paths come from the wire. */
export const createDrift = (): Drift => {
  const counts = new Map<string, number>()
  const count = (name: string): void => {
    const field = counts.has(name) || counts.size < MOST_FIELDS ? name : 'other'
    counts.set(field, (counts.get(field) ?? 0) + 1)
  }
  return {
    counts,
    reading: (endpoint) => new OfAnswer(endpoint, count),
  }
}
