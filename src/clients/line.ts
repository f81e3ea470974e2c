import { type Controller, createController, type Signal } from '../signal.ts'
import type { Clock } from '../upstream/transport/send.ts'
import type { Maybe, OfClient } from './crowd.ts'

/** An operation that may have to stand in line. */
export interface InLine extends OfClient {
  /** Moment from which nobody waits for it. */
  readonly deadline: number
  /** Aborted when whoever asked leaves. */
  readonly signal?: Signal | undefined
  /** Credits that it is likely to need yet; none where nobody has said. */
  likely?: number
  /** Kept by the line: the one that it runs in. */
  line?: Line | undefined
}

/** Runs an operation, now or when its turn comes. */
export type During = <T>(operation: InLine, run: () => Maybe<T>) => Maybe<T>

/** The large operations of one client, or of all that have no name. */
interface Line {
  /** How many run. */
  running: number
  /** Credits that those which run are likely to need yet. */
  ahead: number
  /** Those that wait, each with what ends its wait. */
  readonly standing: Map<InLine, Controller>
}

/** What is likely to need no more credits never waits, and nothing waits for it. */
const SMALL = 8
/** So many credits ahead for each slot leave no slot idle while the next one asks for its first answers. */
const AHEAD = 2
/** Nobody stands in line longer, in milliseconds. */
const LONGEST = 1_000
/** Who finds so many in line goes on. */
const MOST_STANDING = 256

/**
 * Has a client's large operations begin as those before them come to their end. All at once, none would be done sooner
 * than the last, and what each has waiting meanwhile would cost half as much again as to answer it. Who has stood in line
 * for a second goes on to where requests wait, and is judged there.
 */
export const createLine = (clock: Clock, slots: number) => {
  const lines = new Map<string | undefined, Line>()
  const enough = slots * AHEAD

  const lineOf = (client: string | undefined): Line => {
    const known = lines.get(client)
    if (known !== undefined) return known
    const begun = { running: 0, ahead: 0, standing: new Map<InLine, Controller>() }
    lines.set(client, begun)
    return begun
  }

  const begin = (operation: InLine, line: Line) => {
    operation.line = line
    line.running += 1
    line.ahead += operation.likely ?? 0
  }

  const call = (operation: InLine, line: Line) => {
    const turn = line.standing.get(operation)
    if (turn === undefined) return
    line.standing.delete(operation)
    begin(operation, line)
    turn.abort()
  }

  const stand = async (operation: InLine, line: Line) => {
    const { deadline, signal } = operation
    const turn = createController()
    const go = () => call(operation, line)
    line.standing.set(operation, turn)
    signal?.addEventListener('abort', go)
    await clock.sleep(Math.max(0, Math.min(LONGEST, deadline - clock.now())), turn.signal)
    go()
    signal?.removeEventListener('abort', go)
  }

  const shorten = (operation: InLine, line: Line, by: number) => {
    operation.likely = (operation.likely ?? 0) - by
    line.ahead -= by
    for (const next of line.standing.keys()) {
      if (line.ahead >= enough) return
      call(next, line)
    }
  }

  const during: During = (operation, run) => {
    const { client, likely = 0 } = operation
    if (likely <= SMALL) return run()
    const line = lineOf(client)
    const go = async () => {
      try {
        return await run()
      } finally {
        operation.line = undefined
        line.running -= 1
        shorten(operation, line, operation.likely ?? 0)
        if (line.running === 0) lines.delete(client)
      }
    }
    const { size } = line.standing
    if (size === 0 ? line.ahead >= enough : size < MOST_STANDING)
      return stand(operation, line).then(go)
    begin(operation, line)
    return go()
  }

  return {
    during,
    /** One request of what an operation needs is here. */
    arrive(operation: InLine): void {
      const { line, likely = 0 } = operation
      if (line !== undefined && likely > 0) shorten(operation, line, 1)
    },
  }
}
