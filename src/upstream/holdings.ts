import type { GatewayError } from '../errors.ts'
import { type Answer, aliased, isOfUse, type Standing, tellsOfNow } from './answer.ts'
import { createArchive, type Registry, type Reread, read } from './archive.ts'
import type { Drift } from './drift.ts'
import type { Endpoint } from './endpoint.ts'
import type { Facts, Passes, Told } from './facts.ts'
import type { Packing } from './packed.ts'
import { isFinal, postponed, refused, rightKey, within } from './refusal.ts'
import type { Request } from './request.ts'
import type { Shelf } from './shelf.ts'
import type { Disk, Mark } from './stored.ts'
import type { Clock, WireAnswer } from './transport/send.ts'
import { createWholes } from './wholes.ts'

/** Everything that is held: answers in memory and on disk, and what their rows teach. */
export interface Holdings {
  /** The answer to a request, or the refusal that stands in its way. */
  find<V>(request: Request<V>): Answer<V> | undefined
  /** How it stands; told without moving anything or making it any younger. */
  stands(request: Request): Standing | undefined
  /** Keeps what was bought, and gives it as it is held; `wire` is what it came in. */
  keep<V>(request: Request<V>, bought: Answer<V>, wire: WireAnswer): Answer<V>
  /** Reads what another replica bought, as it would be held. */
  readonly reread: Reread
  /** Takes that in, where it is newer than what is held. */
  receive<V>(request: Request<V>, received: Answer<V>): void
  /** Keeps what a failure tells: that an answer could not be renewed, or a refusal that is believed for a while. */
  fail(request: Request, error: GatewayError, wire: WireAnswer | undefined): void
  peek(key: string): Answer | undefined
  /** The moment of what lies under a key; told without moving anything. */
  momentOf(key: string): number | undefined
  /** Grows with whatever is laid down: what was seen at the same count is as it was. */
  readonly changes: number
  /** A row about a thing in an answer that passes. */
  about(of: string, id: number | string, passes: Passes): Told | undefined
  /** One that tells a value that does not age, of a thing that has a record. */
  elsewhere(record: Endpoint, id: number | string, column: string, passes: Passes): Told | undefined
  /** Whether there is such a row; told without moving anything. */
  tells(record: Endpoint, id: number | string, column: string, passes: Passes): boolean
}

export interface HoldingsParts {
  readonly shelf: Shelf
  /** Where answers outlive the process. */
  readonly disk?: Disk | undefined
  readonly facts: Facts
  readonly packed: Packing
  readonly clock: Clock
  readonly drift: Drift
  readonly registry: Registry
}

/** Whether what is in memory takes no answer's place, as a refusal that passes does: one that lies elsewhere stands in. */
const leavesRoom = (own: Answer | undefined): boolean =>
  own === undefined || (own.refusal !== undefined && !isFinal(own.refusal))

export const createHoldings = ({
  shelf,
  disk,
  facts,
  packed,
  clock,
  drift,
  registry,
}: HoldingsParts): Holdings => {
  const reread: Reread = (request, recorded) => {
    const found = read(request, recorded, drift.reading(request.endpoint.name))
    return found && packed(found, recorded)
  }
  const archive = disk && createArchive(disk, registry, () => clock.now(), reread)

  const wholes = createWholes()

  let changes = 0
  /** The one way onto the shelf. */
  const put = (answer: Answer): void => {
    changes += 1
    shelf.put(answer)
  }

  const shelve = (held: Answer): void => {
    put(held)
    if (tellsOfNow(held)) facts.learn(held)
    wholes.learn(held)
    const other = aliased(held)
    if (other !== undefined) put(other.answer)
  }

  const fromDisk = <V>(request: Request<V>): Answer<V> | undefined => {
    const found = archive?.find(request)
    if (found !== undefined) shelve(found)
    return found
  }

  /** What lies elsewhere than in memory, where that leaves room. */
  const beside = <V>(own: Answer<V> | undefined, request: Request<V>): Answer<V> | undefined =>
    (own === undefined ? fromDisk(request) : archive?.find(request)) ??
    wholes.find(request, shelf.get)

  const marks = (of: string, id: number | string, passes: Passes, column?: string) =>
    (archive?.about(of, id, column) ?? []).filter(passes)

  /** Has an answer of the disk held, and its rows known, be it that they were forgotten while it was held. */
  const recall = (mark: Mark): void => {
    const found = archive?.recall(mark)
    if (found === undefined) return
    const held = shelf.peek(mark.key)
    if (held?.at === mark.at) facts.learn(held)
    else shelve(found)
  }

  /** What a row tells of a thing: the newest rows do, or one of an answer that the disk says it of. */
  const told = (
    of: string,
    id: number | string,
    passes: Passes,
    column?: string,
  ): Told | undefined => {
    const known = facts.about(of, id, passes, column)
    if (known !== undefined) return known
    for (const mark of marks(of, id, passes, column)) {
      const isIt: Passes = ({ key, at }) => key === mark.key && at === mark.at
      const own = facts.about(of, id, isIt, column)
      if (own === undefined) recall(mark)
      const row = own ?? facts.about(of, id, isIt, column)
      if (row !== undefined) return row
    }
    return undefined
  }

  const stands = (request: Request): Standing | undefined => {
    const right = rightKey(request)
    const own = shelf.peek(request.key)
    const held = leavesRoom(own)
      ? within(own, archive?.stands(request) ?? wholes.find(request, shelf.peek), clock.now())
      : own
    if (right === request.key) return held
    return within(shelf.peek(right) ?? archive?.findRight(request), held, clock.now())
  }

  return {
    get changes() {
      return changes
    },
    peek: (key) => shelf.peek(key),
    momentOf: (key) => (shelf.peek(key) ?? disk?.peek(key))?.at,
    find<V>(request: Request<V>) {
      // The shelf is keyed by request, so what lies under a key is the answer type of that request.
      const under = (key: string) => shelf.get(key) as Answer<V> | undefined
      const right = rightKey(request)
      const own = under(request.key)
      const held = leavesRoom(own) ? within(own, beside(own, request), clock.now()) : own
      if (right === request.key) return held
      return within(under(right) ?? archive?.findRight(request), held, clock.now())
    },
    stands,
    reread,
    receive(request, received) {
      if ((shelf.peek(request.key)?.at ?? 0) < received.at) shelve(received)
    },
    keep(request, bought, wire) {
      const held = packed(bought, wire)
      shelve(held)
      archive?.keep(
        { request, answer: bought },
        wire,
        tellsOfNow(bought) && shelf.peek(request.key) !== undefined,
      )
      return held
    },
    about: told,
    elsewhere: (record, id, column, passes) =>
      record.timeless.includes(column) ? told(record.name, id, passes, column) : undefined,
    tells(record, id, column, passes) {
      if (!record.timeless.includes(column)) return false
      const { name } = record
      if (facts.about(name, id, passes, column) !== undefined) return true
      return marks(name, id, passes, column).length > 0
    },
    fail(request, error, wire) {
      const now = clock.now()
      const own = shelf.peek(request.key)
      const held = leavesRoom(own) ? archive?.find(request) : own
      let retryAt: number | undefined
      if (held !== undefined && isOfUse(held, now) && !isFinal(error)) {
        const later = postponed(held, error.code, now)
        put(later)
        if (shelf.peek(request.key) === later) return
        // Too large for memory: the disk has it, and beside it lies when to ask again.
        retryAt = later.retryAt
      }
      const refusal = refused(request, error, now, shelf.peek(rightKey(request)), retryAt)
      if (refusal.freshUntil <= refusal.at) return
      put(refusal)
      archive?.refuse(request, refusal, wire)
    },
  }
}
