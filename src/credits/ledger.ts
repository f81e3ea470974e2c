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

type Credits = Map<Entry['state'], number>

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
  readonly #byEndpoint = new Map<string, Map<string | undefined, Credits>>()

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  get entries(): Entry[] {
    return [...this.#byEndpoint].flatMap(([endpoint, fields]) => {
      const all: Credits = new Map()
      for (const own of fields.values())
        for (const [state, credits] of own) all.set(state, (all.get(state) ?? 0) + credits)
      return [...all]
        .filter(([, credits]) => credits !== 0)
        .map(([state, credits]) => ({ endpoint, state, credits }))
    })
  }

  get lines(): Line[] {
    return [...this.#byEndpoint].flatMap(([endpoint, fields]) =>
      [...fields].flatMap(([field, own]) =>
        [...own]
          .filter(([, credits]) => credits !== 0)
          .map(([state, credits]) => ({ endpoint, field, state, credits })),
      ),
    )
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
    const { book, labels } = this.#parts
    const state = saving ?? 'sent'
    if (saving === undefined) this.spent += credits
    else this.savedBy[saving] += credits
    const fields = this.#byEndpoint.get(endpoint) ?? new Map<string | undefined, Credits>()
    const own: Credits = fields.get(field) ?? new Map()
    own.set(state, (own.get(state) ?? 0) + credits)
    this.#byEndpoint.set(endpoint, fields.set(field, own))
    book?.note({ credits, saving, endpoint, field, ...labels?.() })
  }
}

/** An empty ledger. */
export const createLedger = (parts: LedgerParts = {}): Ledger => new OperationLedger(parts)
