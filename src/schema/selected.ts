import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { type ArgsOf, argsOf, settledOf } from './argument.ts'
import { collected, isOpen, type Within } from './selection.ts'
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
  /** Whether what is selected beneath asks the same of all that may come, whatever that is and whatever the variables are. */
  readonly isAlike: boolean
  readonly argsOf: ArgsOf
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

/** Whether a field takes no request, no variable and no object to tell what those beneath it need. */
const isStill = ({ spends, field, node }: Selected): boolean => {
  const { looksUp, represents, sends, shares, asks, gives, tellsCosts } = spends
  const says = looksUp ?? represents ?? sends ?? shares ?? asks ?? gives ?? tellsCosts
  return says === undefined && settledOf(field, node) !== undefined
}

const isAlike = (
  { type }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  within: Within,
): boolean => {
  const named = getNamedType(type)
  if (!isObjectType(named)) return isLeafType(named)
  return selectedBy({ type: named, nodes }, within).every(
    (below) => below.isAlike && isStill(below),
  )
}

type Fields = ReturnType<typeof collected>
type ByType = Map<GraphQLObjectType, readonly Selected[]>

/** Of selections that no variable decides about: they are the same each time. */
const known = new WeakMap<SelectionSetNode, ByType | 'open'>()

const NOTHING: Fields = new Map()

/** Where a condition is refused, nothing: whoever runs the operation fails the object for it, once that is there. */
const selectionOf = (...asked: Parameters<typeof collected>): Fields => {
  try {
    return collected(...asked)
  } catch (failure) {
    if (failure instanceof GraphQLError) return NOTHING
    throw failure
  }
}

/** What is known of a selection; nothing may be kept of one that is open, or put together of several. */
const knownOf = (nodes: readonly FieldNode[], { fragments }: Within): ByType | undefined => {
  const alone = nodes.length === 1 ? nodes[0]?.selectionSet : undefined
  if (alone === undefined) return undefined
  const before = known.get(alone)
  const now = before ?? (isOpen(alone, fragments) ? 'open' : new Map())
  if (before === undefined) known.set(alone, now)
  return now === 'open' ? undefined : now
}

/** The fields that are selected on objects of a type. */
export const selectedBy = (
  {
    type,
    nodes: parents,
  }: { readonly type: GraphQLObjectType; readonly nodes: readonly FieldNode[] },
  within: Within,
): readonly Selected[] => {
  const byType = knownOf(parents, within)
  const before = byType?.get(type)
  if (before !== undefined) return before
  const selection = selectionOf(parents, within, type)
  const fields = type.getFields()
  const all = [...selection].flatMap(([key, nodes]) => {
    const [node] = nodes
    const field = node && fields[node.name.value]
    if (node === undefined || field === undefined) return []
    const spends = spendsOf(field)
    return [
      {
        key,
        field,
        spends,
        nodes,
        node,
        isCell: isCell(field, spends, nodes, within),
        isAlike: byType !== undefined && isAlike(field, nodes, within),
        argsOf: argsOf(field, node),
      },
    ]
  })
  byType?.set(type, all)
  return all
}
