import type { Clock } from '../transport/send.ts'
import type { Line } from './line.ts'

const SAVE_AGAIN = 1_000
/** Tries to save what only this process knows before it ends. */
const LAST_SAVES = 10

/** Saves again and again what only this process knows; once it is saved, others may have their turn. */
export const createSaving = (line: Line, clock: Clock, yieldTurn: () => Promise<void>) => {
  let isUnderWay = false
  let isClosed = false

  return {
    async untilKept() {
      if (isUnderWay || !line.unsaved) return
      isUnderWay = true
      while (line.unsaved && !isClosed) {
        await clock.sleep(SAVE_AGAIN)
        await line.save()
      }
      isUnderWay = false
      await yieldTurn()
    },
    /** From now on nobody tries behind this one's back. */
    close() {
      isClosed = true
    },
    /** A process that ends has these tries, and no more. */
    async last() {
      for (let tries = 0; line.unsaved && tries < LAST_SAVES; tries += 1) {
        if (tries > 0) await clock.sleep(SAVE_AGAIN)
        await line.save()
      }
      await yieldTurn()
    },
  }
}
