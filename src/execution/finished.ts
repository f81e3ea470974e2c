import { LRUCache } from 'lru-cache'
import type { Movement } from '../credits/book.ts'
import type { Figures } from '../credits/ledger.ts'
import { type CreditPlan, unspent } from '../plan/price.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Tier } from '../upstream/shelf.ts'
import { createDoorkeeper } from './doorkeeper.ts'
import type { Execution } from './execution.ts'

/** A body of which only the end changes, and seldom: no answer copies it. */
export class Body {
  /** Bytes of its beginning. */
  readonly length: number
  #end: string
  #whole: Buffer

  constructor(beginning: string, end: string) {
    this.#end = end
    this.#whole = Buffer.from(beginning + end)
    this.length = this.#whole.length - Buffer.byteLength(end)
  }

  get beginning(): Buffer {
    return this.#whole.subarray(0, this.length)
  }

  endingIn(end: string): Buffer {
    if (end !== this.#end) {
      this.#whole = Buffer.concat([this.beginning, Buffer.from(end)])
      this.#end = end
    }
    return this.#whole
  }
}

export interface ToldHeaders {
  readonly headers: Readonly<Record<string, string>>
  /** What they were put together with. */
  readonly dress: object
  /** Seconds. */
  readonly age: number
  readonly life: number
}

/** An answer whose parts were all held: its data as bytes, and what is told anew with every use. */
export interface Finished {
  readonly body: Body
  /** What its body ends in where neither budgets nor prices are told; with each use the same. */
  end?: string
  /** Its headers as they were told last: the same for a second. */
  told?: ToldHeaders
  readonly etag: string
  /** Moments, in milliseconds since the epoch: that of its oldest part, and the end of the life of the first to go. */
  readonly at: number
  readonly freshUntil: number
  /** What each use saves again, in whose name, and how much of it is told. */
  readonly figures: Figures
  /** The same as they are written into the book. */
  readonly movements: readonly Movement[]
  readonly labels: Execution['labels']
  /** What it costs, as long as it is good. */
  readonly plan: CreditPlan
  readonly report: Execution['wish']['report']
}

/** An answer as it was written. */
interface Written extends Pick<Finished, 'etag'> {
  readonly beginning: string
  readonly end: string
}

interface Kept extends Finished {
  /** Its parts, each by its key and the moment at which it was bought. */
  readonly parts: ReadonlyMap<string, number>
  /** The count of changes that it has been checked against. */
  checkedAt: number
}

const ENTRY_BYTES = 1500
const BYTES_OF_PART = 300

/**
 * Answers that need not be made again: views of held answers, good as long as all of these are, and gone when another
 * answer or a refusal has taken the place of one. Bounded in bytes.
 */
export const createFinished = (upstream: Upstream, maxBytes: number) => {
  let hits = 0
  const cameBefore = createDoorkeeper()
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 20),
    sizeCalculation: ({ body, parts }, key) =>
      ENTRY_BYTES + body.length + key.length + parts.size * BYTES_OF_PART,
  })

  const isCurrent = (entry: Kept): boolean => {
    if (upstream.clock.now() >= entry.freshUntil) return false
    const { changes } = upstream
    if (entry.checkedAt === changes) return true
    entry.checkedAt = changes
    return [...entry.parts].every(([key, at]) => (upstream.momentOf(key) ?? at) === at)
  }

  return {
    get(key: string): Finished | undefined {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      if (isCurrent(entry)) {
        hits += 1
        return entry
      }
      kept.delete(key)
      return undefined
    },
    /** What it is made of may be gone. */
    clear: (): void => kept.clear(),
    get figures(): Tier {
      return { bytes: kept.calculatedSize, size: kept.size, hits }
    },
    /**
     * Keeps the beginning of a body that was made of held answers alone, for whoever asks the same without wishes of their
     * own: from its second time on, since most pages of a window are asked for once.
     */
    put(
      key: string,
      { beginning, end, etag }: Written,
      { wish, context, labels, plan }: Execution,
    ): void {
      if (!cameBefore(key)) return
      const { ledger, served } = context.operation
      const { oldest, remaining, sources } = served
      if (!wish.isPlain || ledger.spent !== 0 || context.staleParts.length > 0) return
      if (oldest === undefined || remaining === undefined || remaining <= 0) return
      if (sources.size !== 1 || !sources.has('cache')) return
      const now = upstream.clock.now()
      kept.set(key, {
        body: new Body(beginning, end),
        etag,
        at: now - oldest,
        freshUntil: now + remaining,
        figures: { spent: 0, savedBy: { ...ledger.savedBy }, entries: ledger.entries },
        movements: ledger.lines.flatMap(({ state, ...line }) =>
          state === 'sent' ? [] : [{ saving: state, ...labels, ...line }],
        ),
        labels,
        plan: unspent(plan),
        report: wish.report,
        parts: served.moments,
        // Checked with its first use: something may have come since its parts were read.
        checkedAt: -1,
      })
    },
  }
}

export type FinishedAnswers = ReturnType<typeof createFinished>
