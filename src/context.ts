import { ANONYMOUS, type Client } from './clients/client.ts'
import { type Budget, stretchOf } from './credits/budget.ts'
import type { Ledger } from './credits/ledger.ts'
import { Loaders } from './loaders/index.ts'
import type { Signal } from './signal.ts'
import type { Upstream } from './upstream/client.ts'
import type { Given } from './upstream/desk.ts'
import type { Directives } from './upstream/freshness.ts'
import type { Operation } from './upstream/operation.ts'
import type { Wanted } from './upstream/series.ts'
import { createServed } from './upstream/served.ts'
import type { InTurn } from './upstream/turn.ts'

export interface OperationSettings {
  readonly ledger: Ledger
  readonly timeoutMs: number
  readonly directives: Directives
  /** Budgets that bind the operation. */
  readonly budgets: readonly Budget[]
  /** Set where the operation's limit may bite. */
  readonly inTurn?: InTurn | undefined
  readonly client: Client
  /** Aborted when whoever asked leaves. */
  readonly signal?: Signal | undefined
  /** Pages that were asked for beforehand, by the first node of the field that asks. */
  readonly pages?: ReadonlyMap<object | undefined, Wanted> | undefined
}

const NO_PAGES: NonNullable<OperationSettings['pages']> = new Map()

/** A part of an answer that is past its freshness. */
export interface StalePart extends NonNullable<Given['stale']> {
  readonly path: readonly (string | number)[]
}

/** What one operation has at hand: who pays, until when, what was served, and its loaders. */
export const createContext = (
  upstream: Upstream,
  {
    ledger,
    timeoutMs,
    directives,
    budgets,
    inTurn,
    client,
    signal,
    pages = NO_PAGES,
  }: OperationSettings,
) => {
  const since = upstream.clock.now()
  const operation: Operation = {
    ledger,
    deadline: since + timeoutMs,
    directives,
    since,
    served: createServed(),
    stretch: stretchOf(budgets),
    inTurn,
    client: client.name === ANONYMOUS ? undefined : client.name,
    slots: client.slots,
    operations: client.operations,
    isBarred: !client.premium,
    signal,
    waiting: undefined,
    holders: 0,
    likely: 0,
    line: undefined,
  }
  const staleParts: StalePart[] = []
  const toldStale = new Set<object>()
  const loaders = new Loaders(upstream, operation)
  return { upstream, operation, staleParts, toldStale, loaders, budgets, client, pages }
}

export type Context = ReturnType<typeof createContext>
