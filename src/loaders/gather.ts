import { createController } from '../signal.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Clock } from '../upstream/transport/send.ts'
import { type Asker, RANK, type Rank, rankOf } from '../upstream/turn.ts'

/** Waits for what was asked for by now, and yields no sooner than a rank. */
export type Arrived = (rank: Rank) => Promise<unknown>

/** Nobody is waited for longer, in milliseconds. */
const LONGEST = 1_000

/**
 * When a DataLoader sends for what it has gathered: once the records are here that were under way when the first of it
 * was asked for, since who waits for those asks for more of the same, and all of it is one request. A record that is long
 * in coming holds up nobody for more than a second, or half of the time that is left.
 */
export const createGather = (clock: Clock, { deadline }: Operation, arrived: Arrived) => {
  let rank: Rank = RANK.NORMAL
  /** Of each that waits, what has it look for whom to wait. */
  const looks = new Set<() => void>()
  return {
    /** Who asks next; where that one yields later than those before, all of them wait for less. */
    from(asker: Asker | undefined): void {
      const own = rankOf(asker)
      if (looks.size > 0 && own >= rank) return
      rank = own
      for (const look of looks) look()
    },
    batchScheduleFn(send: () => void): void {
      const over = createController()
      const most = Math.max(0, Math.min(LONGEST, (deadline - clock.now()) / 2))
      const go = () => {
        if (!looks.delete(look)) return
        over.abort()
        // Who waited for the last of them has asked by the next turn.
        setImmediate(send)
      }
      const look = () => void arrived(rank).then(go)
      looks.add(look)
      look()
      void clock.sleep(most, over.signal).then(go)
    },
  }
}
