import { createLedger } from './credits/ledger.ts'
import { createLoaders } from './loaders/index.ts'
import type { Given, Upstream } from './upstream/client.ts'
import type { Directives } from './upstream/freshness.ts'
import { createServed } from './upstream/served.ts'

export interface OperationSettings {
  readonly operationTimeoutMs: number
  readonly directives: Directives
  /** Whether the answer tells what the operation cost. */
  readonly reportsCredits: boolean
}

/** A part of an answer that is past its freshness. */
export interface StalePart extends NonNullable<Given['stale']> {
  readonly path: readonly (string | number)[]
}

/** What one operation has at hand: who pays, until when, what was served, and its loaders. */
export const createContext = (
  upstream: Upstream,
  { operationTimeoutMs, directives, reportsCredits }: OperationSettings,
) => {
  const since = upstream.clock.now()
  const operation = {
    ledger: createLedger(upstream.ledger),
    deadline: since + operationTimeoutMs,
    directives,
    since,
    served: createServed(),
  }
  const staleParts: StalePart[] = []
  const toldStale = new WeakSet<object>()
  return {
    upstream,
    operation,
    reportsCredits,
    staleParts,
    toldStale,
    loaders: createLoaders(upstream, operation),
  }
}

export type Context = ReturnType<typeof createContext>
