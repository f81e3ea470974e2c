import { setTimeout as wait } from 'node:timers/promises'
import { BOUNDS, type RunningGateway } from './gateway.ts'
import type { startLine } from './line.ts'
import type { Trouble } from './trouble.ts'
import type { UpstreamWords } from './upstream.ts'
import type { Watch } from './watch.ts'

export type Service = ReturnType<typeof startLine<UpstreamWords>>

/** The heap of the gateway, so many minutes after the beginning and so many operations. */
interface Look {
  readonly minute: number
  readonly operations: number
  readonly heap: number
}

const MEGABYTE = 1024 * 1024
const MINUTE = 60_000
/** Operations by which all that is bounded is full, plans of small operations last: what grows from then on, leaks. */
const FULL_AFTER = 45_000
const FEWEST = 8
/** Share by which the line through all looks at the heap may rise from the first to the last. */
const GROWTH = 0.03
const MOST_HANDLES = 64
const GLANCE_MS = 500
/** What is looked at in passing takes some milliseconds where the machine has time. */
const LATE_MS = 100

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Bytes in a minute, by the median of all pairs: no single look bends it. */
const slopeOf = (looks: readonly Look[]) =>
  median(
    looks.flatMap((one, at) =>
      looks.slice(at + 1).map((other) => (other.heap - one.heap) / (other.minute - one.minute)),
    ),
  )

/** Looks at the gateway while nobody asks it anything. */
export const createCalm = (gateway: RunningGateway, service: Service, watch: Watch) => {
  const began = Date.now()
  const heaps: Look[] = []
  let lost = 0
  const handles: number[] = []
  let refused = 0
  let most = { cacheBytes: 0, rss: 0 }

  /** Nothing is under way any more. */
  const settle = async (): Promise<boolean> => {
    for (let tries = 0; tries < 100; tries += 1) {
      const { load, requests } = await gateway.health()
      if (requests.running === 0 && requests.waiting === 0 && load === 'calm') return true
      await wait(100)
    }
    return false
  }

  return {
    settle,
    /** Notes strain as long as the gateway runs: what it says itself, and that others are kept waiting. */
    async attend() {
      while (gateway.line.ended === undefined) {
        const began = Date.now()
        const [load] = await Promise.all([
          gateway.health().then((health) => health.load, String),
          service.ask('address').catch(() => undefined),
          wait(GLANCE_MS),
        ])
        if (load !== 'calm' || Date.now() - began > GLANCE_MS + LATE_MS) watch.strained()
      }
    },
    async look({ disowns = false }: Trouble) {
      if (!(await settle()))
        return watch.breach('requests are under way, and nobody waits for them')
      const missing = await service.ask('compare', await gateway.line.ask('written'))
      const [meter, ledger, health] = await Promise.all([
        service.ask('meter'),
        gateway.ledger(),
        gateway.health(),
      ])
      const state = await gateway.line.ask('state')
      const { credits } = meter
      lost += missing.credits
      for (const { line, lost, unanswered } of missing.wrong)
        watch.breach(`${lost} lost, ${unanswered} unanswered: ${line}`)
      if (ledger.spent !== credits + lost)
        watch.breach(
          `the ledger says ${ledger.spent}, the meter ${credits} and ${lost} never arrived`,
        )
      if (watch.toldSpent > ledger.spent - ledger.backgroundSpent)
        watch.breach(`clients were told of ${watch.toldSpent} credits, more than operations spent`)
      if (meter.refused > refused && !disowns)
        watch.breach(`${meter.refused - refused} requests with a token that was no longer good`)
      refused = meter.refused
      if (meter.tokenRefusals > 0)
        watch.breach('a refresh token was presented that was not the newest')
      if (meter.mostAtOnce > BOUNDS.concurrency)
        watch.breach(`${meter.mostAtOnce} requests at once, ${BOUNDS.concurrency} are allowed`)
      if (health.cacheBytes > BOUNDS.cacheBytes) watch.breach(`${health.cacheBytes} bytes are held`)
      if (state.handles > MOST_HANDLES) watch.breach(`${state.handles} handles are open`)
      watch.settle()
      heaps.push({
        minute: (Date.now() - began) / MINUTE,
        operations: watch.operations,
        heap: state.heapUsed,
      })
      handles.push(state.handles)
      most = {
        cacheBytes: Math.max(most.cacheBytes, health.cacheBytes),
        rss: Math.max(most.rss, state.rss),
      }
    },
    /** Credits of requests that the gateway wrote and the service never had. */
    get lost() {
      return lost
    },
    /** What only the whole shows. */
    end() {
      const full = heaps.filter(({ operations }) => operations > FULL_AFTER)
      const isJudged = full.length >= FEWEST
      const level = median(full.map(({ heap }) => heap))
      const rise = slopeOf(full) * ((full.at(-1)?.minute ?? 0) - (full[0]?.minute ?? 0))
      const mb = (bytes: number) => (bytes / MEGABYTE).toFixed(1)
      const judged = `${full.length} looks, median ${mb(level)} MB, the line through them rises by ${mb(rise)} MB`
      if (isJudged && rise > level * GROWTH) watch.breach(`the heap grew: ${judged}`)
      return [
        `heap after garbage collection, by round: ${heaps.map(({ heap }) => mb(heap)).join(' ')} MB`,
        isJudged
          ? `  from ${FULL_AFTER} operations on, once all is full: ${judged}`
          : `  judged after ${FULL_AFTER} operations and ${FEWEST} rounds more, which this run has not`,
        `open handles, by round: ${handles.join(' ')}`,
        `most: ${mb(most.cacheBytes)} MB of answers in memory, ${mb(most.rss)} MB resident`,
      ]
    },
  }
}
