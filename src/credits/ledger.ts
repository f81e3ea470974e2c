import type { Book } from './book.ts'
import type { Purse } from './purse.ts'

/** Why a request was not sent; each avoided request has the first reason that applies, in this order. */
export const SAVINGS = ['hydrated', 'window', 'batched', 'cache', 'merged'] as const
export type Saving = (typeof SAVINGS)[number]

/** What an operation put on the wire and what it avoided. Unit: credits; `endpoint` says what for. */
export interface Ledger {
  readonly spent: number
  readonly savedBy: Readonly<Record<Saving, number>>
  /** Taken from every purse before a request goes out; throws, and takes nothing, where one has too little. */
  charge(credits: number, endpoint: string): void | Promise<void>
  /** Given back only on proof that nothing was billed. */
  refund(credits: number, endpoint: string): void
  /** `credits` may be negative: a saving that turned out to be none. */
  save(saving: Saving, credits: number, endpoint: string): void
}

export interface LedgerParts {
  /** Where every movement is noted. */
  readonly book?: Book
  /** All of them pay for each request. */
  readonly purses?: readonly Purse[]
  /** Names of the operation and of its client; none where no operation spends. */
  readonly labels?: () => { readonly operation?: string; readonly client?: string | undefined }
}

const takeFrom = (purses: readonly Purse[], credits: number): Promise<void>[] => {
  const taken: Purse[] = []
  const waits: Promise<void>[] = []
  try {
    for (const purse of purses) {
      const wait = purse.charge(credits)
      taken.push(purse)
      if (wait instanceof Promise) waits.push(wait)
    }
  } catch (failure) {
    for (const purse of taken) purse.refund(credits)
    throw failure
  }
  return waits
}

/** An empty ledger. */
export const createLedger = ({
  book,
  purses = [],
  labels = () => ({}),
}: LedgerParts = {}): Ledger => {
  let spent = 0
  const savedBy: Record<Saving, number> = {
    hydrated: 0,
    window: 0,
    batched: 0,
    cache: 0,
    merged: 0,
  }
  return {
    get spent() {
      return spent
    },
    savedBy,
    charge(credits, endpoint) {
      const waits = takeFrom(purses, credits)
      spent += credits
      book?.note({ credits, endpoint, ...labels() })
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined)
    },
    refund(credits, endpoint) {
      for (const purse of purses) purse.refund(credits)
      spent -= credits
      book?.note({ credits: -credits, endpoint, ...labels() })
    },
    save(saving, credits, endpoint) {
      savedBy[saving] += credits
      book?.note({ credits, saving, endpoint, ...labels() })
    },
  }
}
