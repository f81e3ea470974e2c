import { deep, type Reader } from '../decode.ts'
import { isObject, type JsonObject } from '../envelopes.ts'
import { one } from '../values.ts'

const flat = (wire: JsonObject): JsonObject => {
  const { latest } = wire
  if (!isObject(latest)) return wire
  const missing = Object.entries(latest).filter(([name]) => (wire[name] ?? null) === null)
  return { ...wire, ...Object.fromEntries(missing) }
}

/** Counters as documented, or under `latest`, where some answers nest them beside their changes. */
export const current = <T>(read: Reader<T | null>): Reader<T | null> =>
  one(deep((value, reading) => read(isObject(value) ? flat(value) : value, reading)))
