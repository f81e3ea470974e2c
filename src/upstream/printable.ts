import { isObject } from './envelopes.ts'

const DEPTH = 64

const isDeep = (value: unknown): value is object => typeof value === 'object' && value !== null

const isFlat = (value: unknown): boolean => {
  let level = [value].filter(isDeep)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= DEPTH) return false
    level = level.flatMap((item) => Object.values(item).filter(isDeep))
  }
  return true
}

/**
 * Whether JSON can be given out as it came: not deeper than 64 levels, which nobody could print, and without a
 * member `then`, which the executor takes for a promise's (@graphql-tools/executor looks no further than the name).
 */
export const isPrintable = (value: unknown): boolean =>
  isFlat(value) && !(isObject(value) && Object.hasOwn(value, 'then'))
