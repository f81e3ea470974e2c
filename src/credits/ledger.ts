import type { Book, Movement } from './book.ts'
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

/** The same, of the field that asked. */
export interface Line extends Entry {
  readonly field: string | undefined
}

/** What an operation put on the wire and what it avoided. Unit: credits; `endpoint` says what for. */
export interface Ledger {
  readonly spent: number
  readonly savedBy: Readonly<Record<Saving, number>>
  /** The same by endpoint, in the order of first use; the entries of a state sum to its total. */
  readonly entries: readonly Entry[]
  /** The same by field too. */
  readonly lines: readonly Line[]
  /** Kept by the gate: a request of it was taken in, so that all that follows from it is. */
  isLetIn: boolean
  /**
   * Taken from every purse before a request goes out; throws, and takes nothing, where one has too little. A promise
   * where others share one.
   */
  charge(credits: number, endpoint: string, field?: string): Receipt | Promise<Receipt>
  /** `credits` may be negative: a saving that turned out to be none. */
  save(saving: Saving, credits: number, endpoint: string, field?: string): void
}

/** What a ledger has come to. */
export type Figures = Pick<Ledger, 'spent' | 'savedBy' | 'entries'>

export interface LedgerParts {
  /** Where every movement is noted. */
  readonly book?: Book
  /** All of them pay for each request. */
  readonly purses?: readonly Purse[]
  /** Names of the operation and of its client; none where no operation spends. */
  readonly labels?: Pick<Movement, 'operation' | 'client'>
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

type Counted<E extends Entry> = Omit<E, 'credits'> & { credits: number }

/** A class, since each operation has one: an object literal with getters is built anew, getter by getter. */
class OperationLedger implements Ledger {
  spent = 0
  isLetIn = false
  readonly savedBy: Record<Saving, number> = {
    hydrated: 0,
    window: 0,
    batched: 0,
    cache: 0,
    merged: 0,
  }
  readonly #parts: LedgerParts
  /** Those of an endpoint stand together, and among these those of a field: an operation has but a few. */
  readonly #lines: Counted<Line>[] = []

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  get entries(): Entry[] {
    const entries: Counted<Entry>[] = []
    for (const { endpoint, state, credits } of this.#lines) {
      const known = entries.find((entry) => entry.endpoint === endpoint && entry.state === state)
      if (known === undefined) entries.push({ endpoint, state, credits })
      else known.credits += credits
    }
    return entries.filter(({ credits }) => credits !== 0)
  }

  get lines(): Line[] {
    return this.#lines.filter(({ credits }) => credits !== 0).map((line) => ({ ...line }))
  }

  charge(credits: number, endpoint: string, field?: string): Receipt | Promise<Receipt> {
    const { purses = [] } = this.#parts
    const [own, ...shared] = purses
    const charged = (taken: readonly Receipt[]): Receipt => {
      this.#enter(credits, endpoint, undefined, field)
      return {
        refund: () => {
          for (const receipt of taken) receipt.refund()
          this.#enter(-credits, endpoint, undefined, field)
        },
      }
    }
    if (shared.length > 0) return takeFrom(purses, credits).then(charged)
    const receipt = own?.charge(credits)
    if (receipt instanceof Promise) return receipt.then((one) => charged([one]))
    return charged(receipt === undefined ? [] : [receipt])
  }

  save(saving: Saving, credits: number, endpoint: string, field?: string): void {
    this.#enter(credits, endpoint, saving, field)
  }

  #enter(credits: number, endpoint: string, saving?: Saving, field?: string): void {
    const { book, labels = {} } = this.#parts
    const state = saving ?? 'sent'
    if (saving === undefined) this.spent += credits
    else this.savedBy[saving] += credits
    this.#lineOf(endpoint, field, state).credits += credits
    const { operation, client } = labels
    book?.note({ credits, saving, endpoint, field, operation, client })
  }

  #lineOf(endpoint: string, field: string | undefined, state: Entry['state']): Counted<Line> {
    const lines = this.#lines
    let behindEndpoint = lines.length
    let behindField: number | undefined
    let at = 0
    for (const line of lines) {
      at += 1
      if (line.endpoint !== endpoint) continue
      behindEndpoint = at
      if (line.field !== field) continue
      if (line.state === state) return line
      behindField = at
    }
    const line = { endpoint, field, state, credits: 0 }
    lines.splice(behindField ?? behindEndpoint, 0, line)
    return line
  }
}

/** An empty ledger. */
export const createLedger = (parts: LedgerParts = {}): Ledger => new OperationLedger(parts)
