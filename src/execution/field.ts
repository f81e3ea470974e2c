import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  TypeNameMetaFieldDef,
} from 'graphql'
import { settledOf } from '../schema/argument.ts'
import { collected, type Within } from '../schema/selection.ts'
import { type Spends, spendsOf } from '../schema/spends.ts'
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
  /** Its arguments, where no variable may be among them. */
  readonly args: Record<string, unknown> | undefined
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
      args: settledOf(definition, node),
    },
  ]
}

/** By selection: one that no variable decides about is the same each time. */
const known = new WeakMap<object, readonly Field[]>()

/** The fields that are selected on objects of a type, in the order of the answer. */
export const fieldsOf = (
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  within: Within,
): readonly Field[] => {
  const selection = collected(nodes, within, type)
  const before = known.get(selection)
  if (before !== undefined) return before
  const fields = [...selection].flatMap(([key, own]) => fieldOf(type, key, own))
  known.set(selection, fields)
  return fields
}
