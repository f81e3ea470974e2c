import { Counter, Histogram, Registry } from 'prom-client'
import type { Strain } from '../load.ts'
import { WireFault } from '../upstream/transport/fault.ts'
import type { Clock, Outcome, Watch } from '../upstream/transport/send.ts'

/** Statuses that mean something of their own; of the others the first digit counts. */
const TELLING = new Set([401, 403, 404, 429])

const wordFor = (outcome: Outcome): string => {
  if ('answer' in outcome) {
    const { status } = outcome.answer
    return TELLING.has(status) ? String(status) : `${Math.floor(status / 100)}xx`
  }
  if (!(outcome.error instanceof WireFault)) return 'broken'
  if (!outcome.error.sent) return 'unsent'
  return outcome.error.code === 'TIMEOUT' ? 'timeout' : 'broken'
}

/** An attempt that is not counted yet. */
interface Ended {
  readonly endpoint: string
  readonly status: string
  readonly seconds: number
}

/** Attempts that are counted together: one by one each would find the counters' code gone from the processor's caches. */
const MOST_UNCOUNTED = 256

/** What has to be measured while it happens; everything else is read where it is known. */
export const createMeters = (clock: Clock) => {
  const registry = new Registry()
  const registers = [registry]
  const ended: Ended[] = []
  const count = () => {
    for (const { endpoint, status, seconds } of ended.splice(0)) {
      attempts.inc({ endpoint, status })
      latency.observe({ endpoint }, seconds)
    }
  }
  const attempts = new Counter({
    name: 'refrain_upstream_requests_total',
    help: 'Attempts on the wire, calls for a token among them, by how they ended: a status (2xx, 404, …), unsent, timeout or broken',
    labelNames: ['endpoint', 'status'],
    registers,
    collect: count,
  })
  const latency = new Histogram({
    name: 'refrain_upstream_request_duration_seconds',
    help: 'Time from the start of an attempt to the end of its answer, without the wait for its turn',
    labelNames: ['endpoint'],
    buckets: [0.1, 0.25, 0.5, 1, 4],
    registers,
    collect: count,
  })
  const delay = new Histogram({
    name: 'refrain_event_loop_delay_seconds',
    help: 'The longest that the event loop kept work waiting, once for each second',
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })

  const commands = new Counter({
    name: 'refrain_redis_commands_total',
    help: 'What Redis was told or asked, by whether it answered in time; nothing is sent while it is known to be away',
    labelNames: ['outcome'],
    registers,
  })
  const commandTime = new Histogram({
    name: 'refrain_redis_command_duration_seconds',
    help: 'Time until Redis answered, or was given up',
    buckets: [0.001, 0.005, 0.025, 0.1],
    registers,
  })

  const watch: Watch = ({ endpoint }) => {
    const since = clock.now()
    return {
      end(outcome) {
        const seconds = Math.max(0, clock.now() - since) / 1000
        ended.push({ endpoint, status: wordFor(outcome), seconds })
        if (ended.length >= MOST_UNCOUNTED) count()
      },
    }
  }

  return {
    registry,
    watch,
    watchRedis: () => {
      const since = clock.now()
      return (isAnswered: boolean) => {
        commands.inc({ outcome: isAnswered ? 'answered' : 'failed' })
        commandTime.observe(Math.max(0, clock.now() - since) / 1000)
      }
    },
    /** A measure of strain whose every reading is kept. */
    noting: (measure: () => Strain) => (): Strain => {
      const strain = measure()
      delay.observe(strain.delayMs / 1000)
      return strain
    },
  }
}

export type Meters = ReturnType<typeof createMeters>
