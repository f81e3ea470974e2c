/** Why a request was not sent; each avoided request has the first reason that applies, in this order. */
export const SAVINGS = ['hydrated', 'window', 'batched', 'cache', 'merged'] as const
export type Saving = (typeof SAVINGS)[number]

/** What an operation, or a process, put on the wire and what it avoided. Unit: credits. */
export interface Ledger {
  readonly spent: number
  readonly savedBy: Readonly<Record<Saving, number>>
  /** Taken before a request goes out. */
  charge(credits: number): void
  /** Given back only on proof that nothing was billed. */
  refund(credits: number): void
  /** `credits` may be negative: a saving that turned out to be none. */
  save(why: Saving, credits: number): void
}

/** A ledger; what it books is booked in `parent` too, so that a process is the sum of its operations. */
export const createLedger = (parent?: Ledger): Ledger => {
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
    charge(credits) {
      spent += credits
      parent?.charge(credits)
    },
    refund(credits) {
      spent -= credits
      parent?.refund(credits)
    },
    save(why, credits) {
      savedBy[why] += credits
      parent?.save(why, credits)
    },
  }
}
