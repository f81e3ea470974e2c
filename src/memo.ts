/** Finds something out once for each key, as long as that is there: a table that is written each time is slow. */
export const memo = <K extends object, V extends NonNullable<unknown>>(
  find: (key: K) => V,
): ((key: K) => V) => {
  const known = new WeakMap<K, V>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = find(key)
    known.set(key, found)
    return found
  }
}
