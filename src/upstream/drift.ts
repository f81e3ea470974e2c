import type { Reading } from './decode.ts'

/** How many values of each field of each endpoint could not be read, each once of each row that is opened. */
export interface Drift {
  reading(endpoint: string): Reading
  readonly counts: ReadonlyMap<string, number>
}

const MOST_FIELDS = 1000

/** Counts drift by `endpoint.field`; the number of names is bounded because nested paths come from the wire. */
export const createDrift = (): Drift => {
  const counts = new Map<string, number>()
  const readings = new Map<string, Reading>()
  const note = (name: string): void => {
    const field = counts.has(name) || counts.size < MOST_FIELDS ? name : 'other'
    counts.set(field, (counts.get(field) ?? 0) + 1)
  }
  return {
    counts,
    reading(endpoint) {
      const known = readings.get(endpoint) ?? {
        note: (path: string) => note(`${endpoint}.${path}`),
      }
      readings.set(endpoint, known)
      return known
    },
  }
}
