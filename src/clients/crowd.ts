import { counted } from '../count.ts'
import { GatewayError } from '../errors.ts'

/** An operation as one among those of its client. */
export interface OfClient {
  readonly client?: string | undefined
  /** So many of this client's may be under way at once; as many as there are where it is not said. */
  readonly operations?: number | undefined
  /** Kept by the crowd: what holds its place, its run and each request. */
  holders?: number
}

export type Maybe<T> = T | Promise<T>

/** Seconds after which a place may be free. */
const TRY_AGAIN = 3

const noPlace = (whose: string) =>
  new GatewayError('OVERLOADED', `${whose} under way, as many as it may: try again in a moment`, {
    retryAfter: TRY_AGAIN,
  })

/**
 * The operations that the service is asked for, of which all together and each client may have so many. An operation has
 * a place from the first request that it sends for until it is answered and all that it sent for is here, or was dropped:
 * who leaves does not make room for itself. What is held, or on its way for another, takes no place.
 */
export const createCrowd = (most: number) => {
  const counts = new Map<string, number>()
  let all = 0

  const count = (client: string | undefined, by: number) => {
    all += by
    if (client === undefined) return
    const after = (counts.get(client) ?? 0) + by
    if (after === 0) counts.delete(client)
    else counts.set(client, after)
  }

  const take = (operation: OfClient): number => {
    const { client, operations = most } = operation
    if (client !== undefined && (counts.get(client) ?? 0) >= operations)
      throw noPlace(`This client has ${counted(operations, 'operation')}`)
    if (all >= most) throw noPlace(`The gateway has ${counted(most, 'operation')}`)
    count(client, 1)
    return 1
  }

  const release = (operation: OfClient): void => {
    const { holders = 0 } = operation
    if (holders === 0) return
    operation.holders = holders - 1
    if (holders === 1) count(operation.client, -1)
  }

  const during = <T>(operation: OfClient, run: () => Maybe<T>): Maybe<T> => {
    let waits = false
    const end = () => release(operation)
    try {
      const result = run()
      waits = result instanceof Promise
      return result instanceof Promise ? result.finally(end) : result
    } finally {
      if (!waits) end()
    }
  }

  return {
    during,
    /** Gives an operation its place, once and for all that it asks for while it runs. Throws where there is none. */
    admit(operation: OfClient): void {
      operation.holders = (operation.holders || take(operation)) + 1
    },
    /** What an operation was admitted for is here. */
    release,
  }
}
