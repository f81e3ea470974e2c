import type { GatewayError } from '../errors.ts'
import { type Answer, aliased, answer } from './answer.ts'
import type { Disk } from './disk.ts'
import type { Drift } from './drift.ts'
import type { Endpoint } from './endpoint.ts'
import type { Facts } from './facts.ts'
import { isFinal, postponed, refused, rightKey, within } from './refusal.ts'
import type { Request } from './request.ts'
import type { Shelf } from './shelf.ts'
import type { Clock } from './transport/send.ts'

/** Everything that is held: answers in memory and on disk, and what their rows teach. */
export interface Holdings {
  /** The answer to a request, or the refusal that stands in its way. `peek` makes it no younger. */
  find<V>(request: Request<V>, look?: 'get' | 'peek'): Answer<V> | undefined
  /** Keeps what was bought; `text` is the body that it came in. */
  keep<V>(request: Request<V>, bought: Answer<V>, text: string): void
  /** Keeps what a failure tells: that an answer could not be renewed, or a refusal that is believed for a while. */
  fail(request: Request, error: GatewayError): void
  peek(key: string): Answer | undefined
  /** Whether an answer lies under a key that is of use where no newer one can be had. */
  standsIn(key: string): boolean
  /** Rows about a thing in answers that pass. */
  rows(of: string, id: number | string, passes: (answer: Answer) => boolean): object[]
  /** A value that does not age, of a thing that has a record, told by a row of an answer that passes. */
  elsewhere(
    record: Endpoint,
    id: number | string,
    column: string,
    passes: (answer: Answer) => boolean,
  ): unknown
}

export interface HoldingsParts {
  readonly shelf: Shelf
  /** Where answers outlive the process. */
  readonly disk?: Disk | undefined
  readonly facts: Facts
  readonly clock: Clock
  readonly drift: Drift
}

export const createHoldings = ({ shelf, disk, facts, clock, drift }: HoldingsParts): Holdings => {
  const shelve = <V>(request: Request<V>, bought: Answer<V>): void => {
    shelf.put(bought)
    facts.learn(request, bought)
    const other = aliased(request, bought)
    if (other !== undefined) shelf.put(other)
  }

  /** What an earlier process paid for, as long as it is of use. */
  const fromDisk = <V>(request: Request<V>): Answer<V> | undefined => {
    const stored = disk?.get(request.key)
    if (stored === undefined) return undefined
    try {
      const wire = { status: 200, headers: {}, text: stored.text }
      const found = answer(request, wire, stored.at, drift.reading(request.endpoint.name))
      if (clock.now() >= found.usableUntil) return undefined
      shelve(request, found)
      return found
    } catch {
      // What cannot be read any more is asked for anew, like what was never there.
      return undefined
    }
  }

  const rows: Holdings['rows'] = (of, id, passes) =>
    facts
      .about(of, id)
      .filter(({ answer: told }) => passes(told))
      .map(({ row }) => row)

  return {
    rows,
    peek: (key) => shelf.peek(key),
    find<V>(request: Request<V>, look: 'get' | 'peek' = 'get') {
      // The shelf is keyed by request, so what lies under a key is the answer type of that request.
      const under = (key: string) => shelf[look](key) as Answer<V> | undefined
      const right = rightKey(request)
      const held = under(request.key) ?? fromDisk(request)
      return right === request.key ? held : within(under(right), held, clock.now())
    },
    keep(request, bought, text) {
      shelve(request, bought)
      if (bought.class !== 'negative') disk?.put(request.key, { at: bought.at, text })
    },
    fail(request, error) {
      const now = clock.now()
      const held = shelf.peek(request.key)
      if (held !== undefined && held.refusal === undefined && !isFinal(error)) {
        shelf.put(postponed(held, error.code, now))
        return
      }
      const refusal = refused(request, error, now, shelf.peek(rightKey(request)))
      if (refusal.freshUntil > refusal.at) shelf.put(refusal)
    },
    standsIn(key) {
      const held = shelf.peek(key)
      return held !== undefined && held.refusal === undefined && clock.now() < held.usableUntil
    },
    elsewhere: (record, id, column, passes) =>
      record.timeless.includes(column)
        ? rows(record.name, id, passes)
            .map((row): unknown => Reflect.get(row, column))
            .find((value) => value !== undefined && value !== null)
        : undefined,
  }
}
