import type { Reader } from '../decode.ts'
import { isObject, type JsonObject } from '../envelopes.ts'

/** Members that some answers have under another name than the documented one. */
export type Aliases = Readonly<Record<string, string>>

/** A row by its documented names. */
const documented = (
  wire: JsonObject,
  aliases: readonly (readonly [string, string])[],
): JsonObject => {
  const isMissing = (name: string) => wire[name] === undefined || wire[name] === null
  const found = aliases.filter(([name, seen]) => isMissing(name) && seen in wire)
  if (found.length === 0) return wire
  const seen = new Set(found.map(([, alias]) => alias))
  return {
    ...Object.fromEntries(Object.entries(wire).filter(([name]) => !seen.has(name))),
    ...Object.fromEntries(found.map(([name, alias]) => [name, wire[alias]])),
  }
}

/** Reads a row whose members have other names at times. */
export const aliased = <T>(read: Reader<T>, aliases: Aliases): Reader<T> => {
  const named = Object.entries(aliases)
  return (value, reading) => read(isObject(value) ? documented(value, named) : value, reading)
}
