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

/** Of so many members what could not be read is told, once for each row; of others it is not. */
const MOST_MEMBERS = 50

/** What was told already: of each member, in which rows. */
type AlreadyTold = Map<string, Uint8Array>

/** Where a row is read that may have been read before. */
class OfRow implements Reading {
  readonly #place: number
  readonly #rows: number
  readonly #told: AlreadyTold
  readonly #reading: Reading

  constructor(place: number, rows: number, told: AlreadyTold, reading: Reading) {
    this.#place = place
    this.#rows = rows
    this.#told = told
    this.#reading = reading
  }

  note(path: string): void {
    const told = this.#toldOf(path)
    if (told === undefined || told[this.#place] === 1) return
    told[this.#place] = 1
    this.#reading.note(path)
  }

  #toldOf(path: string): Uint8Array | undefined {
    const known = this.#told.get(path)
    if (known !== undefined || this.#told.size >= MOST_MEMBERS) return known
    const told = new Uint8Array(this.#rows)
    this.#told.set(path, told)
    return told
  }
}

/** The rows of an answer, parsed each time that they are asked for: most pages of a window are asked for once, or never. */
export class LyingRows<R> implements Pick<readonly (R | null)[], 'length' | 'slice'> {
  readonly length: number
  readonly #layout: Layout
  readonly #read: RowReader<R>
  readonly #reading: Reading
  readonly #told: AlreadyTold = new Map()

  constructor(layout: Layout, read: RowReader<R>, reading: Reading) {
    this.length = countOf(layout)
    this.#layout = layout
    this.#read = read
    this.#reading = reading
  }

  slice(from = 0, to = this.length): (R | null)[] {
    return this.#values(from, Math.min(to, this.length)).map((value, at) =>
      this.#read(value, new OfRow(from + at, this.length, this.#told, this.#reading)),
    )
  }

  #values(from: number, to: number): readonly unknown[] {
    if (from >= to) return []
    const all = valuesIn(this.#layout, from, to)
    if (all !== undefined || to - from === 1) return all ?? [undefined]
    return Array.from({ length: to - from }, (_, at) => this.#values(from + at, from + at + 1)[0])
  }
}
