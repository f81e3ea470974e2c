import type { Register } from './clients/register.ts'
import type { Budget } from './credits/budget.ts'
import type { Load } from './load.ts'
import type { Link } from './redis/link.ts'
import type { Shelf } from './upstream/shelf.ts'
import type { Transport } from './upstream/transport/index.ts'

export interface HealthParts {
  readonly transport: Transport
  readonly load: Load
  readonly register: Register
  readonly shelf: Shelf
  /** Whether answers arrive on the disk; undefined where there is none. */
  readonly disk: boolean | undefined
  readonly redis: Link | undefined
  readonly budgets: readonly Budget[]
  now(): number
}

/** What an operator looks at first: no secret, and nothing that asks the service. */
export const healthOf = (parts: HealthParts) => {
  const { transport, load, register, shelf, disk, redis, budgets } = parts
  const { token, gate, breaker } = transport
  return {
    token: token.state,
    problem: token.problem ?? null,
    load: load.level,
    clientsUnderStrain: load.pressed,
    operations: load.operations,
    strangers: register.strangers,
    pausedUntil: gate.pausedUntil > parts.now() ? new Date(gate.pausedUntil).toISOString() : null,
    leftAlone: breaker.connectionsOpen ? ['everything'] : breaker.open,
    requests: { running: gate.running, waiting: gate.waiting },
    cacheBytes: shelf.bytes,
    disk: disk === undefined ? null : disk ? 'up' : 'down',
    redis: redis === undefined ? null : redis.isUp ? 'up' : 'down',
    budgets: budgets.map(({ period, limit, remaining, isWritten }) => ({
      period,
      limit,
      remaining,
      isWritten,
    })),
  }
}
