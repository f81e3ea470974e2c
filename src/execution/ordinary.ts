import {
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { memo } from '../memo.ts'
import type { Query } from '../schema/query.ts'
import { isConditional } from '../schema/selection.ts'

/** Names that mean something else to an object. */
const RESERVED = '__proto__'

/**
 * Whether an operation asks for nothing but fields of objects: no interface and no union, no introspection, nothing that
 * a variable leaves out.
 */
export const createOrdinary = (schema: GraphQLSchema) => {
  const isPlain = (type: unknown): boolean =>
    isObjectType(type)
      ? type.isTypeOf === undefined || type.isTypeOf === null
      : !isAbstractType(type)

  const find = ({ document, operation }: Query): boolean => {
    let isOrdinary = operation.operation === OperationTypeNode.QUERY
    const info = new TypeInfo(schema)
    const look = visitWithTypeInfo(info, {
      Field(node) {
        const type = info.getType()
        const isMeta = /^__(schema|type)$/.test(node.name.value)
        const isOdd = isMeta || node.alias?.value === RESERVED || isConditional(node)
        isOrdinary &&= !isOdd && (!type || isPlain(getNamedType(type)))
      },
      FragmentSpread(node) {
        isOrdinary &&= !isConditional(node)
      },
      InlineFragment(node) {
        isOrdinary &&= !isConditional(node)
      },
    })
    visit(document, look)
    return isOrdinary
  }

  return memo(find)
}
