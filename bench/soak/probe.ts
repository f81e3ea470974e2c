// Loaded into the gateway's process before it: tells what no port of it tells, and moves its clock.
import { subscribe } from 'node:diagnostics_channel'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { answerTo } from './line.ts'

const real = Date.now
let ahead = 0
Date.now = () => real() + ahead

// What kills the process is told by its own log; what only might have is told here.
let warnings = 0
process.on('warning', () => {
  warnings += 1
})

interface Request {
  readonly method: string
  readonly path: string
}

/** What undici wrote since it was last asked, by first line: how often, and how often nothing came back. */
let written = new Map<string, { sent: number; unanswered: number }>()
const isRequest = (message: unknown): message is { readonly request: Request } =>
  typeof message === 'object' && message !== null && 'request' in message
const on = (event: string, note: (entry: { sent: number; unanswered: number }) => void) =>
  subscribe(`undici:${event}`, (message) => {
    if (!isRequest(message)) return
    const line = `${message.request.method} ${message.request.path}`
    const entry = written.get(line) ?? { sent: 0, unanswered: 0 }
    written.set(line, entry)
    note(entry)
  })
on('client:sendHeaders', (entry) => {
  entry.sent += 1
  entry.unanswered += 1
})
on('request:headers', (entry) => {
  entry.unanswered -= 1
})

const ROUNDS = 6

const words = {
  /** What went on the wire since this was last asked; asked while nothing is under way. */
  written() {
    const all = [...written].map(([line, entry]) => ({ line, ...entry }))
    written = new Map()
    return all
  },
  /** What is used once all garbage is gone, the least of several looks: what ended may end in a later turn. */
  async state() {
    let heapUsed = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round += 1) {
      globalThis.gc?.()
      heapUsed = Math.min(heapUsed, process.memoryUsage().heapUsed)
      await turnOfTheLoop()
    }
    const { rss, external } = process.memoryUsage()
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
