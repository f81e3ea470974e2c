import type { Reading } from './decode.ts'
import { countOf, type Layout, valuesIn } from './layout.ts'

/** What an answer of a listing holds; a null row is one that could not be read. */
export interface Rows<R, L = Pick<readonly (R | null)[], 'length' | 'slice'>> {
  readonly rows: L
  readonly total: number | null
  /** Where the service says the rows begin, if it says so. */
  readonly offset: number | null
}

/** The same where all of them are read. */
export type AllRows<R> = Rows<R, readonly (R | null)[]>

/** Reads one row, and tells where it could not. */
export type RowReader<R> = (value: unknown, reading: Reading) => R | null

/** Of what could not be read of the rows of one answer so much is told, once of each. */
const MOST_TOLD = 200

/** Where a row is read that may have been read before. */
class OfRow implements Reading {
  readonly #place: number
  readonly #told: Set<string>
  readonly #reading: Reading

  constructor(place: number, told: Set<string>, reading: Reading) {
    this.#place = place
    this.#told = told
    this.#reading = reading
  }

  note(path: string): void {
    const name = `${this.#place} ${path}`
    if (this.#told.has(name) || this.#told.size >= MOST_TOLD) return
    this.#told.add(name)
    this.#reading.note(path)
  }
}

/** The rows of an answer, parsed each time that they are asked for: most pages of a window are asked for once, or never. */
export class LyingRows<R> implements Pick<readonly (R | null)[], 'length' | 'slice'> {
  readonly length: number
  readonly #layout: Layout
  readonly #read: RowReader<R>
  readonly #reading: Reading
  readonly #told = new Set<string>()

  constructor(layout: Layout, read: RowReader<R>, reading: Reading) {
    this.length = countOf(layout)
    this.#layout = layout
    this.#read = read
    this.#reading = reading
  }

  slice(from = 0, to = this.length): (R | null)[] {
    return this.#values(from, Math.min(to, this.length)).map((value, at) =>
      this.#read(value, new OfRow(from + at, this.#told, this.#reading)),
    )
  }

  #values(from: number, to: number): readonly unknown[] {
    if (from >= to) return []
    const all = valuesIn(this.#layout, from, to)
    if (all !== undefined || to - from === 1) return all ?? [undefined]
    return Array.from({ length: to - from }, (_, at) => this.#values(from + at, from + at + 1)[0])
  }
}
