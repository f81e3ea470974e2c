import { isObject, type JsonObject } from './envelopes.ts'
import { isPrintable } from './printable.ts'

/** Where a value that could not be read is told; `note` takes the path within the row. */
export interface Reading {
  note(path: string): void
  /** What was told so far is not told again: it is read anew, and is the same. */
  settle?(): void
}

/** Columns that rows tell, each with those that the rows within it tell, where it holds rows. */
export type Columns = ReadonlyMap<string, Columns | undefined>

/** What rows tell of the things that they name. */
export interface Telling {
  /** Columns that each of them tells. */
  readonly tells?: Columns | undefined
  /** Columns that most of them tell, by lists beside each other: where those do not pair, the record has to. */
  readonly mostlyTells?: Columns | undefined
}

/** Reads a wire value; null is the service's own "nothing", undefined is "this could not be read". */
export interface Reader<T> {
  (value: unknown, reading: Reading): T | undefined
  /** Builds something, so that its result is kept with the row. */
  readonly deep?: true
  /** The columns of the rows that it gives. */
  readonly columns?: Columns
  /** The wire names that it reads of a row, where it is given the whole row. */
  readonly wires?: readonly string[]
}

/** A wire name and how to read it; an empty wire name reads the row itself. */
export type Column<T> = readonly [wire: string, read: Reader<T>]
export type Table = Readonly<Record<string, Column<unknown>>>

export type RowOf<T extends Table> = {
  readonly [K in keyof T]: T[K] extends Column<infer V> ? V : never
}

/** A row that holds only some of another's columns; undefined is "this row does not say". */
export type Told<R> = { readonly [K in keyof R]?: R[K] | undefined }

export const deep = <T>(
  read: (value: unknown, reading: Reading) => T | undefined,
  wires: readonly string[] = [],
): Reader<T> => Object.assign(read, { deep: true as const, wires })

/** A row lies over its wire object: columns are read when asked for, what they build is built once. */
abstract class Row {
  // Declared only: a field that is defined before it is assigned takes twice the time, and rows are many.
  declare wire: JsonObject
  declare reading: Reading
  declare wires: ReadonlySet<string>
  /** What columns built. */
  declare cells: unknown[] | undefined
  /** What could not be read. */
  declare noted: Set<string> | undefined
}

const noteIn = (row: Row, path: string): void => {
  row.noted = (row.noted ?? new Set()).add(path)
  row.reading.note(path)
}

/** Tells that a member could not be read: once of each row, however often it is asked for. */
const note = (row: Row, name: string): void => {
  if (row.noted?.has(name) !== true) noteIn(row, name)
}

/** Where values within a column are told, of which several may be alike. */
class Within implements Reading {
  readonly #row: Row
  readonly #name: string

  constructor(row: Row, name: string) {
    this.#row = row
    this.#name = name
  }

  note(path: string): void {
    noteIn(this.#row, `${this.#name}.${path}`)
  }
}

const readColumn = (row: Row, name: string, wire: string, read: Reader<unknown>): unknown => {
  const value = wire === '' ? row.wire : (row.wire[wire] ?? null)
  const got = read(value, read.deep ? new Within(row, name) : row.reading)
  if (got !== undefined) return got
  note(row, name)
  return null
}

/** What a row gives of a column; where the column builds something, `place` is that of what it built. */
const column = (
  name: string,
  [wire, read]: Column<unknown>,
  place: number,
  places: number,
  partial: boolean,
): PropertyDescriptor => ({
  enumerable: true,
  get(this: Row) {
    if (partial && wire !== '' && this.wire[wire] === undefined) return undefined
    if (read.deep === undefined) return readColumn(this, name, wire, read)
    this.cells ??= new Array(places)
    const known = this.cells[place]
    if (known !== undefined) return known
    const cell = readColumn(this, name, wire, read)
    this.cells[place] = cell
    return cell
  },
})

const wiresOf = (table: Table): readonly string[] =>
  Object.values(table).flatMap(([wire, read]) => (wire === '' ? (read.wires ?? []) : [wire]))

const rowClass = (table: Table, partial: boolean) => {
  const wires = new Set(wiresOf(table))
  const Class = class extends Row {
    // Not in that of all rows, to which each table is another class: its stores would know none of them.
    constructor(wire: JsonObject, reading: Reading) {
      super()
      this.wire = wire
      this.reading = reading
      this.wires = wires
      this.cells = undefined
      this.noted = undefined
    }
  }
  const building = Object.keys(table).filter((name) => table[name]?.[1].deep)
  for (const [name, definition] of Object.entries(table)) {
    const place = building.indexOf(name)
    const told = column(name, definition, place, building.length, partial)
    Object.defineProperty(Class.prototype, name, told)
  }
  return Class
}

/** Columns that hold no rows of things with records of their own. */
export const columnsOf = (names: readonly string[]): Columns =>
  new Map(names.map((name) => [name, undefined]))

const reader = (table: Table, partial: boolean, needs = ''): Reader<unknown> => {
  const Class = rowClass(table, partial)
  const needed = table[needs]
  const read = deep((value, reading) => {
    if (!isObject(value)) return value === null ? null : undefined
    const row = new Class(value, reading)
    return needed === undefined || readColumn(row, needs, ...needed) !== null ? row : undefined
  }, wiresOf(table))
  return Object.assign(read, { columns: columnsOf(Object.keys(table)) })
}

/** Reads a row of a table; `needs` names the column without which there is no such row. */
export const row = <T extends Table>(table: T, needs?: keyof T & string) =>
  reader(table, false, needs) as Reader<RowOf<T> | null>

/** Reads a record of its own: an object that has none of its members is something else, a complaint say. */
export const record = <T extends Table>(table: T): Reader<RowOf<T> | null> => {
  const read = row(table)
  const wires = wiresOf(table)
  return deep((value, reading) => {
    const isElse = isObject(value) && !wires.some((wire) => Object.hasOwn(value, wire))
    return isElse ? undefined : read(value, reading)
  }, wires)
}

/** Reads the part of a row that another payload carries: what is absent there is undefined, not null. */
export const part = <T extends Table>(table: T, needs?: keyof T & string) =>
  reader(table, true, needs) as Reader<Told<RowOf<T>> | null>

const rowOf = (value: unknown): Row | undefined => (value instanceof Row ? value : undefined)

/** The members of a row that its table does not name; null when there are none. */
export const additionalFields = (value: unknown): JsonObject | null => {
  const row = rowOf(value)
  if (row === undefined) return null
  const extra = Object.entries(row.wire).filter(([wire]) => !row.wires.has(wire))
  const given = extra.filter((member) => isPrintable(Object.fromEntries([member])))
  if (given.length < extra.length) note(row, 'additionalFields')
  return given.length === 0 ? null : Object.fromEntries(given)
}

/** Every counter of a row by its wire name, or those named. */
export const counters = (value: unknown, names?: readonly string[] | null) => {
  const row = rowOf(value)
  const wire: JsonObject = row?.wire ?? {}
  const wanted = names ?? Object.keys(wire)
  return wanted
    .filter((name) => Object.hasOwn(wire, name))
    .map((name) => {
      if (isPrintable(wire[name])) return { name, value: wire[name] ?? null }
      if (row !== undefined) note(row, name)
      return { name, value: null }
    })
}
