import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  locatedError,
  TypeNameMetaFieldDef,
} from 'graphql'
import type { Context } from '../context.ts'
import { argumentsOf } from '../schema/argument.ts'
import { keysOf, type Path } from '../schema/path.ts'
import type { Query } from '../schema/query.ts'
import { type Field, fieldsOf } from './field.ts'
import type { Shape } from './shape.ts'

type Maybe<T> = T | Promise<T>
type Answer = Record<string, unknown>

/** What runs: an operation with its variables as the schema reads them. */
export interface Running {
  readonly schema: GraphQLSchema
  readonly query: Query
  readonly variables: Record<string, unknown>
  readonly context: Context
}

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/** Those beside what failed may fail as well, and somebody has to hear of it. */
const failedBeside = (waiting: readonly Promise<unknown>[], error: unknown): Promise<never> => {
  if (waiting.length === 0) throw error
  const fail = () => Promise.reject(error)
  return Promise.all(waiting).then(fail, fail)
}

/** One execution of an operation, as the specification of GraphQL says ("Executing Selection Sets"). */
class Run {
  readonly errors: GraphQLError[] = []
  readonly fragments: Query['fragments']
  readonly variableValues: Record<string, unknown>
  readonly #nulled = new Set<Path | undefined>()
  readonly #schema: GraphQLSchema
  readonly #operation: Query['operation']
  readonly #context: Context
  /** Of fields with variables in their arguments: the same for each row. */
  readonly #args = new Map<Field, Record<string, unknown>>()

  constructor({ schema, query, variables, context }: Running) {
    this.fragments = query.fragments
    this.variableValues = variables
    this.#schema = schema
    this.#operation = query.operation
    this.#context = context
  }

  /** An error beneath a place that is null already tells nothing. */
  note(error: GraphQLError, path: Path | undefined): void {
    for (let at = path; at !== undefined; at = at.prev) if (this.#nulled.has(at)) return
    if (this.#nulled.has(undefined)) return
    this.#nulled.add(path)
    this.errors.push(error)
  }

  selection(
    type: GraphQLObjectType,
    fields: readonly Field[],
    source: unknown,
    path: Path | undefined,
  ): Maybe<Answer> {
    const answer: Answer = {}
    const waiting: Promise<void>[] = []
    try {
      for (const field of fields) {
        const value = this.#field(type, field, source, path)
        answer[field.key] = value
        if (isPromise(value))
          waiting.push(
            value.then((got) => {
              answer[field.key] = got
            }),
          )
      }
    } catch (error) {
      return failedBeside(waiting, error)
    }
    return waiting.length === 0 ? answer : Promise.all(waiting).then(() => answer)
  }

  #field(type: GraphQLObjectType, field: Field, source: unknown, prev: Path | undefined): unknown {
    if (field.definition === TypeNameMetaFieldDef) return type.name
    const path = { prev, key: field.key, typename: type.name }
    let value: unknown
    try {
      value =
        field.resolve === undefined
          ? (source as Answer)[field.name]
          : field.resolve(source, this.#argsOf(field), this.#context, this.#info(type, field, path))
    } catch (failure) {
      return this.#fail(failure, field, field.shape, path)
    }
    return this.#settled(type, field, field.shape, value, path)
  }

  #argsOf(field: Field): Record<string, unknown> {
    const known = field.args ?? this.#args.get(field)
    if (known !== undefined) return known
    const args = argumentsOf(field.definition, field.node, this.variableValues)
    this.#args.set(field, args)
    return args
  }

  #info(parentType: GraphQLObjectType, field: Field, path: Path): GraphQLResolveInfo {
    return {
      fieldName: field.name,
      fieldNodes: field.nodes,
      returnType: field.type,
      parentType,
      path,
      schema: this.#schema,
      fragments: this.fragments,
      rootValue: undefined,
      operation: this.#operation,
      variableValues: this.variableValues,
    }
  }

  /** The value, or what stands in its place where it fails. */
  #settled(
    type: GraphQLObjectType,
    field: Field,
    shape: Shape,
    value: unknown,
    path: Path,
  ): Maybe<unknown> {
    try {
      const whole = isPromise(value)
        ? value.then((got) => this.#complete(type, field, shape, got, path))
        : this.#complete(type, field, shape, value, path)
      return isPromise(whole)
        ? whole.then(undefined, (failure) => this.#fail(failure, field, shape, path))
        : whole
    } catch (failure) {
      return this.#fail(failure, field, shape, path)
    }
  }

  #fail(failure: unknown, { nodes }: Field, { isNonNull }: Shape, path: Path): null {
    const error = locatedError(failure, nodes, keysOf(path))
    if (isNonNull) throw error
    this.note(error, path)
    return null
  }

  #complete(
    type: GraphQLObjectType,
    field: Field,
    shape: Shape,
    value: unknown,
    path: Path,
  ): Maybe<unknown> {
    if (value === null || value === undefined) {
      if (!shape.isNonNull) return null
      throw new Error(`Cannot return null for non-nullable field ${type.name}.${field.name}.`)
    }
    if (value instanceof Error) throw value
    if (shape.leaf !== undefined) {
      const written = shape.leaf.serialize(value)
      if (written !== null && written !== undefined) return written
      throw new Error(`${shape.leaf.name} cannot represent what ${type.name}.${field.name} gave.`)
    }
    const { object, item } = shape
    if (object !== undefined)
      return this.selection(object, fieldsOf(object, field.nodes, this), value, path)
    if (item !== undefined && isIterable(value)) return this.#list(type, field, item, value, path)
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${type.name}.${field.name}".`,
    )
  }

  #list(
    type: GraphQLObjectType,
    field: Field,
    item: Shape,
    values: Iterable<unknown>,
    prev: Path,
  ): Maybe<unknown[]> {
    let waits = false
    const all: unknown[] = []
    try {
      for (const value of values) {
        const path = { prev, key: all.length, typename: undefined }
        const whole = this.#settled(type, field, item, value, path)
        waits ||= isPromise(whole)
        all.push(whole)
      }
    } catch (error) {
      return failedBeside(all.filter(isPromise), error)
    }
    return waits ? Promise.all(all) : all
  }
}

/** Runs an ordinary operation; whatever fails, the answer says so. */
export const run = (running: Running): Maybe<ExecutionResult> => {
  const one = new Run(running)
  const answered = (data: Answer | null): ExecutionResult =>
    one.errors.length === 0 ? { data } : { errors: one.errors, data }
  const failed = (failure: GraphQLError): ExecutionResult => {
    one.note(failure, undefined)
    return answered(null)
  }
  const { schema, query } = running
  const root = schema.getQueryType()
  if (!root) throw new Error('the schema has no queries')
  try {
    const data = one.selection(root, fieldsOf(root, [query.root], one), {}, undefined)
    return isPromise(data) ? data.then(answered, failed) : answered(data)
  } catch (failure) {
    return failed(failure as GraphQLError)
  }
}
