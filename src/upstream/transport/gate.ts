import { GatewayError } from '../../errors.ts'
import { createFifo, type Order } from './order.ts'
import { createPause } from './pause.ts'
import type { Caller, Clock, Send, WireRequest } from './send.ts'

export interface GateSettings {
  /** Requests on the wire at once. */
  readonly concurrency: number
  /** Starts in a second, evenly spaced, if the plan has a limit. */
  readonly rps?: number | undefined
}

/** One who waits for a slot. */
export interface Waiter {
  readonly request: WireRequest
  readonly caller: Caller
  admit(round: number): void
  refuse(error: GatewayError): void
}

/** Requests that may wait before one who has asked for nothing yet is refused. */
const LONGEST_QUEUE = 256
/** A timer takes more than 24 days for no time at all. */
const LONGEST_SLEEP = 3_600_000

/** An exchange of tokens: everything behind it waits for what it brings. */
const holdsUpAll = ({ endpoint }: WireRequest) => endpoint === 'token'

const limited = (start: number, now: number) => {
  const retryAfter = Math.ceil((start - now) / 1_000)
  return new GatewayError(
    'RATE_LIMITED',
    `The upstream's rate limit allows this request in ${retryAfter} s, past its deadline`,
    { retryAfter },
  )
}
const late = () => new GatewayError('TIMEOUT', 'The request waited for its turn past its deadline')
const full = () =>
  new GatewayError('OVERLOADED', `${LONGEST_QUEUE} requests to the upstream are waiting`)
const closing = () => new GatewayError('UPSTREAM_UNAVAILABLE', 'The gateway is shutting down')

/** The one door to the upstream: slots, spacing, pauses, and a queue in front of them that is bounded for newcomers. */
export const createGate = (
  { concurrency, rps }: GateSettings,
  clock: Clock,
  random: () => number,
  order: Order<Waiter> = createFifo(({ request }) => holdsUpAll(request)),
) => {
  const pause = createPause(concurrency, clock, random)
  const gap = rps === undefined ? 0 : 1_000 / rps
  let running = 0
  let spaced = 0
  let closed = false
  /** No one who waits has an earlier deadline. */
  let soonest = Number.POSITIVE_INFINITY
  /** Who had a request taken in: it may ask for all that follows from it, however long the queue is by then. */
  const letIn = new WeakSet<Caller>()
  let alarm: { readonly at: number; readonly off: AbortController } | undefined

  const opensAt = () => Math.max(pause.opensAt, spaced)

  /** What is certain: answers on their way may lift a used-up window, but never a pause. */
  const earliest = (position: number) => Math.max(clock.now(), pause.until, spaced) + position * gap

  const start = () => {
    running += 1
    spaced = clock.now() + gap
    pause.spend()
    return pause.round
  }

  const free = () => running < pause.width && opensAt() <= clock.now()

  const setAlarm = (at: number) => {
    if (alarm?.at === at) return
    alarm?.off.abort()
    alarm = undefined
    if (at === Number.POSITIVE_INFINITY) return
    const off = new AbortController()
    alarm = { at, off }
    void clock
      .sleep(Math.min(Math.max(0, at - clock.now()), LONGEST_SLEEP), off.signal)
      .then(() => {
        if (off.signal.aborted) return
        alarm = undefined
        advance()
      })
  }

  /** Evenly spaced turns come later for those behind; without spacing, only a deadline tells who waits in vain. */
  const hasHopeless = () => gap > 0 || clock.now() >= soonest || earliest(0) > soonest

  const refuseHopeless = () => {
    const now = clock.now()
    let position = 0
    soonest = Number.POSITIVE_INFINITY
    for (const waiter of [...order]) {
      const { deadline } = waiter.caller
      const begin = earliest(position)
      if (begin <= deadline && now < deadline) {
        position += 1
        soonest = Math.min(soonest, deadline)
        continue
      }
      order.withdraw(waiter)
      const opens = Math.max(begin, opensAt())
      waiter.refuse(opens > now ? limited(opens, now) : late())
    }
  }

  const advance = () => {
    while (order.size > 0 && free()) order.take()?.admit(start())
    if (order.size === 0 || hasHopeless()) refuseHopeless()
    const opens = order.size > 0 && running < pause.width ? opensAt() : Number.POSITIVE_INFINITY
    setAlarm(Math.min(soonest, opens))
  }

  const enter = (request: WireRequest, caller: Caller): number | Promise<number> => {
    if (closed) throw closing()
    const mayLineUp = order.size < LONGEST_QUEUE || letIn.has(caller) || holdsUpAll(request)
    if (!mayLineUp) throw full()
    letIn.add(caller)
    if (order.size === 0 && free()) return start()
    return new Promise((admit, refuse) => {
      order.add({ request, caller, admit, refuse })
      soonest = Math.min(soonest, caller.deadline)
      advance()
    })
  }

  return {
    through:
      (next: Send): Send =>
      async (request, caller) => {
        const round = await enter(request, caller)
        try {
          const answer = await next(request, caller)
          pause.learn(answer, round, running - 1)
          return answer
        } finally {
          running -= 1
          advance()
        }
      },
    get running() {
      return running
    },
    get waiting() {
      return order.size
    },
    /** Moment before which nothing is sent; in the past when there is no pause. */
    get pausedUntil() {
      return pause.until
    },
    close() {
      closed = true
      for (const waiter of [...order]) {
        order.withdraw(waiter)
        waiter.refuse(closing())
      }
      setAlarm(Number.POSITIVE_INFINITY)
    },
  }
}
