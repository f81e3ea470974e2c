import DataLoader from 'dataloader'
import type { Saving } from '../credits/ledger.ts'
import { GatewayError } from '../errors.ts'
import type { Content } from '../upstream/answer.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Told } from '../upstream/decode.ts'
import type { Given } from '../upstream/desk.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Request } from '../upstream/request.ts'
import { type Asker, type Rank, rankOf } from '../upstream/turn.ts'

type Maybe<T> = T | Promise<T>

/** One occurrence of an entity in a result: its number, and what the row it was met in tells about it. */
export interface Known<R, Id extends number | string = number> {
  readonly cmId: Id
  readonly row: Told<R> | undefined
  /** Whether this occurrence was counted, and as what: each counts once. */
  counted?: Extract<Saving, 'hydrated' | 'cache'> | 'called'
  /** The field that it was counted for. */
  countedFor?: string | undefined
  record?: Maybe<Content<R | null>>
}

export const known = <R, Id extends number | string = number>(
  cmId: Id,
  row?: Told<R>,
): Known<R, Id> => ({ cmId, row })

/** A DataLoader's promise of a promise, which its type tells apart. */
type Coming<T> = T | Promise<Maybe<T>>

/** What an operation knows of one id. */
interface Entry<R, Id> {
  readonly id: Id
  request: Request<R | null> | undefined
  /** Who asks, where its record is sent for. */
  asker: { rank?: Rank | undefined; readonly field?: string | undefined } | undefined
  record: Coming<Content<R | null>> | undefined
  /** What it is to whoever asks for the record again. */
  again: 'cache' | 'merged'
  stale: Given['stale']
}

/** By what the records of one kind are asked for. */
export interface RecordKind<R, Id> {
  readonly endpoint: Endpoint
  /** Throws where nothing can have that id. */
  requestOf(id: Id): Request<R | null>
  /** Whether the service has a record of this id at all. */
  isFetchable?(id: Id): boolean
  /** What to ask for in place of a request that failed. */
  instead?(id: Id, failure: GatewayError): Request<R | null> | undefined
}

const NOTHING: Content<null> = { value: null }

/**
 * Answers fields of entities: from the row at hand, else from the record, which is bought once an operation. A DataLoader
 * gathers the ids of a tick, each distinct one is one request. A class, since each cold operation has one or more.
 */
export class EntityLoader<R, Id extends number | string> {
  readonly #upstream: Upstream
  readonly #operation: Operation
  readonly #kind: RecordKind<R, Id>
  readonly #entries = new Map<Id, Entry<R, Id>>()
  #tick: DataLoader<Entry<R, Id>, Maybe<Content<R | null>>> | undefined = undefined

  constructor(upstream: Upstream, operation: Operation, kind: RecordKind<R, Id>) {
    this.#upstream = upstream
    this.#operation = operation
    this.#kind = kind
  }

  #entryOf(id: Id): Entry<R, Id> {
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    const entry: Entry<R, Id> = {
      id,
      request: undefined,
      asker: undefined,
      record: undefined,
      again: 'merged',
      stale: undefined,
    }
    this.#entries.set(id, entry)
    return entry
  }

  #requestFor(entry: Entry<R, Id>): Request<R | null> {
    entry.request ??= this.#kind.requestOf(entry.id)
    return entry.request
  }

  #kept(entry: Entry<R, Id>, given: Given<R | null>): Content<R | null> {
    if (given.stale !== undefined) entry.stale = given.stale
    return given
  }

  /** From now on another request stands for an id whose own has failed; throws the failure where there is none. */
  #replace(entry: Entry<R, Id>, failure: unknown): void {
    const other =
      failure instanceof GatewayError ? this.#kind.instead?.(entry.id, failure) : undefined
    if (other === undefined || other.key === this.#requestFor(entry).key) throw failure
    entry.request = other
  }

  /** Whoever asks for the same may yield later than the first. */
  #lift(id: Id, asker: Asker): void {
    const entry = this.#operation.inTurn && this.#entries.get(id)
    const rank = rankOf(asker)
    if (entry?.asker === undefined || rank >= rankOf(entry.asker)) return
    entry.asker.rank = rank
    this.#upstream.lift(this.#requestFor(entry), this.#operation, rank)
  }

  #ask(entry: Entry<R, Id>): Maybe<Content<R | null>> {
    return this.#upstream.call(this.#requestFor(entry), this.#operation, entry.asker, (given) =>
      this.#kept(entry, given),
    )
  }

  #askInstead(entry: Entry<R, Id>, failure: unknown): Maybe<Content<R | null>> {
    this.#replace(entry, failure)
    return this.#ask(entry)
  }

  #load(entry: Entry<R, Id>): Maybe<Content<R | null>> {
    try {
      const given = this.#ask(entry)
      if (this.#kind.instead === undefined || !(given instanceof Promise)) return given
      return given.catch((failure) => this.#askInstead(entry, failure))
    } catch (failure) {
      // A refusal that is held.
      return this.#askInstead(entry, failure)
    }
  }

  #loadAll(entries: readonly Entry<R, Id>[]) {
    return entries.map((entry) => {
      try {
        return this.#load(entry)
      } catch (failure) {
        return failure instanceof Error ? failure : new Error('not an error', { cause: failure })
      }
    })
  }

  #take(entry: Entry<R, Id>, asker: Asker): Given<R | null> | undefined {
    try {
      return this.#upstream.take(this.#requestFor(entry), this.#operation, asker)
    } catch (failure) {
      this.#replace(entry, failure)
      return this.#upstream.take(this.#requestFor(entry), this.#operation, asker)
    }
  }

  #buy(entry: Entry<R, Id>, asker: Asker): Coming<Content<R | null>> {
    const given = this.#take(entry, asker)
    if (given !== undefined) {
      entry.again = 'cache'
      return this.#kept(entry, given)
    }
    entry.asker = this.#operation.inTurn === undefined ? asker : { ...asker }
    // A promise of promises: each is given as it comes, and need not be held while others of its tick are waited for.
    this.#tick ??= new DataLoader((entries) => Promise.resolve(this.#loadAll(entries)), {
      cache: false,
    })
    return this.#tick.load(entry)
  }

  #recordOf(entity: Known<R, Id>, asker: Asker): Coming<Content<R | null>> {
    const { endpoint, isFetchable } = this.#kind
    if (isFetchable?.(entity.cmId) === false) return NOTHING
    const entry = this.#entryOf(entity.cmId)
    const before = entry.record
    const now = before ?? this.#buy(entry, asker)
    entry.record = now
    const { ledger } = this.#operation
    if (entity.counted !== undefined && entity.counted !== 'called')
      ledger.save(entity.counted, -1, endpoint.name, entity.countedFor)
    if (before !== undefined) {
      ledger.save(entry.again, 1, endpoint.name, asker.field)
      this.#lift(entity.cmId, asker)
    }
    entity.counted = 'called'
    return now
  }

  #fromElsewhere<K extends keyof R & string>(id: Id, column: K): R[K] | undefined {
    const given = this.#upstream.elsewhere(this.#kind.endpoint, id, column, this.#operation)
    if (given?.stale !== undefined) this.#entryOf(id).stale ??= given.stale
    return given?.value as R[K] | undefined
  }

  #count(entity: Known<R, Id>, saving: 'hydrated' | 'cache', field: string | undefined): void {
    if (entity.counted !== undefined) return
    this.#operation.ledger.save(saving, 1, this.#kind.endpoint.name, field)
    entity.counted = saving
    entity.countedFor = field
  }

  /** Refuses an id that nothing can have. */
  check(id: Id): void {
    this.#requestFor(this.#entryOf(id))
  }

  /** A column of the entity; the record is asked for only where the row does not tell. */
  tell<K extends keyof R & string>(
    entity: Known<R, Id>,
    column: K,
    asker?: Asker,
  ): Maybe<R[K] | null> {
    const told = entity.row?.[column]
    if (told !== undefined) {
      this.#count(entity, 'hydrated', asker?.field)
      return told
    }
    if (entity.record === undefined) {
      const known = this.#fromElsewhere(entity.cmId, column)
      if (known !== undefined) {
        this.#count(entity, 'cache', asker?.field)
        return known
      }
    }
    const whole = this.record(entity, asker)
    if (!(whole instanceof Promise)) return whole.value?.[column] ?? null
    return whole.then(({ value }) => value?.[column] ?? null)
  }

  /** The whole record, null where there is none. To be looked at, and not kept: what is held is its content. */
  record(entity: Known<R, Id>, asker: Asker = {}): Maybe<Content<R | null>> {
    if (entity.record !== undefined) {
      this.#lift(entity.cmId, asker)
      return entity.record
    }
    const record = this.#recordOf(entity, asker)
    if (!(record instanceof Promise)) entity.record = record
    else
      entity.record = record.then((found) => {
        entity.record = found
        return found
      })
    return entity.record
  }

  /** Whether rows of other answers tell all of these columns. */
  isKnown(id: Id, columns: readonly string[]): boolean {
    const { endpoint } = this.#kind
    return columns.every((column) => this.#upstream.tells(endpoint, id, column, this.#operation))
  }

  /** When all records are here, or failed, that were asked for by now, and yield no sooner than a rank. */
  arrived(rank: Rank): Promise<unknown> {
    return Promise.allSettled(
      Array.from(this.#entries.values(), ({ asker, record }) =>
        rankOf(asker) > rank ? undefined : record,
      ),
    )
  }

  /** How old and why, where the record of this id is past its freshness. */
  staleness(id: Id): Given['stale'] {
    return this.#entries.get(id)?.stale
  }
}
