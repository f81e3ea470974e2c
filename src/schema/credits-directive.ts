import {
  DirectiveLocation,
  type DirectiveNode,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInt,
  type GraphQLObjectType,
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

/** What a resolver is told of its field; with who asks, where that is the same each time. */
interface Asking extends GraphQLResolveInfo {
  readonly asker?: Asker | undefined
}

/** Who asks, where no directive of the field may give it a rank; undefined where one may. */
export const plainAskerOf = (
  nodes: readonly Node[],
  { name }: GraphQLObjectType,
  fieldName: string,
): Asker | undefined =>
  nodes.every(({ directives = [] }) => directives.length === 0)
    ? { rank: undefined, field: `${name}.${fieldName}` }
    : undefined

/** Who asks: the field at hand, with the rank that a client gave it. */
export const askerOf = (info: Asking): Asker =>
  info.asker ?? { rank: rankOf(info), field: `${info.parentType.name}.${info.fieldName}` }

/** The rank that a client gave the field at hand; undefined where it gave none. */
export const rankOf = ({ fieldNodes, variableValues }: GraphQLResolveInfo): Rank | undefined => {
  for (const node of fieldNodes) {
    const rank = creditsOn(node, variableValues)?.priority
    if (typeof rank === 'number') return rank as Rank
  }
  return undefined
}
