import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionSetNode,
} from 'graphql'

type Within = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>

const isIncluded = (node: Parameters<typeof getDirectiveValues>[1], within: Within): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, within.variableValues)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, within.variableValues)?.if !== false

const collect = (
  set: SelectionSetNode,
  within: Within,
  into: Map<string, FieldNode[]>,
  seen: Set<FragmentDefinitionNode>,
): void => {
  for (const node of set.selections) {
    if (!isIncluded(node, within)) continue
    if (node.kind === Kind.FIELD) {
      const fields = into.get(node.name.value) ?? []
      fields.push(node)
      into.set(node.name.value, fields)
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      collect(node.selectionSet, within, into, seen)
    } else {
      const fragment = within.fragments[node.name.value]
      if (fragment === undefined || seen.has(fragment)) continue
      seen.add(fragment)
      collect(fragment.selectionSet, within, into, seen)
    }
  }
}

/** The fields selected on what some field nodes give, by name; skipped ones are left out, each fragment is read once. */
export const selectedOn = (
  nodes: readonly FieldNode[],
  within: Within,
): Map<string, FieldNode[]> => {
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<FragmentDefinitionNode>()
  for (const node of nodes) if (node.selectionSet) collect(node.selectionSet, within, fields, seen)
  return fields
}

/** The fields selected on what the field at hand gives. */
export const selected = (info: GraphQLResolveInfo): Map<string, FieldNode[]> =>
  selectedOn(info.fieldNodes, info)
