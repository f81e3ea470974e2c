import { deep, type Reader, type Reading } from '../decode.ts'
import { isObject, type JsonObject } from '../envelopes.ts'
import { column, country, day, id, text, url } from '../values.ts'

type Credit<Rest> = Rest & {
  readonly cmId: number | undefined
  readonly name: string | null | undefined
}

/** Whom or what a chart row credits, in arrays that run beside each other. */
export interface Credits<Rest> {
  /** Every name in order, with its number where as many numbers as names came. */
  readonly named: Credit<Rest>[]
  /** Every number in order, with its name likewise. */
  readonly matched: Credit<Rest>[]
  /** All of them, where names and numbers pair and no name is missing; else the row does not tell. */
  readonly whole: Credit<Rest>[] | undefined
}

/** Arrays of a row that run beside its names, by the columns that they tell. */
type Arrays = Readonly<Record<string, readonly [wire: string, read: Reader<unknown>]>>
type Told<A extends Arrays> = {
  readonly [K in keyof A]: (A[K] extends readonly [string, Reader<infer V>] ? V : never) | undefined
}

/** The arrays of one row; each is read once something of it is asked for. */
class Beside {
  readonly #wire: JsonObject
  readonly #length: number
  readonly #reading: Reading
  readonly #read: Record<string, readonly unknown[]> = {}

  constructor(wire: JsonObject, length: number, reading: Reading) {
    this.#wire = wire
    this.#length = length
    this.#reading = reading
  }

  /** What stands at a place; null in a hole, undefined everywhere where the array has another length. */
  at(place: number, wire: string, read: Reader<readonly unknown[]>): unknown {
    this.#read[wire] ??= read(this.#wire[wire] ?? null, this.#reading) ?? []
    const items = this.#read[wire]
    return items.length > 0 && items.length === this.#length ? (items[place] ?? null) : undefined
  }
}

/** Credits that tell what stands beside their names. */
const creditOf = <A extends Arrays>(arrays: A) => {
  class Own {
    readonly cmId: number | undefined
    readonly name: string | null | undefined
    readonly #place: number
    readonly #beside: Beside | undefined

    constructor(cmId: Own['cmId'], name: Own['name'], place = 0, beside?: Beside) {
      this.cmId = cmId
      this.name = name
      this.#place = place
      this.#beside = beside
    }

    beside(wire: string, read: Reader<readonly unknown[]>): unknown {
      return this.#beside?.at(this.#place, wire, read)
    }
  }
  for (const [name, [wire, read]] of Object.entries(arrays)) {
    const readAll = column(read)
    Object.defineProperty(Own.prototype, name, {
      get(this: Own) {
        return this.beside(wire, readAll)
      },
    })
  }
  return (...given: ConstructorParameters<typeof Own>) => new Own(...given) as Own & Told<A>
}

const ids = column(id)
const names = column(text)

const isTold = ({ cmId, name }: Credit<object>) => cmId !== undefined || name !== null

const credits = <A extends Arrays>(
  idWire: string,
  nameWire: string,
  arrays: A,
): Reader<Credits<Told<A>>> => {
  const credit = creditOf(arrays)
  return deep((wire, reading) => {
    if (!isObject(wire)) return undefined
    const numbers = ids(wire[idWire] ?? null, reading) ?? []
    const titles = names(wire[nameWire] ?? null, reading) ?? []
    const isPaired = numbers.length === titles.length
    const beside = new Beside(wire, titles.length, reading)
    const named = titles
      .map((title, place) =>
        credit((isPaired ? numbers[place] : undefined) ?? undefined, title, place, beside),
      )
      .filter(isTold)
    const matched = isPaired
      ? named.filter(({ cmId }) => cmId !== undefined)
      : numbers.flatMap((cmId) => (cmId === null ? [] : [credit(cmId, undefined)]))
    const isWhole = isPaired && matched.length > 0 && !titles.includes(null)
    return { named, matched, whole: isWhole ? named : undefined }
  })
}

/** The artists of a row, by the array of their names. */
export const artistCredits = (nameWire: 'artist_names' | 'platD_artist_names') =>
  credits('cm_artist', nameWire, {
    countryCode: ['code2s', country],
    imageUrl: ['artist_images', url],
    coverUrl: ['artist_covers', url],
  })

/** The albums of a row. */
export const albumCredits = credits('album_ids', 'album_names', {
  upc: ['album_upc', text],
  label: ['album_label', text],
  releaseDate: ['release_dates', day],
})
