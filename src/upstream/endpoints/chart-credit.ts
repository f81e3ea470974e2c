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

/** What stands at a place of an array; null in a hole, undefined everywhere where the array has another length. */
type Beside<T> = (place: number) => T | null | undefined

const beside = <T>(read: Reader<T>) => {
  const readColumn = column(read)
  return (value: unknown, length: number, reading: Reading): Beside<NonNullable<T>> => {
    const items = readColumn(value ?? null, reading) ?? []
    const isBeside = length > 0 && items.length === length
    return isBeside ? (place) => items[place] ?? null : () => undefined
  }
}

const ids = column(id)
const names = column(text)

const isTold = ({ cmId, name }: Credit<object>) => cmId !== undefined || name !== null

const credits = <Rest>(
  idWire: string,
  nameWire: string,
  companions: (wire: JsonObject, length: number, reading: Reading) => (place: number) => Rest,
): Reader<Credits<Rest>> =>
  deep((wire, reading) => {
    if (!isObject(wire)) return undefined
    const numbers = ids(wire[idWire] ?? null, reading) ?? []
    const titles = names(wire[nameWire] ?? null, reading) ?? []
    const isPaired = numbers.length === titles.length
    const companion = companions(wire, titles.length, reading)
    const named = titles
      .map((title, place) => ({
        ...companion(place),
        cmId: (isPaired ? numbers[place] : undefined) ?? undefined,
        name: title,
      }))
      .filter(isTold)
    const matched = isPaired
      ? named.filter(({ cmId }) => cmId !== undefined)
      : numbers.flatMap((cmId) =>
          cmId === null ? [] : [{ ...companions({}, 0, reading)(0), cmId, name: undefined }],
        )
    const isWhole = isPaired && matched.length > 0 && !titles.includes(null)
    return { named, matched, whole: isWhole ? named : undefined }
  })

const countryBeside = beside(country)
const urlBeside = beside(url)
const textBeside = beside(text)
const dayBeside = beside(day)

/** The artists of a row, by the array of their names. */
export const artistCredits = (nameWire: 'artist_names' | 'platD_artist_names') =>
  credits('cm_artist', nameWire, (wire, length, reading) => {
    const countryCode = countryBeside(wire.code2s, length, reading)
    const imageUrl = urlBeside(wire.artist_images, length, reading)
    const coverUrl = urlBeside(wire.artist_covers, length, reading)
    return (place) => ({
      countryCode: countryCode(place),
      imageUrl: imageUrl(place),
      coverUrl: coverUrl(place),
    })
  })

/** The albums of a row. */
export const albumCredits = credits('album_ids', 'album_names', (wire, length, reading) => {
  const upc = textBeside(wire.album_upc, length, reading)
  const label = textBeside(wire.album_label, length, reading)
  const releaseDate = dayBeside(wire.release_dates, length, reading)
  return (place) => ({
    upc: upc(place),
    label: label(place),
    releaseDate: releaseDate(place),
  })
})
