import type { GatewayError } from '../../errors.ts'
import { createAlarm } from './alarm.ts'
import type { Breaker } from './breaker.ts'
import { createOrder, holdsUpAll, isBehind, type Waits } from './order.ts'
import { createPassage, type Pass, type PassageSettings } from './passage.ts'
import { createPause } from './pause.ts'
import { busy, closing, crowdedOut, full, late, limited } from './refusal.ts'
import { bounded } from './reset.ts'
import type { Caller, Clock, Outcome, WireAnswer, WireRequest } from './send.ts'
import { type Step, when } from './step.ts'

/** One who waits for a slot. */
interface Waiter extends Waits {
  admit(pass: Pass): void
  refuse(error: GatewayError): void
}

/** Operations that may wait before another is refused; of what nobody waits for, so many requests. */
const LONGEST_QUEUE = 256

const isRead = (answer: WireAnswer, caller: Caller) =>
  answer.status < 200 || answer.status > 299 || caller.reads?.(answer) !== false

/**
 * The one door to the upstream: slots, spacing, pauses of all endpoints and of one, and a queue in front of them that
 * is bounded for newcomers and whose order is the fairness.
 */
export const createGate = (
  settings: PassageSettings,
  clock: Clock,
  random: () => number,
  breaker: Breaker,
  tell?: (until: number) => void,
) => {
  const order = createOrder<Waiter>()
  const pause = createPause(settings.concurrency, clock, random, tell)
  const passage = createPassage(settings, clock, pause, breaker)
  let closed = false
  /** No one who waits has an earlier deadline. */
  let soonest = Number.POSITIVE_INFINITY

  const canStart = () => order.waiting > 0 || (order.size > 0 && passage.allowsBehind)

  const turnAway = (waiter: Waiter, error: GatewayError) => {
    order.withdraw(waiter)
    waiter.refuse(error)
  }

  /** Evenly spaced turns come later for those behind; without spacing, only a deadline tells who waits in vain. */
  const hasHopeless = () =>
    passage.gap > 0 || clock.now() >= soonest || passage.earliest(0, clock.now()) > soonest

  const refuseHopeless = () => {
    const now = clock.now()
    let position = 0
    soonest = Number.POSITIVE_INFINITY
    for (const waiter of order.inOrder()) {
      const { deadline } = waiter.caller
      const begin = passage.earliest(position, now)
      if (begin <= deadline && now < deadline) {
        position += 1
        soonest = Math.min(soonest, deadline)
        continue
      }
      const opens = Math.max(now, passage.opensAt()) + position * passage.gap
      turnAway(waiter, opens > now ? limited(opens, now) : late())
    }
  }

  const refuseBroken = () => {
    for (const waiter of order.inOrder()) {
      const refusal = breaker.refusal(waiter.request)
      if (refusal !== undefined) turnAway(waiter, refusal)
    }
  }

  const setAlarm = createAlarm(clock, () => advance())

  const start = (waits: Waits): Pass =>
    passage.start(waits, (isBroken) => {
      if (isBroken) refuseBroken()
      advance()
    })

  const advance = () => {
    while (order.size > 0 && passage.isFree) {
      const waiter = order.take(passage.allowsBehind)
      if (waiter === undefined) break
      const refusal = breaker.refusal(waiter.request)
      if (refusal === undefined) waiter.admit(start(waiter))
      else waiter.refuse(refusal)
    }
    if (order.size === 0) soonest = Number.POSITIVE_INFINITY
    else if (hasHopeless()) refuseHopeless()
    const opens = canStart() ? passage.nextAt : Number.POSITIVE_INFINITY
    setAlarm(Math.min(soonest, opens))
  }

  /** Makes room for one more, or tells why there is none. */
  const crowded = (request: WireRequest, caller: Caller): GatewayError | undefined => {
    if (holdsUpAll(request)) return undefined
    const isBackground = isBehind({ request, caller })
    if (!isBackground && caller.ledger.isLetIn) return undefined
    if ((isBackground ? order.size : order.operations) < LONGEST_QUEUE) return undefined
    const other = isBackground ? undefined : order.crowding({ request, caller })
    if (other === undefined) return full(LONGEST_QUEUE)
    turnAway(other, crowdedOut())
    return undefined
  }

  const refusalOf = (request: WireRequest, caller: Caller): GatewayError | undefined => {
    if (closed) return closing()
    const now = clock.now()
    if (caller.signal?.aborted || now >= caller.deadline) return late()
    const begin = now + passage.timeFor(order.before({ request, caller }))
    if (begin > caller.deadline && !holdsUpAll(request)) return busy(begin, now)
    return breaker.refusal(request) ?? crowded(request, caller)
  }

  /** A promise where others go first. */
  const enter = (request: WireRequest, caller: Caller): Pass | Promise<Pass> => {
    const refusal = refusalOf(request, caller)
    if (refusal !== undefined) throw refusal
    const isBackground = isBehind({ request, caller })
    if (!isBackground) caller.ledger.isLetIn = true
    if (order.size === 0 && passage.isFree && (!isBackground || passage.allowsBehind))
      return start({ request, caller })
    return new Promise((admit, refuse) => {
      const waiter = { request, caller, admit, refuse }
      order.add(waiter)
      soonest = Math.min(soonest, caller.deadline)
      caller.signal?.addEventListener('abort', () => turnAway(waiter, late()))
      advance()
    })
  }

  const learnt = (pass: Pass, outcome: Outcome): Outcome => {
    if ('error' in outcome) return outcome
    try {
      const answer = pass.learn(outcome.answer)
      return answer === outcome.answer ? outcome : { answer }
    } catch (error) {
      return { error }
    }
  }

  const ended = (pass: Pass, came: Outcome, caller: Caller): Outcome => {
    const outcome = learnt(pass, came)
    try {
      if ('error' in outcome) pass.end(outcome)
      else pass.end({ answer: outcome.answer, isRead: isRead(outcome.answer, caller) })
      return outcome
    } catch (error) {
      return { error }
    }
  }

  return {
    through:
      (next: Step): Step =>
      (request, caller, end) =>
        when(
          () => enter(request, caller),
          (pass) => next(request, caller, (outcome) => end(ended(pass, outcome, caller))),
          end,
        ),
    get running() {
      return passage.running
    },
    get waiting() {
      return order.size
    },
    /** Moment before which nothing is sent; in the past when there is no pause. */
    get pausedUntil() {
      return pause.until
    },
    /** Keeps a pause that another replica was told of. */
    pauseUntil(moment: number) {
      const now = clock.now()
      if (moment > now) pause.hear(bounded(moment, now))
      advance()
    },
    close() {
      closed = true
      for (const waiter of order.inOrder()) turnAway(waiter, closing())
      setAlarm(Number.POSITIVE_INFINITY)
    },
  }
}
