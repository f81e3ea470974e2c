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

/** Answers fields of entities: from the row at hand, else from the record, which is bought once an operation. */
export interface EntityLoader<R, Id extends number | string> {
  /** The request for a record; throws where nothing can have that id. */
  requestFor(id: Id): Request<R | null>
  /** A column of the entity; the record is asked for only where the row does not tell. */
  tell<K extends keyof R & string>(
    entity: Known<R, Id>,
    column: K,
    asker?: Asker,
  ): Maybe<R[K] | null>
  /** The whole record, null where there is none. To be looked at, and not kept: what is held is its content. */
  record(entity: Known<R, Id>, asker?: Asker): Maybe<Content<R | null>>
  /** Whether rows of other answers tell all of these columns. */
  isKnown(id: Id, columns: readonly string[]): boolean
  /** When all records are here, or failed, that were asked for by now, and yield no sooner than a rank. */
  arrived(rank: Rank): Promise<unknown>
  /** How old and why, where the record of this id is past its freshness. */
  staleness(id: Id): Given['stale']
}

/** A DataLoader's promise of a promise, which its type tells apart. */
type Coming<T> = T | Promise<Maybe<T>>

interface Bought<R> {
  readonly record: Coming<Content<R | null>>
  readonly again: 'cache' | 'merged'
}

interface Exceptions<R, Id> {
  /** Whether the service has a record of this id at all. */
  fetchable?(id: Id): boolean
  /** What to ask for in place of a request that failed. */
  instead?(id: Id, failure: GatewayError): Request<R | null> | undefined
}

const NOTHING: Content<null> = { value: null }

/** Loads records by id: a DataLoader gathers the ids of a tick, each distinct one is one request. */
export const createEntityLoader = <R, Id extends number | string>(
  upstream: Upstream,
  operation: Operation,
  endpoint: Endpoint,
  requestOf: (id: Id) => Request<R | null>,
  { fetchable = () => true, instead }: Exceptions<R, Id> = {},
): EntityLoader<R, Id> => {
  const requests = new Map<Id, Request<R | null>>()
  const requestFor = (id: Id): Request<R | null> => {
    const known = requests.get(id) ?? requestOf(id)
    requests.set(id, known)
    return known
  }
  const bought = new Map<Id, Bought<R>>()
  const stale = new Map<Id, Given['stale']>()
  const kept = (id: Id, given: Given<R | null>): Content<R | null> => {
    if (given.stale !== undefined) stale.set(id, given.stale)
    return given
  }

  /** From now on another request stands for an id whose own has failed; throws the failure where there is none. */
  const replace = (id: Id, failure: unknown): void => {
    const other = failure instanceof GatewayError ? instead?.(id, failure) : undefined
    if (other === undefined || other.key === requestFor(id).key) throw failure
    requests.set(id, other)
  }

  const askers = new Map<Id, { rank?: Rank | undefined; readonly field?: string | undefined }>()
  /** Whoever asks for the same may yield later than the first. */
  const lift = (id: Id, asker: Asker): void => {
    const first = operation.inTurn && askers.get(id)
    const rank = rankOf(asker)
    if (first === undefined || rank >= rankOf(first)) return
    first.rank = rank
    upstream.lift(requestFor(id), operation, rank)
  }
  const ask = (id: Id) =>
    upstream.call(requestFor(id), operation, askers.get(id), (given) => kept(id, given))
  const askInstead = (id: Id, failure: unknown) => {
    replace(id, failure)
    return ask(id)
  }
  const load = (id: Id): Maybe<Content<R | null>> => {
    try {
      const given = ask(id)
      if (instead === undefined || !(given instanceof Promise)) return given
      return given.catch((failure) => askInstead(id, failure))
    } catch (failure) {
      // A refusal that is held.
      return askInstead(id, failure)
    }
  }
  const loadAll = (ids: readonly Id[]) =>
    ids.map((id) => {
      try {
        return load(id)
      } catch (failure) {
        return failure instanceof Error ? failure : new Error('not an error', { cause: failure })
      }
    })
  // A promise of promises: each is given as it comes, and need not be held while others of its tick are waited for.
  const loader = new DataLoader<Id, Maybe<Content<R | null>>>(
    (ids) => Promise.resolve(loadAll(ids)),
    { cache: false },
  )

  const take = (id: Id, asker: Asker): Given<R | null> | undefined => {
    try {
      return upstream.take(requestFor(id), operation, asker)
    } catch (failure) {
      replace(id, failure)
      return upstream.take(requestFor(id), operation, asker)
    }
  }

  const buy = (id: Id, asker: Asker): Bought<R> => {
    const given = take(id, asker)
    if (given !== undefined) return { record: kept(id, given), again: 'cache' }
    askers.set(id, operation.inTurn === undefined ? asker : { ...asker })
    return { record: loader.load(id), again: 'merged' }
  }

  const recordOf = (entity: Known<R, Id>, asker: Asker): Coming<Content<R | null>> => {
    if (!fetchable(entity.cmId)) return NOTHING
    const before = bought.get(entity.cmId)
    const now = before ?? buy(entity.cmId, asker)
    if (before === undefined) bought.set(entity.cmId, now)
    const { ledger } = operation
    if (entity.counted !== undefined && entity.counted !== 'called')
      ledger.save(entity.counted, -1, endpoint.name, entity.countedFor)
    if (before !== undefined) {
      ledger.save(now.again, 1, endpoint.name, asker.field)
      lift(entity.cmId, asker)
    }
    entity.counted = 'called'
    return now.record
  }

  const record = (entity: Known<R, Id>, asker: Asker = {}): Maybe<Content<R | null>> => {
    if (entity.record !== undefined) {
      lift(entity.cmId, asker)
      return entity.record
    }
    const record = recordOf(entity, asker)
    if (!(record instanceof Promise)) entity.record = record
    else
      entity.record = record.then((found) => {
        entity.record = found
        return found
      })
    return entity.record
  }

  const fromElsewhere = <K extends keyof R & string>(id: Id, column: K): R[K] | undefined => {
    const given = upstream.elsewhere(endpoint, id, column, operation)
    if (given?.stale !== undefined && !stale.has(id)) stale.set(id, given.stale)
    return given?.value as R[K] | undefined
  }

  const count = (
    entity: Known<R, Id>,
    saving: 'hydrated' | 'cache',
    field: string | undefined,
  ): void => {
    if (entity.counted !== undefined) return
    operation.ledger.save(saving, 1, endpoint.name, field)
    entity.counted = saving
    entity.countedFor = field
  }

  return {
    requestFor,
    record,
    arrived: (rank) =>
      Promise.allSettled(
        Array.from(bought, ([id, { record }]) =>
          rankOf(askers.get(id)) > rank ? undefined : record,
        ),
      ),
    staleness: (id) => stale.get(id),
    isKnown: (id, columns) =>
      columns.every((column) => upstream.tells(endpoint, id, column, operation)),
    tell(entity, column, asker) {
      const told = entity.row?.[column]
      if (told !== undefined) {
        count(entity, 'hydrated', asker?.field)
        return told
      }
      if (entity.record === undefined) {
        const known = fromElsewhere(entity.cmId, column)
        if (known !== undefined) {
          count(entity, 'cache', asker?.field)
          return known
        }
      }
      const whole = record(entity, asker)
      if (!(whole instanceof Promise)) return whole.value?.[column] ?? null
      return whole.then(({ value }) => value?.[column] ?? null)
    },
  }
}
