/** What goes wrong with an answer; members go together where that makes sense. */
export interface Fault {
  /** How many requests it hits; every one when left out. */
  readonly times?: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the answer, as JSON. */
  readonly body?: unknown
  /** In place of the answer, as it stands. */
  readonly text?: string
  /** A page of HTML in place of the answer. */
  readonly html?: boolean
  /** Wait before anything is sent. */
  readonly delayMs?: number
  /** Breaks the socket before anything is sent. */
  readonly reset?: boolean
  /** Breaks the socket after so many bytes of the body. */
  readonly cutAt?: number
  /** Sends the body in pieces. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number }
  /** Sends nothing, or the head and no body, and leaves the socket open. */
  readonly stall?: 'head' | 'body'
}

/** An endpoint's name, the beginning of a path, a pattern for path and query, or `*` for everything. */
export type Match = string | RegExp

export interface Faults {
  /** The first that matches counts; returns what takes it back. */
  inject(match: Match, fault: Fault): () => void
  clear(): void
}

const matches = (match: Match, endpoint: string, path: string): boolean => {
  if (match instanceof RegExp) return match.test(path)
  return match === '*' || match === endpoint || (match.startsWith('/') && path.startsWith(match))
}

export const createFaults = () => {
  let held: { match: Match; fault: Fault; left: number }[] = []
  const faults: Faults = {
    inject(match, fault) {
      const entry = { match, fault, left: fault.times ?? Number.POSITIVE_INFINITY }
      held.push(entry)
      return () => {
        held = held.filter((one) => one !== entry)
      }
    },
    clear() {
      held = []
    },
  }
  return {
    faults,
    /** The fault that hits a request, used up by one. */
    take(endpoint: string, path: string): Fault | undefined {
      const entry = held.find(({ left, match }) => left > 0 && matches(match, endpoint, path))
      if (entry !== undefined) entry.left--
      return entry?.fault
    },
  }
}
