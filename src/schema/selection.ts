import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionSetNode,
} from 'graphql'

export type Within = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>

const isIncluded = (node: Parameters<typeof getDirectiveValues>[1], within: Within): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, within.variableValues)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, within.variableValues)?.if !== false

/** Whether a fragment on `condition` holds for objects of `type`; unknown types are taken to match. */
const applies = (condition: string | undefined, type: GraphQLObjectType | undefined): boolean =>
  condition === undefined ||
  type === undefined ||
  condition === type.name ||
  type.getInterfaces().some(({ name }) => name === condition)

/** The fields selected on what some field nodes give, grouped by `keyOf`; skipped ones are left out, each fragment is read once. */
const group = (
  nodes: readonly FieldNode[],
  within: Within,
  type: GraphQLObjectType | undefined,
  keyOf: (node: FieldNode) => string,
): Map<string, FieldNode[]> => {
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<FragmentDefinitionNode>()
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (!isIncluded(node, within)) continue
      if (node.kind === Kind.FIELD) {
        const key = keyOf(node)
        fields.set(key, [...(fields.get(key) ?? []), node])
        continue
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : within.fragments[node.name.value]
      if (fragment === undefined || !applies(fragment.typeCondition?.name.value, type)) continue
      if (fragment.kind === Kind.FRAGMENT_DEFINITION) {
        if (seen.has(fragment)) continue
        seen.add(fragment)
      }
      collect(fragment.selectionSet)
    }
  }
  for (const { selectionSet } of nodes) if (selectionSet) collect(selectionSet)
  return fields
}

/** The fields selected on what some field nodes give, by name. */
export const selectedOn = (nodes: readonly FieldNode[], within: Within): Map<string, FieldNode[]> =>
  group(nodes, within, undefined, ({ name }) => name.value)

/** The fields selected on what the field at hand gives, by name. */
export const selected = (info: Within & Pick<GraphQLResolveInfo, 'fieldNodes'>) =>
  selectedOn(info.fieldNodes, info)

/** The fields selected on objects of a type, by the key that they have in the answer. */
export const collected = (
  nodes: readonly FieldNode[],
  within: Within,
  type: GraphQLObjectType,
): Map<string, FieldNode[]> =>
  group(nodes, within, type, ({ alias, name }) => (alias ?? name).value)
