import type { Book } from './book.ts'
import type { Purse, Receipt } from './purse.ts'

/** Why a request was not sent; each avoided request has the first reason that applies, in this order. */
export const SAVINGS = ['hydrated', 'window', 'batched', 'cache', 'merged'] as const
export type Saving = (typeof SAVINGS)[number]

/** Credits of one endpoint that went on the wire, or that one reason kept from it. */
export interface Entry {
  readonly endpoint: string
  readonly state: 'sent' | Saving
  readonly credits: number
}

/** What an operation put on the wire and what it avoided. Unit: credits; `endpoint` says what for. */
export interface Ledger {
  readonly spent: number
  readonly savedBy: Readonly<Record<Saving, number>>
  /** The same by endpoint, in the order of first use; the entries of a state sum to its total. */
  readonly entries: readonly Entry[]
  /** Taken from every purse before a request goes out; throws, and takes nothing, where one has too little. */
  charge(credits: number, endpoint: string, field?: string): Promise<Receipt>
  /** `credits` may be negative: a saving that turned out to be none. */
  save(saving: Saving, credits: number, endpoint: string): void
}

/** What a ledger has come to. */
export type Figures = Pick<Ledger, 'spent' | 'savedBy' | 'entries'>

export interface LedgerParts {
  /** Where every movement is noted. */
  readonly book?: Book
  /** All of them pay for each request. */
  readonly purses?: readonly Purse[]
  /** Names of the operation and of its client; none where no operation spends. */
  readonly labels?: () => { readonly operation?: string; readonly client?: string | undefined }
}

/** From one purse after the other, the operation's own before those that others share. */
const takeFrom = async (purses: readonly Purse[], credits: number): Promise<Receipt[]> => {
  const taken: Receipt[] = []
  try {
    for (const purse of purses) taken.push(await purse.charge(credits))
  } catch (failure) {
    for (const receipt of taken) receipt.refund()
    throw failure
  }
  return taken
}

/** A class, since each operation has one: an object literal with getters is built anew, getter by getter. */
class OperationLedger implements Ledger {
  spent = 0
  readonly savedBy: Record<Saving, number> = {
    hydrated: 0,
    window: 0,
    batched: 0,
    cache: 0,
    merged: 0,
  }
  readonly #parts: LedgerParts
  readonly #byEndpoint = new Map<string, Map<Entry['state'], number>>()

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  get entries(): Entry[] {
    return [...this.#byEndpoint].flatMap(([endpoint, entries]) =>
      [...entries]
        .filter(([, credits]) => credits !== 0)
        .map(([state, credits]) => ({ endpoint, state, credits })),
    )
  }

  async charge(credits: number, endpoint: string, field?: string): Promise<Receipt> {
    const taken = await takeFrom(this.#parts.purses ?? [], credits)
    this.#enter(credits, endpoint, undefined, field)
    return {
      refund: () => {
        for (const receipt of taken) receipt.refund()
        this.#enter(-credits, endpoint, undefined, field)
      },
    }
  }

  save(saving: Saving, credits: number, endpoint: string): void {
    this.#enter(credits, endpoint, saving)
  }

  #enter(credits: number, endpoint: string, saving?: Saving, field?: string): void {
    const { book, labels } = this.#parts
    const state = saving ?? 'sent'
    if (saving === undefined) this.spent += credits
    else this.savedBy[saving] += credits
    const entries = this.#byEndpoint.get(endpoint) ?? new Map<Entry['state'], number>()
    this.#byEndpoint.set(endpoint, entries.set(state, (entries.get(state) ?? 0) + credits))
    book?.note({ credits, saving, endpoint, field, ...labels?.() })
  }
}

/** An empty ledger. */
export const createLedger = (parts: LedgerParts = {}): Ledger => new OperationLedger(parts)
