import type { Figures } from './figures.ts'

/** A process whose book is known. */
export interface Bookkeeper {
  /** Its machine and number. */
  readonly name: string
  readonly figures: Figures
  /** Since when no more was heard of it. */
  readonly at: number
}

/** The books of all replicas, this process's own among them. */
export interface Books {
  /** Reads what the others have told, at most once a second. */
  look(): Promise<void>
  /** All together; of this process as of now, of the others as they were told. */
  readonly sum: Figures
  /** This process first. */
  readonly keepers: readonly Bookkeeper[]
  /** Whether the others could be heard at the last look. */
  readonly isWhole: boolean
  /** Tells the others from now on; `beat` is called as often, for what else they have to find. */
  open(beat: () => void): void
  /** Tells the others a last time, or takes back what it told where nothing was spent or saved. */
  close(): Promise<void>
}

export interface BooksParts {
  readonly name: string
  /** What this process tells of its own. */
  readonly own: () => Figures
  readonly now: () => number
}

/** Of a process that shares nothing. */
export const createOwnBooks = ({ name, own, now }: BooksParts): Books => ({
  look: async () => undefined,
  get sum() {
    return own()
  },
  get keepers() {
    return [{ name, figures: own(), at: now() }]
  },
  isWhole: true,
  open: () => undefined,
  close: async () => undefined,
})
