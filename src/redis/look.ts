/** Times at which one that waits looks whether what it waits for has come. */
const LOOKS = 10
/** A timer comes so much later than it was told to. */
const LATE_MS = 1

/**
 * Calls once so much time is over; what is given back ends the waiting. The time is counted in looks, so that a machine
 * too busy to let this process look is not taken for somebody who hangs; what has arrived meanwhile is read before a
 * look counts, and where that is some of a long answer the time begins anew.
 */
export const afterLooks = (
  ms: number,
  call: () => void,
  comes: () => boolean = () => false,
): (() => void) => {
  let looks = 0
  let hasEnded = false
  let timer: NodeJS.Timeout
  const look = (): void => {
    if (hasEnded) return
    looks = comes() ? 0 : looks + 1
    if (looks < LOOKS) wait()
    else call()
  }
  const wait = (): void => {
    timer = setTimeout(() => setImmediate(look), ms / LOOKS - LATE_MS)
  }
  wait()
  return () => {
    hasEnded = true
    clearTimeout(timer)
  }
}
