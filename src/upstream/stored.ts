import type { Args } from './params.ts'
import type { Tier } from './shelf.ts'

/** An answer as it came, a refusal among them, what it answers, and when it came. */
export interface Stored {
  readonly key: string
  readonly endpoint: string
  readonly args: Args
  readonly at: number
  readonly status: number
  readonly text: string
}

/** How a stored answer stands in time. */
export interface Head extends Pick<Stored, 'key' | 'at' | 'status'> {
  readonly freshUntil: number
  readonly usableUntil: number
}

/** That an answer tells of a thing, and which of its columns that do not age. */
export interface Lore {
  readonly thing: string
  readonly columns: readonly string[]
}

/** An answer that is stored, and of a thing which columns it tells. */
export interface Mark extends Pick<Head, 'key' | 'at' | 'freshUntil'> {
  readonly columns: readonly string[]
}

/** What was paid for, kept through restarts and crashes by one machine. */
export interface Disk extends Tier {
  /** Whether refusals are kept too that are no answers. */
  readonly keepsAll: boolean
  /** Whether what it has is all that there will ever be, and good for ever. */
  readonly isClosed: boolean
  get(key: string): Stored | undefined
  /** How the answer stands that lies under a key. */
  peek(key: string): Head | undefined
  /** Answers that tell of a thing, newest first. */
  about(thing: string): readonly Mark[]
  /** `lore` is what its rows tell. */
  put(stored: Stored, life: Pick<Head, 'freshUntil' | 'usableUntil'>, lore: readonly Lore[]): void
  remove(key: string): void
  /** Resolves when what was put so far is written, and the store is within its bound. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Answers that are looked at for what they tell of a thing. */
export const MOST_MARKS = 8
