import {
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { memo } from '../memo.ts'

/** What a field gives, taken apart once: one of three kinds of thing, and whether null may stand in its place. */
export interface Shape {
  readonly isNonNull: boolean
  readonly leaf: GraphQLLeafType | undefined
  readonly object: GraphQLObjectType | undefined
  readonly item: Shape | undefined
}

/** The shape of a type, which is no interface and no union, nor a list of these. */
export const shapeOf: (type: GraphQLOutputType) => Shape = memo((type) => {
  const isNonNull = isNonNullType(type)
  const inner = isNonNull ? type.ofType : type
  return {
    isNonNull,
    leaf: isLeafType(inner) ? inner : undefined,
    object: isObjectType(inner) ? inner : undefined,
    item: isListType(inner) ? shapeOf(inner.ofType) : undefined,
  }
})
