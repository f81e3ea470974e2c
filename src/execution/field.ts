import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  TypeNameMetaFieldDef,
} from 'graphql'
import { type ArgsOf, argsOf, settledOf } from '../schema/argument.ts'
import { plainAskerOf } from '../schema/credits-directive.ts'
import type { Query } from '../schema/query.ts'
import { collected, type Within } from '../schema/selection.ts'
import { type Spends, spendsOf } from '../schema/spends.ts'
import type { Asker } from '../upstream/turn.ts'
import { type Shape, shapeOf } from './shape.ts'

/** A field of a selection set, with all that is the same from one object to the next. */
export interface Field {
  /** Under which it stands in the answer. */
  readonly key: string
  readonly parent: GraphQLObjectType
  readonly name: string
  readonly nodes: readonly FieldNode[]
  /** The first of these: all ask with the same arguments. */
  readonly node: FieldNode
  readonly definition: GraphQLField<unknown, unknown>
  readonly type: GraphQLOutputType
  readonly shape: Shape
  /** Undefined where the object has the value itself. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined
  readonly until: Spends['until']
  /** Who asks; undefined where a client may have given it a rank. */
  readonly asker: Asker | undefined
  /** Its arguments, where no variable may be among them. */
  readonly args: Record<string, unknown> | undefined
  readonly argsOf: ArgsOf
  /** What is selected beneath, once it was asked for: an ordinary operation leaves nothing to variables. */
  below: readonly Field[] | undefined
}

const fieldOf = (parent: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): Field[] => {
  const [node] = nodes
  if (node === undefined) return []
  const name = node.name.value
  const isOfAll = name === TypeNameMetaFieldDef.name
  const definition = isOfAll ? TypeNameMetaFieldDef : parent.getFields()[name]
  if (definition === undefined) return []
  const { type, resolve = defaultFieldResolver } = definition
  return [
    {
      key,
      parent,
      name,
      nodes,
      node,
      definition,
      type,
      shape: shapeOf(type),
      resolve: resolve === defaultFieldResolver ? undefined : resolve,
      until: spendsOf(definition).until,
      asker: plainAskerOf(nodes, parent, name),
      args: settledOf(definition, node),
      argsOf: argsOf(definition, node),
      below: undefined,
    },
  ]
}

const fieldsOf = (
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  within: Within,
): readonly Field[] =>
  [...collected(nodes, within, type)].flatMap(([key, own]) => fieldOf(type, key, own))

interface Root {
  readonly type: GraphQLObjectType
  readonly fields: readonly Field[]
}

const known = new WeakMap<Query, Root>()

/** The fields that an ordinary operation selects, in the order of the answer. */
export const rootFields = (
  type: GraphQLObjectType,
  query: Query,
  within: Within,
): readonly Field[] => {
  const before = known.get(query)
  if (before?.type === type) return before.fields
  const fields = fieldsOf(type, [query.root], within)
  known.set(query, { type, fields })
  return fields
}

/** The same of a field that gives objects of a type. */
export const fieldsBelow = (
  field: Field,
  type: GraphQLObjectType,
  within: Within,
): readonly Field[] => {
  field.below ??= fieldsOf(type, field.nodes, within)
  return field.below
}
