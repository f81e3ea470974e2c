import { setTimeout as wait } from 'node:timers/promises'
import { BOUNDS, type RunningGateway } from './gateway.ts'
import type { startLine } from './line.ts'
import type { Trouble } from './trouble.ts'
import type { UpstreamWords } from './upstream.ts'
import type { Watch } from './watch.ts'

export type Service = ReturnType<typeof startLine<UpstreamWords>>

const MEGABYTE = 1024 * 1024
/** By then all that is bounded is full: what grows from then on, leaks. */
const FULL_AFTER_MS = 10 * 60_000
const FEWEST = 8
const GROWTH = 1.05
const MOST_HANDLES = 64

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Looks at the gateway while nobody asks it anything. */
export const createCalm = (gateway: RunningGateway, service: Service, watch: Watch) => {
  const began = Date.now()
  const heaps: number[] = []
  let whenFull: number | undefined
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
    /** Notes strain as long as the gateway runs. */
    async attend() {
      while (gateway.line.ended === undefined) {
        const load = await gateway.health().then((health) => health.load, String)
        if (load !== 'calm') watch.strained()
        await wait(500)
      }
    },
    async look({ disowns = false }: Trouble) {
      if (!(await settle()))
        return watch.breach('requests are under way, and nobody waits for them')
      const [meter, ledger, health] = await Promise.all([
        service.ask('meter'),
        gateway.ledger(),
        gateway.health(),
      ])
      const state = await gateway.line.ask('state')
      const { credits, swallowed } = meter
      if (ledger.spent !== credits + swallowed)
        watch.breach(
          `the ledger says ${ledger.spent}, the meter ${credits} and ${swallowed} never arrived`,
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
      if (Date.now() - began > FULL_AFTER_MS) whenFull ??= heaps.length
      watch.settle()
      heaps.push(state.heapUsed)
      handles.push(state.handles)
      most = {
        cacheBytes: Math.max(most.cacheBytes, health.cacheBytes),
        rss: Math.max(most.rss, state.rss),
      }
    },
    /** What only the whole shows. */
    end() {
      const full = heaps.slice(whenFull ?? heaps.length)
      const half = full.length >> 1
      const [before, after] = [median(full.slice(0, half)), median(full.slice(half))]
      if (full.length >= FEWEST && after > before * GROWTH)
        watch.breach(`the heap grew from ${before} to ${after} bytes`)
      const mb = (bytes: number) => (bytes / MEGABYTE).toFixed(1)
      return [
        `heap after garbage collection, by round: ${heaps.map(mb).join(' ')} MB`,
        full.length >= FEWEST
          ? `  once all is full: median of the first half ${mb(before)} MB, of the second ${mb(after)} MB`
          : `  judged after ${FULL_AFTER_MS / 60_000} minutes and ${FEWEST} rounds more, which this run has not`,
        `open handles, by round: ${handles.join(' ')}`,
        `most: ${mb(most.cacheBytes)} MB of answers in memory, ${mb(most.rss)} MB resident`,
      ]
    },
  }
}
