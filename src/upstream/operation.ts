import type { InLine } from '../clients/line.ts'
import type { Directives } from './freshness.ts'
import type { Waiting } from './patience.ts'
import type { Served } from './served.ts'
import type { Caller } from './transport/send.ts'
import type { InTurn } from './turn.ts'

/** On whose behalf answers are asked for: who pays, until when, how fresh they must be, and what was served. */
export interface Operation extends Caller, InLine {
  readonly directives: Directives
  /** Moment at which it began. */
  readonly since: number
  readonly served: Served
  /** How many times as long as their endpoints say answers are taken for fresh: 1 while credits last. */
  readonly stretch?: number | undefined
  /** Whether who asks is given nothing that costs two credits, held or not. */
  readonly isBarred?: boolean
  /** Set where the operation's limit may bite. */
  readonly inTurn?: InTurn | undefined
  /** Kept by its patience, while it waits for something: in a table of all it would grow old with that. */
  waiting?: Waiting | undefined
}
