import { createController } from '../../signal.ts'
import { overSlots } from './refusal.ts'
import type { Caller, Clock, WireRequest } from './send.ts'
import { type End, type Step, when } from './step.ts'

/** The requests of one client. */
interface Line {
  running: number
  /** Each by what lets it go, first come first. */
  readonly waiting: Set<() => void>
}

/** Requests of one client that may wait for its slots. */
const LONGEST_LINE = 256

/**
 * Holds a client to as many requests on their way as it may have at once: those beyond wait here for its own to end,
 * so that the gate's queue is for those who could go.
 */
export const createSlots = (clock: Clock) => {
  const lines = new Map<string, Line>()

  /** Until it is let go; refused where nobody waits for it any more. */
  const turn = ({ waiting }: Line, caller: Caller, client: string): Promise<void> =>
    new Promise((resolve, refuse) => {
      const over = createController()
      const end = () => {
        waiting.delete(go)
        over.abort()
        caller.signal?.removeEventListener('abort', giveUp)
      }
      const go = () => {
        end()
        resolve()
      }
      const giveUp = () => {
        end()
        refuse(overSlots('TIMEOUT', client))
      }
      const watch = async () => {
        // The deadline moves on as others join.
        while (caller.deadline > clock.now() && !over.signal.aborted)
          await clock.sleep(caller.deadline - clock.now(), over.signal)
        if (!over.signal.aborted) giveUp()
      }
      waiting.add(go)
      caller.signal?.addEventListener('abort', giveUp)
      void watch()
    })

  const enter = (
    line: Line,
    caller: Caller,
    client: string,
    slots: number,
  ): undefined | Promise<void> => {
    if (line.running >= slots) {
      if (line.waiting.size >= LONGEST_LINE) throw overSlots('OVERLOADED', client)
      return turn(line, caller, client)
    }
    line.running += 1
    return undefined
  }

  const leave = (line: Line, client: string) => {
    const [next] = line.waiting
    // Whoever is let go takes over the place.
    if (next !== undefined) return next()
    line.running -= 1
    if (line.running === 0) lines.delete(client)
  }

  return (next: Step): Step => {
    const inLine = (
      request: WireRequest,
      caller: Caller,
      client: string,
      slots: number,
      end: End,
    ): void => {
      const line = lines.get(client) ?? { running: 0, waiting: new Set() }
      lines.set(client, line)
      when(
        () => enter(line, caller, client, slots),
        () =>
          next(request, caller, (outcome) => {
            leave(line, client)
            end(outcome)
          }),
        end,
      )
    }
    return (request, caller, end) => {
      const { client, slots } = caller
      if (client === undefined || slots === undefined) next(request, caller, end)
      else inLine(request, caller, client, slots, end)
    }
  }
}
