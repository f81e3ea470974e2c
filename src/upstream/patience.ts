import { GatewayError } from '../errors.ts'
import type { Operation } from './operation.ts'
import { type Clock, OVER } from './transport/send.ts'

/** Who has to be told that an operation waits no longer. */
interface Waiting {
  readonly giveUps: Set<(reason: GatewayError) => void>
  readonly over: AbortController
}

/** Whoever asked has left. */
export class Departure extends GatewayError {
  constructor() {
    super('TIMEOUT', 'Whoever asked has left')
  }
}

const late = () => new GatewayError('TIMEOUT', 'The answer did not come within the deadline')

/** Why an operation need not be worked for any more. */
export const departed = ({ signal }: Operation): Departure | undefined =>
  signal?.aborted ? new Departure() : undefined

/** Lets operations wait until their deadline or until whoever asked has left, each with one timer for all it waits for. */
export const createPatience = (clock: Clock) => {
  const waiting = new Map<Operation, Waiting>()

  const begin = (operation: Operation): Waiting => {
    const { deadline, signal } = operation
    const begun = {
      giveUps: new Set<(reason: GatewayError) => void>(),
      over: new AbortController(),
    }
    const giveUp = () => {
      end(operation, begun)
      for (const tell of begun.giveUps) tell(departed(operation) ?? late())
      begun.giveUps.clear()
    }
    waiting.set(operation, begun)
    signal?.addEventListener('abort', giveUp, { signal: begun.over.signal })
    if (deadline !== Number.POSITIVE_INFINITY)
      void clock.sleep(Math.max(0, deadline - clock.now()), begun.over.signal).then(() => {
        if (!begun.over.signal.aborted) giveUp()
      })
    return begun
  }

  const end = (operation: Operation, { over }: Waiting) => {
    waiting.delete(operation)
    over.abort(OVER)
  }

  /** Work's end, or the end of the operation's patience. */
  return <T>(work: Promise<T>, operation: Operation): Promise<T> =>
    new Promise((resolve, reject) => {
      const own = waiting.get(operation) ?? begin(operation)
      const leave = () => {
        if (own.giveUps.delete(reject) && own.giveUps.size === 0) end(operation, own)
      }
      own.giveUps.add(reject)
      work.then(resolve, reject).finally(leave)
    })
}

export type Patience = ReturnType<typeof createPatience>
