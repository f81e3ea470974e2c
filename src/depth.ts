/** Levels of JSON that are looked into: nobody could print or read more. */
export const MOST_LEVELS = 64

/** Whether a value has no more levels than that; how many more it has takes no time. */
export const isFlat = (value: unknown, most = MOST_LEVELS): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (most === 0) return false
  for (const inner of Object.values(value)) if (!isFlat(inner, most - 1)) return false
  return true
}
