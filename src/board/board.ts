/** A named record that replicas agree on. */
export interface Sheet {
  /** Grows with every change of meaning; what a writer must have seen to be allowed to write. */
  readonly gen: number
  readonly text: string
}

/** Where records are kept: memory, a folder, Redis. */
export interface Board {
  read(name: string): Promise<Sheet | undefined>
  /**
   * Writes if the record still has the generation `seen` (undefined: there is none yet). False: it has
   * moved, read again. Once true, the record survives a crash as far as the board can make it.
   */
  write(name: string, sheet: Sheet, seen: number | undefined): Promise<boolean>
  /** The mark of this process, for whoever finds it on the board. */
  readonly owner: string
  /** Whether the process of that mark has certainly ended; false where nobody can tell. */
  hasEnded(owner: string): Promise<boolean>
  /** It lies on another machine: while this process cannot write, others may, so nobody acts alone without it. */
  readonly isElsewhere: boolean
  /** Once what was written outlives the machine that it lies on, where it can; waits no longer than anything else. */
  copied?(): Promise<void>
  /**
   * Tells when a record has changed, or somebody misses it, where the board can; a message may be lost, a record is not.
   */
  watch?(name: string, changed: () => void): void
  /** Says that a record is not there to all who watch it; resolves to how many they are. */
  miss?(name: string): Promise<number>
}
