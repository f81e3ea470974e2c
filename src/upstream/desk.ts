import type { Saving } from '../credits/ledger.ts'
import { type Answer, type Content, isOfUse, type Standing } from './answer.ts'
import type { Told } from './facts.ts'
import { isWelcome, revalidatesUntil } from './freshness.ts'
import type { Operation } from './operation.ts'
import type { Request } from './request.ts'
import type { Source, StaleReason } from './served.ts'
import type { Clock } from './transport/send.ts'
import type { Asker } from './turn.ts'

/** An answer as it is given out; `stale` says how old and why, where its freshness is over. */
export interface Given<V = unknown> extends Content<V> {
  readonly stale?: { readonly age: number; readonly reason: StaleReason } | undefined
}

/** Of what is given the content alone is kept: a value that somebody who waited long held would grow as old. */
class Handed<V> implements Given<V> {
  readonly #content: Content<V>
  readonly stale: Given['stale']

  constructor(content: Content<V>, stale: Given['stale']) {
    this.#content = content
    this.stale = stale
  }

  get value(): V {
    return this.#content.value
  }
}

/** How an answer is asked for. */
export interface How extends Asker {
  /** The reason to book where the request is not sent. */
  readonly saving?: Saving | undefined
}

export interface DeskParts {
  readonly clock: Clock
  /** Whether answers may be renewed behind the back of operations. */
  readonly mayRefresh: () => boolean
}

/** How an answer that is no longer welcome may still stand in at once: while it is renewed, or because it just could not be. */
type StandIn = 'renews' | 'waits'

/** Gives out answers: judges whether they are good for who asks, and notes that they were given. */
export const createDesk = ({ clock, mayRefresh }: DeskParts) => {
  const serves = (
    known: Pick<Standing, 'at' | 'freshUntil'>,
    { directives, since, stretch }: Operation,
  ): boolean => isWelcome(known, directives, since, clock.now(), stretch)

  const standing = (known: Standing, { directives }: Operation): StandIn | undefined => {
    const now = clock.now()
    if (!isOfUse(known, now)) return undefined
    if (known.retryAt !== undefined && now < known.retryAt) return 'waits'
    const isYoung = directives.maxAge === undefined || now - known.at <= directives.maxAge
    return now < revalidatesUntil(known) && isYoung && mayRefresh() ? 'renews' : undefined
  }

  /** Why an answer is past its freshness that serves all the same; undefined where it is not. */
  const lapse = (known: Standing, { since, directives }: Operation): StaleReason | undefined => {
    if (known.at >= since || clock.now() < known.freshUntil) return undefined
    return directives.maxStale === undefined ? 'BUDGET_PACE' : 'MAX_STALE'
  }

  const aged = <V>(content: Content<V>, { at }: Standing, reason?: StaleReason): Given<V> =>
    new Handed(content, reason && { age: Math.floor((clock.now() - at) / 1000), reason })

  const give = <V>(
    request: Request<V>,
    operation: Operation,
    given: Answer<V>,
    source: Source,
    reason?: StaleReason,
  ): Given<V> => {
    operation.served.note(request, given, source, clock.now())
    if (given.refusal !== undefined) throw given.refusal
    return aged(given.content, given, reason)
  }

  const save = ({ endpoint }: Request, { ledger }: Operation, { saving, field }: How): void =>
    ledger.save(saving ?? 'cache', endpoint.credits, endpoint.name, field)

  return {
    /** Whether it is of use where no newer one can be had. */
    isOfUse: (known: Answer | undefined): boolean =>
      known !== undefined && isOfUse(known, clock.now()),
    serves,
    standing,
    give,
    /** What is held, where it is good for the operation. */
    take<V>(
      request: Request<V>,
      operation: Operation,
      known: Answer<V> | undefined,
      how: How,
    ): Given<V> | undefined {
      if (known === undefined || !serves(known, operation)) return undefined
      save(request, operation, how)
      return give(request, operation, known, 'cache', lapse(known, operation))
    },
    /** Where an answer comes from that is sent for: nothing is held, or it is too old, or not fresh enough for who asks. */
    sourceBeside(known: Answer | undefined): Source {
      if (known === undefined || known.refusal !== undefined) return 'miss'
      return clock.now() < known.freshUntil ? 'request' : 'expired'
    },
    standIn<V>(
      request: Request<V>,
      operation: Operation,
      known: Answer<V>,
      how: How,
      stands: StandIn,
    ): Given<V> {
      save(request, operation, how)
      const reason = stands === 'waits' ? known.failure : 'REVALIDATING'
      return give(request, operation, known, 'stale', reason)
    },
    /** What a row of an answer tells, with the age of that answer. */
    tell<V>(
      told: Told | undefined,
      view: (row: object) => V,
      operation: Operation,
    ): Given<V> | undefined {
      if (told === undefined) return undefined
      operation.served.noteRow(told.answer, operation.since, clock.now())
      return aged({ value: view(told.row) }, told.answer, lapse(told.answer, operation))
    },
  }
}

export type Desk = ReturnType<typeof createDesk>
