import { GatewayError } from '../errors.ts'
import { type Controller, createController } from '../signal.ts'
import type { Operation } from './operation.ts'
import type { Clock } from './transport/send.ts'

/** Who has to be told that an operation waits no longer. */
interface Waiting {
  readonly giveUps: Set<(reason: GatewayError) => void>
  readonly over: Controller
  giveUp(): void
}

/** Whoever asked has left. */
export class Departure extends GatewayError {
  constructor() {
    super('TIMEOUT', 'Whoever asked has left')
  }
}

export const late = () => new GatewayError('TIMEOUT', 'The answer did not come within the deadline')

/** Why an operation need not be worked for any more. */
export const departed = ({ signal }: Operation): Departure | undefined =>
  signal?.aborted ? new Departure() : undefined

/** Lets operations wait until their deadline or until whoever asked has left, each with one timer for all it waits for. */
export const createPatience = (clock: Clock) => {
  const waiting = new WeakMap<Operation, Waiting>()

  const begin = (operation: Operation): Waiting => {
    const { deadline, signal } = operation
    const begun: Waiting = {
      giveUps: new Set(),
      over: createController(),
      giveUp() {
        end(operation, begun)
        for (const tell of begun.giveUps) tell(departed(operation) ?? late())
        begun.giveUps.clear()
      },
    }
    waiting.set(operation, begun)
    signal?.addEventListener('abort', begun.giveUp)
    if (deadline !== Number.POSITIVE_INFINITY)
      void clock.sleep(Math.max(0, deadline - clock.now()), begun.over.signal).then(() => {
        if (!begun.over.signal.aborted) begun.giveUp()
      })
    return begun
  }

  const end = (operation: Operation, { over, giveUp }: Waiting) => {
    waiting.delete(operation)
    operation.signal?.removeEventListener('abort', giveUp)
    over.abort()
  }

  /** Work's end, or the end of the operation's patience. */
  return <T>(work: Promise<T>, operation: Operation): Promise<T> =>
    new Promise((resolve, reject) => {
      const own = waiting.get(operation) ?? begin(operation)
      const leave = () => {
        if (own.giveUps.delete(reject) && own.giveUps.size === 0) end(operation, own)
      }
      own.giveUps.add(reject)
      work.then(
        (value) => {
          leave()
          resolve(value)
        },
        (failure: unknown) => {
          leave()
          reject(failure)
        },
      )
    })
}

export type Patience = ReturnType<typeof createPatience>
