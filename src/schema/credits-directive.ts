import {
  DirectiveLocation,
  type DirectiveNode,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInt,
  type GraphQLResolveInfo,
  getDirectiveValues,
} from 'graphql'
import { type Asker, RANK, type Rank } from '../upstream/turn.ts'

const CreditPriority = new GraphQLEnumType({
  name: 'CreditPriority',
  description: 'Who yields when credits run short.',
  values: {
    HIGH: { value: RANK.HIGH, description: 'Given up last.' },
    NORMAL: { value: RANK.NORMAL, description: 'The usual.' },
    LOW: { value: RANK.LOW, description: 'Given up first.' },
  },
})

/** `@credits`: what an operation may spend and how fresh its answers must be, or what of it is given up first. */
export const creditsDirective = new GraphQLDirective({
  name: 'credits',
  description:
    'Spending limits of one operation, or the rank of one field when a limit bites. A header that differs: the stricter holds.',
  locations: [DirectiveLocation.QUERY, DirectiveLocation.FIELD],
  args: {
    limit: {
      type: GraphQLInt,
      description: 'On an operation: most credits it may put on the wire.',
    },
    maxAge: {
      type: GraphQLInt,
      description: 'On an operation: greatest age of an answer, seconds.',
    },
    maxStale: {
      type: GraphQLInt,
      description:
        'On an operation: how long past its freshness an answer is still welcome, seconds.',
    },
    onlyIfCached: {
      type: GraphQLBoolean,
      description: 'On an operation: spend nothing; what is not held is null with NOT_CACHED.',
    },
    priority: { type: CreditPriority, description: 'On a field: what is given up first.' },
  },
})

interface Node {
  readonly directives?: readonly DirectiveNode[]
}

/** The arguments of `@credits` on a node; undefined where it has none. */
export const creditsOn = (node: Node, variables: GraphQLResolveInfo['variableValues']) =>
  node.directives?.some(({ name }) => name.value === creditsDirective.name)
    ? getDirectiveValues(creditsDirective, node, variables)
    : undefined

interface KnownAsker {
  readonly parentType: unknown
  readonly asker: Asker
}

/** By field node: without a rank of its own a field asks the same way each time. */
const unranked = new WeakMap<object, KnownAsker>()

/** Who asks: the field at hand, with the rank that a client gave it. */
export const askerOf = (info: GraphQLResolveInfo): Asker => {
  const { fieldNodes, parentType, fieldName } = info
  const [node, ...others] = fieldNodes
  const known = node && others.length === 0 ? unranked.get(node) : undefined
  if (known?.parentType === parentType) return known.asker
  const asker = { rank: rankOf(info), field: `${parentType.name}.${fieldName}` }
  const isPlain = others.length === 0 && (node?.directives ?? []).length === 0
  if (node !== undefined && isPlain) unranked.set(node, { parentType, asker })
  return asker
}

/** The rank that a client gave the field at hand; undefined where it gave none. */
export const rankOf = ({ fieldNodes, variableValues }: GraphQLResolveInfo): Rank | undefined => {
  for (const node of fieldNodes) {
    const rank = creditsOn(node, variableValues)?.priority
    if (typeof rank === 'number') return rank as Rank
  }
  return undefined
}
