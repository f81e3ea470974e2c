/** Holds a value until it leaves. */
interface Place<V> {
  value: V | undefined
}

/**
 * A map of what comes and goes with each request, in the order in which it came. A plain one would do, but a table that
 * a Map outgrows keeps what lay in it and points to the next: once one such table has grown old, all that ever passes
 * grows old with it, and waits for the whole heap to be collected. Here nothing but a key and an empty place does, so
 * that a key is a number or a text.
 */
export class Passing<K extends number | string, V> {
  readonly #places = new Map<K, Place<V>>()

  get size(): number {
    return this.#places.size
  }

  has(key: K): boolean {
    return this.#places.has(key)
  }

  get(key: K): V | undefined {
    return this.#places.get(key)?.value
  }

  set(key: K, value: V): void {
    this.#places.set(key, { value })
  }

  delete(key: K): boolean {
    const place = this.#places.get(key)
    if (place === undefined) return false
    place.value = undefined
    return this.#places.delete(key)
  }

  *values(): Generator<V> {
    for (const { value } of this.#places.values()) if (value !== undefined) yield value
  }
}
