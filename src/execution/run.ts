import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLObjectType,
  TypeNameMetaFieldDef,
} from 'graphql'
import type { Context } from '../context.ts'
import type { Query } from '../schema/query.ts'
import { type Field, fieldsBelow, rootFields } from './field.ts'
import { type Asking, Info } from './info.ts'
import { Place, type Slots, type Unfinished } from './place.ts'
import type { Shape } from './shape.ts'
import { Whole } from './whole.ts'

type Answer = Record<string, unknown>

/** What runs: an operation with its variables as the schema reads them. */
export interface Running extends Asking {
  readonly context: Context
}

/** Fields of one object that wait for the same. */
interface Wait {
  readonly until: Promise<unknown>
  readonly answer: Answer
  readonly fields: Field[]
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/**
 * One execution of an operation, as the specification of GraphQL says ("Executing Selection Sets"). Objects and lists
 * stand in the answer from the start and are filled as values come: a promise for what is waited for, none for what it
 * stands in.
 */
class Run {
  readonly fragments: Query['fragments']
  readonly variableValues: Record<string, unknown>
  readonly #running: Running
  /** Of fields with variables in their arguments: the same for each row; those of the root are asked once. */
  #args: Map<Field, Record<string, unknown>> | undefined = undefined
  readonly #root: GraphQLObjectType
  /** The last that began; fields of an object come one after the other. */
  #wait: Wait | undefined = undefined

  constructor(running: Running, root: GraphQLObjectType) {
    this.fragments = running.query.fragments
    this.variableValues = running.variables
    this.#running = running
    this.#root = root
  }

  start(): ExecutionResult | Promise<ExecutionResult> {
    const { query } = this.#running
    const whole = new Whole()
    try {
      whole.data = this.#object(rootFields(this.#root, query, this), {}, whole)
    } catch (failure) {
      whole.lose(failure)
    }
    return whole.result
  }

  #object(fields: readonly Field[], source: unknown, place: Unfinished): Answer {
    const answer: Answer = {}
    try {
      for (const field of fields) answer[field.key] = this.#field(field, source, answer, place)
    } catch (failure) {
      if (place.pending === 0) throw failure
      place.failure = failure
    }
    return answer
  }

  #list(values: Iterable<unknown>, item: Shape, place: Place): unknown[] {
    const all: unknown[] = []
    try {
      for (const value of values)
        all.push(this.#settle(value, all.length, place.field, item, all, place))
    } catch (failure) {
      if (place.pending === 0) throw failure
      place.failure = failure
    }
    return all
  }

  #field(field: Field, source: unknown, answer: Answer, parent: Unfinished): unknown {
    if (field.definition === TypeNameMetaFieldDef) return field.parent.name
    const { key, shape, resolve, until } = field
    let value: unknown
    try {
      if (resolve === undefined) value = (source as Answer)[field.name]
      else {
        const { context } = this.#running
        const info = new Info(this.#running, field, parent, answer)
        const awaited = until?.(source as never, context, info)
        if (awaited !== undefined) {
          this.#join(awaited, field, source, answer, parent)
          return undefined
        }
        value = resolve(source, this.#argsOf(field), context, info)
      }
    } catch (failure) {
      return new Place(parent, key, answer, field, shape).fail(failure)
    }
    return this.#settle(value, key, field, shape, answer, parent)
  }

  #argsOf(field: Field): Record<string, unknown> {
    const known = field.args ?? this.#args?.get(field)
    if (known !== undefined) return known
    const args = field.argsOf(this.variableValues)
    if (field.parent === this.#root) return args
    this.#args ??= new Map()
    this.#args.set(field, args)
    return args
  }

  /** Has a field wait with those of the same object that wait for the same. */
  #join(
    until: Promise<unknown>,
    field: Field,
    source: unknown,
    answer: Answer,
    parent: Unfinished,
  ): void {
    parent.pending += 1
    const last = this.#wait
    if (last?.until === until && last.answer === answer) {
      last.fields.push(field)
      return
    }
    const fields = [field]
    this.#wait = { until, answer, fields }
    const placeOf = (one: Field) => new Place(parent, one.key, answer, one, one.shape)
    until.then(
      () => {
        for (const one of fields) this.#again(one, source, placeOf(one))
      },
      (failure) => {
        for (const one of fields) placeOf(one).miss(failure)
      },
    )
  }

  /** Asks a field again, now that what it waited for is here. */
  #again(field: Field, source: unknown, place: Place): void {
    let value: unknown
    try {
      const info = new Info(this.#running, field, place.parent, place.within)
      value = field.resolve?.(source, this.#argsOf(field), this.#running.context, info)
    } catch (failure) {
      place.miss(failure)
      return
    }
    if (value instanceof Promise) this.#await(value, place)
    else this.#come(value, place)
  }

  /** What stands in a place for now: the value, null for one that fails, nothing yet for one that is to come. */
  #settle(
    value: unknown,
    key: string | number,
    field: Field,
    shape: Shape,
    within: Slots,
    parent: Unfinished,
  ): unknown {
    if ((value === null || value === undefined) && !shape.isNonNull) return null
    if (shape.leaf !== undefined && typeof value !== 'object' && value !== undefined)
      try {
        return this.#written(value, field, shape)
      } catch (failure) {
        return new Place(parent, key, within, field, shape).fail(failure)
      }
    const place = new Place(parent, key, within, field, shape)
    if (value instanceof Promise) {
      parent.pending += 1
      this.#await(value, place)
      return undefined
    }
    try {
      const whole = this.#complete(value, place)
      if (place.pending > 0) parent.pending += 1
      return whole
    } catch (failure) {
      return place.fail(failure)
    }
  }

  #await(value: Promise<unknown>, place: Place): void {
    value.then(
      (got) => this.#come(got, place),
      (failure) => place.miss(failure),
    )
  }

  #come(value: unknown, place: Place): void {
    try {
      place.put(this.#complete(value, place))
    } catch (failure) {
      place.miss(failure)
      return
    }
    if (place.pending === 0) place.finish()
  }

  #complete(value: unknown, place: Place): unknown {
    const { field, shape } = place
    if (value === null || value === undefined) {
      if (!shape.isNonNull) return null
      throw new Error(
        `Cannot return null for non-nullable field ${field.parent.name}.${field.name}.`,
      )
    }
    if (value instanceof Error) throw value
    const { leaf, object, item } = shape
    if (leaf !== undefined) return this.#written(value, field, shape)
    if (object !== undefined) return this.#object(fieldsBelow(field, object, this), value, place)
    if (item !== undefined && isIterable(value)) return this.#list(value, item, place)
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${field.parent.name}.${field.name}".`,
    )
  }

  #written(value: unknown, { parent, name }: Field, { leaf }: Shape): unknown {
    const written = leaf?.serialize(value)
    if (written !== null && written !== undefined) return written
    throw new Error(`${leaf?.name} cannot represent what ${parent.name}.${name} gave.`)
  }
}

/** Runs an ordinary operation; whatever fails, the answer says so. */
export const run = (running: Running): ExecutionResult | Promise<ExecutionResult> => {
  const root = running.schema.getQueryType()
  if (!root) throw new Error('the schema has no queries')
  return new Run(running, root).start()
}
