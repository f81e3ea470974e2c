import type { Gateway } from '../../gateway.ts'
import { LEVELS } from '../../load.ts'
import { among, type Figure, one, type Sample, SECOND } from './figure.ts'

const tiers = (gateway: Gateway, of: 'bytes' | 'size' | 'hits'): readonly Sample[] =>
  Object.entries(gateway.tiers()).map(([tier, figures]) => [figures[of], { tier }])

/** What the process holds, and how hard-pressed it is. */
export const OF_THE_PROCESS: readonly Figure[] = [
  {
    name: 'refrain_ready',
    help: '1 while something can be answered, as /readyz tells',
    kind: 'gauge',
    read: (gateway) => one(gateway.isReady()),
  },
  {
    name: 'refrain_cache_bytes',
    help: 'Bytes of held answers, by where they lie',
    kind: 'gauge',
    labels: ['tier'],
    read: (gateway) => tiers(gateway, 'bytes'),
  },
  {
    name: 'refrain_cache_answers',
    help: 'Held answers, by where they lie',
    kind: 'gauge',
    labels: ['tier'],
    read: (gateway) => tiers(gateway, 'size'),
  },
  {
    name: 'refrain_cache_hits_total',
    help: 'Looks that found an answer, by where it lay',
    kind: 'counter',
    labels: ['tier'],
    read: (gateway) => tiers(gateway, 'hits'),
  },
  {
    name: 'refrain_redis_up',
    help: '1 while Redis answers; absent without REDIS_URL',
    kind: 'gauge',
    read: ({ redis }) => (redis === undefined ? [] : one(redis.isUp)),
  },
  {
    name: 'refrain_redis_answers_total',
    help: 'Answers that were looked for in Redis (found, missed), left there for other replicas (kept), or sent for without its word since it was away, or lost who sends (alone)',
    kind: 'counter',
    labels: ['result'],
    read: ({ commons }) =>
      commons === undefined
        ? []
        : (['found', 'missed', 'kept', 'alone'] as const).map((result) => [
            commons.figures[result],
            { result },
          ]),
  },
  {
    name: 'refrain_redis_answer_bytes_total',
    help: 'Bytes of those answers, read and written',
    kind: 'counter',
    labels: ['direction'],
    read: ({ commons }) =>
      commons === undefined
        ? []
        : [
            [commons.figures.bytesRead, { direction: 'read' }],
            [commons.figures.bytesWritten, { direction: 'written' }],
          ],
  },
  {
    name: 'refrain_operations_total',
    help: 'Requests with an operation that were let in',
    kind: 'counter',
    read: ({ load }) => one(load.entered),
  },
  {
    name: 'refrain_operations_running',
    help: 'Those whose answer is not out yet',
    kind: 'gauge',
    read: ({ load }) => one(load.operations),
  },
  {
    name: 'refrain_load_level',
    help: '1 for how hard-pressed the process is (strained: only what is held is given; critical: all is refused), 0 for the others',
    kind: 'gauge',
    labels: ['level'],
    read: ({ load }) => among('level', LEVELS, load.level),
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process',
    kind: 'counter',
    read: () => {
      const { user, system } = process.cpuUsage()
      return one((user + system) / 1e6)
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process',
    kind: 'gauge',
    read: () => one(process.memoryUsage.rss()),
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process began',
    kind: 'gauge',
    read: ({ upstream: { book } }) => one(book.since / SECOND),
  },
]
