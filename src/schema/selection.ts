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

/** Whether variables may decide that a selection is left out. */
export const isConditional = ({ directives }: Pick<FieldNode, 'directives'>): boolean =>
  directives?.some(({ name }) => CONDITIONS.has(name.value)) === true

const CONDITIONS = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name])

const isIncluded = (node: Parameters<typeof getDirectiveValues>[1], within: Within): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, within.variableValues)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, within.variableValues)?.if !== false

/** Whether a fragment on `condition` holds for objects of `type`. */
const applies = (condition: string | undefined, type: GraphQLObjectType): boolean =>
  condition === undefined ||
  condition === type.name ||
  type.getInterfaces().some(({ name }) => name === condition)

type Fields = ReadonlyMap<string, readonly FieldNode[]>

/** Whether variables may decide that something within a selection is left out, at whatever depth. */
export const isOpen = (
  { selections }: SelectionSetNode,
  fragments: Within['fragments'],
  seen = new Set<string>(),
): boolean =>
  selections.some((node) => {
    if (isConditional(node)) return true
    if (node.kind !== Kind.FRAGMENT_SPREAD)
      return node.selectionSet !== undefined && isOpen(node.selectionSet, fragments, seen)
    const name = node.name.value
    const fragment = seen.has(name) ? undefined : fragments[name]
    seen.add(name)
    return fragment !== undefined && isOpen(fragment.selectionSet, fragments, seen)
  })

/**
 * The fields selected on objects of a type, by the key that they have in the answer; skipped ones are left out, each
 * fragment is read once.
 */
export const collected = (
  nodes: readonly FieldNode[],
  within: Within,
  type: GraphQLObjectType,
): Fields => {
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<FragmentDefinitionNode>()
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (isConditional(node) && !isIncluded(node, within)) continue
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value
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
