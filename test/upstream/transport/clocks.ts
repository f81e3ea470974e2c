import type { Clock } from '../../../src/upstream/transport/send.ts'

interface Sleeper {
  at: number
  readonly wake: () => void
}

/** Lets whatever is ready run, file writes and the like included. */
export const settle = async (turns = 20) => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** T0 of the fixtures: Thu, 01 Jan 2026 00:00:00 GMT. */
export const T0 = 1_767_225_600_000

/** A clock that moves when told. */
export const createFakeClock = (start = T0) => {
  let now = start
  let sleepers: Sleeper[] = []
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const wake = () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        }
        const sleeper = { at: now + ms, wake }
        const leave = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          wake()
        }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', leave)
      }),
  }
  return {
    ...clock,
    get sleeping() {
      return sleepers.length
    },
    /** Moves on by `ms`, waking whoever is due, in order. */
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        await settle(3)
        const [next] = sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        sleepers = sleepers.filter((other) => other !== next)
        now = Math.max(now, next.at)
        next.wake()
      }
      now = end
      await settle()
    },
    /** Sets the clock as a person would: nobody is woken sooner or later for it. */
    jump(ms: number) {
      now += ms
      sleepers = sleepers.map((sleeper) => Object.assign(sleeper, { at: sleeper.at + ms }))
    },
  }
}

export type FakeClock = ReturnType<typeof createFakeClock>
