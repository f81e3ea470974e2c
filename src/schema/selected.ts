import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
} from 'graphql'
import { collected, type Within } from './selection.ts'
import { type Spends, spendsOf } from './spends.ts'

/** A field that is selected on objects of a type. */
export interface Selected {
  readonly key: string
  readonly field: GraphQLField<unknown, unknown>
  readonly spends: Spends
  readonly nodes: readonly FieldNode[]
  readonly node: FieldNode
  /** Whether it gives a column of the record, or what costs nothing, and nothing beneath it costs more. */
  readonly isCell: boolean
}

const isCell = (
  { type, args }: GraphQLField<unknown, unknown>,
  spends: Spends,
  nodes: readonly FieldNode[],
  within: Within,
): boolean => {
  if (args.length > 0) return false
  if ((spends.looksUp ?? spends.sends ?? spends.shares ?? spends.asks) !== undefined) return false
  const named = getNamedType(type)
  if (!isObjectType(named)) return isLeafType(named)
  return selectedBy({ type: named, nodes }, within).every(
    (below) => below.isCell && below.spends.column === undefined,
  )
}

/** By selection: one that no variable decides about is the same each time. */
const known = new WeakMap<object, readonly Selected[]>()

const NOTHING: ReadonlyMap<string, readonly FieldNode[]> = new Map()

/** Where a condition is refused, nothing: whoever runs the operation fails the object for it, once that is there. */
const selectionOf = (...asked: Parameters<typeof collected>): ReturnType<typeof collected> => {
  try {
    return collected(...asked)
  } catch (failure) {
    if (failure instanceof GraphQLError) return NOTHING
    throw failure
  }
}

/** The fields that are selected on objects of a type. */
export const selectedBy = (
  {
    type,
    nodes: parents,
  }: { readonly type: GraphQLObjectType; readonly nodes: readonly FieldNode[] },
  within: Within,
): readonly Selected[] => {
  const selection = selectionOf(parents, within, type)
  const before = known.get(selection)
  if (before !== undefined) return before
  const fields = type.getFields()
  const all = [...selection].flatMap(([key, nodes]) => {
    const [node] = nodes
    const field = node && fields[node.name.value]
    if (node === undefined || field === undefined) return []
    const spends = spendsOf(field)
    return [{ key, field, spends, nodes, node, isCell: isCell(field, spends, nodes, within) }]
  })
  known.set(selection, all)
  return all
}
