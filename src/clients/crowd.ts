/** An operation as one among those of its client. */
export interface OfClient {
  readonly client?: string | undefined
  /** So many of this client's may be under way at once; as many as there are where it is not said. */
  readonly operations?: number | undefined
}

type Maybe<T> = T | Promise<T>

/** Runs an operation as one of its client's. */
export type During = <T>(operation: OfClient, run: () => Maybe<T>) => Maybe<T>

/** The operations under way, by client. Whoever comes when its client has as many as it may is late until one of them ends. */
export const createCrowd = () => {
  const counts = new Map<string, number>()
  const late = new WeakSet<OfClient>()
  const countOf = (client: string) => counts.get(client) ?? 0
  const leave = (client: string) => {
    const left = countOf(client) - 1
    if (left === 0) counts.delete(client)
    else counts.set(client, left)
  }

  const during: During = (operation, run) => {
    const { client, operations: most } = operation
    if (client === undefined || most === undefined) return run()
    const count = countOf(client) + 1
    counts.set(client, count)
    if (count > most) late.add(operation)
    let waits = false
    try {
      const result = run()
      waits = result instanceof Promise
      return result instanceof Promise ? result.finally(() => leave(client)) : result
    } finally {
      // What is answered at once takes nobody's place, not even until the next turn.
      if (!waits) leave(client)
    }
  }

  return {
    during,
    isLate: (operation: OfClient): boolean => {
      const { client, operations: most } = operation
      if (client === undefined || most === undefined) return false
      return late.has(operation) && countOf(client) > most
    },
  }
}
