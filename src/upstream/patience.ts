import { GatewayError } from '../errors.ts'
import type { Operation } from './operation.ts'
import { createMoments, type Moment, type Moments, type Timed } from './transport/moments.ts'
import type { Clock } from './transport/send.ts'

/** Whoever has asked has left. */
export class Departure extends GatewayError {
  constructor() {
    super('TIMEOUT', 'Whoever asked has left')
  }
}

export const late = () => new GatewayError('TIMEOUT', 'The answer did not come within the deadline')

/** Why an operation need not be worked for any more. */
export const departed = ({ signal }: Operation): Departure | undefined =>
  signal?.aborted ? new Departure() : undefined

/** What waits on behalf of an operation. */
export interface Patient {
  /** Told once the operation waits no longer, even of what has come by then. */
  giveUp(reason: GatewayError): void
}

/** An operation that waits for something. */
export class Waiting implements Timed {
  readonly operation: Operation
  readonly moment: Moment
  /** What waits, and what did while something else waited on: what leaves is only counted. */
  patients: Patient[] = []
  open = 0
  readonly giveUp: () => void

  constructor(operation: Operation, moments: Moments, giveUp: (own: Waiting) => void) {
    this.operation = operation
    this.moment = moments.enter(operation.deadline, this)
    this.giveUp = () => giveUp(this)
  }

  timeUp(): void {
    this.giveUp()
  }
}

/** Lets operations wait until their deadline or until whoever asked has left. */
export const createPatience = (clock: Clock) => {
  const moments = createMoments(clock)

  const begin = (operation: Operation): Waiting => {
    const begun = new Waiting(operation, moments, giveUp)
    operation.waiting = begun
    operation.signal?.addEventListener('abort', begun.giveUp)
    return begun
  }

  /** What has ended lets go of what it held, since it may have grown old by then and would keep that. */
  const end = (own: Waiting): readonly Patient[] => {
    const { operation, moment, patients } = own
    if (operation.waiting !== own) return []
    operation.waiting = undefined
    own.patients = []
    operation.signal?.removeEventListener('abort', own.giveUp)
    moments.leave(moment, own)
    return patients
  }

  const giveUp = (own: Waiting) => {
    for (const patient of end(own)) patient.giveUp(departed(own.operation) ?? late())
  }

  return {
    /** From now on it is told when the operation gives up, until it leaves. */
    enter(operation: Operation, patient: Patient): Waiting {
      const own = operation.waiting ?? begin(operation)
      own.patients.push(patient)
      own.open += 1
      return own
    },
    leave(own: Waiting): void {
      own.open -= 1
      if (own.open === 0) end(own)
    },
  }
}

export type Patience = ReturnType<typeof createPatience>
