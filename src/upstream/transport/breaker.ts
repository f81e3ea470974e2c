import { GatewayError } from '../../errors.ts'
import { type Circuit, createCircuit, fiveInARow, halfOfTwenty } from './circuit.ts'
import { WireFault } from './fault.ts'
import type { Clock, Send, WireAnswer } from './send.ts'

type Ending = { readonly answer: WireAnswer } | { readonly error: unknown }
/** Undefined: it says nothing about whether the service works. */
type Verdict = 'ok' | 'failed' | undefined

const onFamily = (ending: Ending): Verdict => {
  if ('error' in ending)
    return ending.error instanceof WireFault && ending.error.sent ? 'failed' : undefined
  if (ending.answer.status === 429) return undefined
  return ending.answer.status >= 500 ? 'failed' : 'ok'
}

const onConnections = (ending: Ending): Verdict => {
  if ('answer' in ending) return 'ok'
  if (!(ending.error instanceof WireFault)) return undefined
  if (ending.error.sent) return 'ok'
  return ending.error.code === 'UPSTREAM_UNAVAILABLE' ? 'failed' : undefined
}

const refusal = (endpoint: string, wait: number) =>
  new GatewayError(
    'UPSTREAM_UNAVAILABLE',
    `${endpoint}: the upstream keeps failing and is left alone for a while`,
    { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) },
  )

/**
 * Stops asking what keeps failing, since each attempt costs a credit: one circuit for an endpoint, one
 * for the connections of all. After a while a single request finds out whether it works again.
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
    through:
      (next: Send): Send =>
      async (request, caller) => {
        const family = familyOf(request.endpoint)
        const wait = connections.wait ?? family.wait
        if (wait !== undefined) throw refusal(request.endpoint, wait)
        const report = [
          [connections.enter(), onConnections],
          [family.enter(), onFamily],
        ] as const
        const end = (ending: Ending) => {
          for (const [leave, judge] of report) leave(judge(ending))
        }
        try {
          const answer = await next(request, caller)
          end({ answer })
          return answer
        } catch (error) {
          end({ error })
          throw error
        }
      },
  }
}
