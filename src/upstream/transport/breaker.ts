import { GatewayError } from '../../errors.ts'
import { type Circuit, createCircuit, fiveInARow, halfOfTwenty, type Verdict } from './circuit.ts'
import { WireFault } from './fault.ts'
import { holdsUpAll } from './order.ts'
import type { Clock, WireAnswer, WireRequest } from './send.ts'

/** `isRead`: whether an answer of success could be read. */
export type Ending =
  | { readonly answer: WireAnswer; readonly isRead: boolean }
  | { readonly error: unknown }

/** What a request is to the circuits that it passed. */
interface Entered {
  readonly isProbe: boolean
  readonly family: Circuit | undefined
  readonly isProbeOfFamily: boolean
}

const onFamily = (ending: Ending): Verdict => {
  if ('error' in ending)
    return ending.error instanceof WireFault && ending.error.sent ? 'failed' : undefined
  if (ending.answer.status === 429) return undefined
  return ending.answer.status >= 500 || !ending.isRead ? 'failed' : 'ok'
}

const onConnections = (ending: Ending): Verdict => {
  if ('answer' in ending) return 'ok'
  if (!(ending.error instanceof WireFault)) return undefined
  if (ending.error.sent) return 'ok'
  return ending.error.code === 'UPSTREAM_UNAVAILABLE' ? 'failed' : undefined
}

const unavailable = (endpoint: string, wait: number) =>
  new GatewayError(
    'UPSTREAM_UNAVAILABLE',
    `${endpoint}: the upstream keeps failing and is left alone for a while`,
    { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) },
  )

/**
 * Stops asking what keeps failing, since each attempt costs a credit: one circuit for an endpoint, one
 * for the connections of all. After a while a single request finds out whether it works again. An
 * exchange of tokens is never held back: it has its own way of waiting.
 */
export const createBreaker = (clock: Clock) => {
  const connections = createCircuit(clock, fiveInARow())
  const families = new Map<string, Circuit>()
  const familyOf = (endpoint: string) => {
    const circuit = families.get(endpoint) ?? createCircuit(clock, halfOfTwenty(clock))
    families.set(endpoint, circuit)
    return circuit
  }
  return {
    /** Endpoints that are not asked at present. */
    get open(): readonly string[] {
      return [...families].filter(([, { wait }]) => wait !== undefined).map(([name]) => name)
    },
    get connectionsOpen(): boolean {
      return connections.wait !== undefined
    },
    /** Why a request may not go out at present; undefined where it may. */
    refusal(request: WireRequest): GatewayError | undefined {
      if (holdsUpAll(request)) return undefined
      const wait = connections.wait ?? familyOf(request.endpoint).wait
      return wait === undefined ? undefined : unavailable(request.endpoint, wait)
    },
    /** A request goes out. */
    enter(request: WireRequest): Entered {
      const family = holdsUpAll(request) ? undefined : familyOf(request.endpoint)
      const isProbe = connections.enter()
      return { isProbe, family, isProbeOfFamily: family?.enter() ?? false }
    },
    /** It ended: whether that is one failure too many. */
    leave({ isProbe, family, isProbeOfFamily }: Entered, ending: Ending): boolean {
      const isFamily = family?.leave(isProbeOfFamily, onFamily(ending)) ?? false
      return connections.leave(isProbe, onConnections(ending)) || isFamily
    },
  }
}

export type Breaker = ReturnType<typeof createBreaker>
