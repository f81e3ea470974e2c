import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { Query } from '../schema/query.ts'
import type { Field } from './field.ts'
import { Place, type Slots, type Unfinished } from './place.ts'

/** What is the same for each field of a run. */
export interface Asking {
  readonly schema: GraphQLSchema
  readonly query: Query
  /** As the schema reads them. */
  readonly variables: Record<string, unknown>
}

/** What resolvers are told of a field. A class, since most of them read two or three of its ten members. */
export class Info implements GraphQLResolveInfo {
  readonly rootValue = undefined
  readonly #asking: Asking
  readonly #field: Field
  readonly #parent: Unfinished
  readonly #within: Slots
  #path: Place | undefined = undefined

  constructor(asking: Asking, field: Field, parent: Unfinished, within: Slots) {
    this.#asking = asking
    this.#field = field
    this.#parent = parent
    this.#within = within
  }

  get path() {
    const { key, shape } = this.#field
    this.#path ??= new Place(this.#parent, key, this.#within, this.#field, shape)
    return this.#path
  }

  get fieldName() {
    return this.#field.name
  }

  get fieldNodes() {
    return this.#field.nodes
  }

  get asker() {
    return this.#field.asker
  }

  get returnType() {
    return this.#field.type
  }

  get parentType() {
    return this.#field.parent
  }

  get schema() {
    return this.#asking.schema
  }

  get fragments() {
    return this.#asking.query.fragments
  }

  get operation() {
    return this.#asking.query.operation
  }

  get variableValues() {
    return this.#asking.variables
  }
}
