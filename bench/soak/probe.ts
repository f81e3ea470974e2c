// Loaded into the gateway's process before it: tells what no port of it tells, and moves its clock.
import { answerTo } from './line.ts'

const real = Date.now
let ahead = 0
Date.now = () => real() + ahead

// What kills the process is told by its own log; what only might have is told here.
let warnings = 0
process.on('warning', () => {
  warnings += 1
})

const words = {
  /** What is used once all garbage is gone. */
  state() {
    for (let round = 0; round < 3; round += 1) globalThis.gc?.()
    const { heapUsed, rss, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return {
      heapUsed,
      rss,
      external,
      cpuMs: (user + system) / 1_000,
      handles: process.getActiveResourcesInfo().length,
      warnings,
    }
  },
  /** Its clock jumps, in milliseconds. */
  advance(ms: number) {
    ahead += ms
  },
}

export type ProbeWords = typeof words

answerTo(words)
process.channel?.unref()
process.on('disconnect', () => process.exit(1))
