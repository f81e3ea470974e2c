import { systemClock } from '../../src/clock.ts'
import type { Clock } from '../../src/upstream/transport/send.ts'

/** A clock that runs, as fast as it is told to, and jumps: for waits that end at a socket's other side. */
export const hurriedClock = (start: string) => {
  let [base, since, speed] = [Date.parse(start), performance.now(), 1]
  const now = () => Math.floor(base + (performance.now() - since) * speed)
  const clock: Clock = { now, sleep: (ms, signal) => systemClock.sleep(ms / speed, signal) }
  return {
    clock,
    advance(ms: number) {
      base += ms
    },
    run(times: number) {
      ;[base, since, speed] = [now(), performance.now(), times]
    },
  }
}
