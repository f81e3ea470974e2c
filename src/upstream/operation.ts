import type { Directives } from './freshness.ts'
import type { Served } from './served.ts'
import type { Caller } from './transport/send.ts'
import type { InTurn } from './turn.ts'

/** On whose behalf answers are asked for: who pays, until when, how fresh they must be, and what was served. */
export interface Operation extends Caller {
  readonly directives: Directives
  /** Moment at which it began. */
  readonly since: number
  readonly served: Served
  /** Set where the operation's limit may bite. */
  readonly inTurn?: InTurn | undefined
}
