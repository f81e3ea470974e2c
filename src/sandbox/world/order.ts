import { LRUCache } from 'lru-cache'

/** Positions 0 … size-1 in the ascending order of a value; positions without a value stand at neither end. */
export interface Order {
  readonly ascending: Uint32Array
  readonly without: Uint32Array
}

/** Gives the order of a list by a key, worked out at its first use. */
export type Orders = (
  key: string,
  size: number,
  value: (position: number) => number | string | null,
) => Order

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)

export const createOrders = (): Orders => {
  const held = new LRUCache<string, Order>({ max: 64 })
  return (key, size, value) => {
    const found = held.get(key)
    if (found !== undefined) return found
    const values = Array.from({ length: size }, (_, position) => value(position))
    const positions = Uint32Array.from(values.keys())
    const known = positions.filter((position) => values[position] !== null)
    const order = {
      ascending: known.sort((a, b) => compare(values[a] ?? 0, values[b] ?? 0) || a - b),
      without: positions.filter((position) => values[position] === null),
    }
    held.set(key, order)
    return order
  }
}

/** Positions in one direction, those without a value last. */
export function* walk(order: Order, descending: boolean): Generator<number> {
  const { ascending, without } = order
  for (let i = 0; i < ascending.length; i++) {
    yield ascending[descending ? ascending.length - 1 - i : i] ?? 0
  }
  yield* without
}

/** Counts what passes, keeps the asked page of it. */
export const select = (
  positions: Iterable<number>,
  passes: (position: number) => boolean,
  offset: number,
  limit: number,
): { positions: number[]; total: number } => {
  const page: number[] = []
  let total = 0
  for (const position of positions) {
    if (!passes(position)) continue
    if (total >= offset && page.length < limit) page.push(position)
    total++
  }
  return { positions: page, total }
}
