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

/** Selections that no variable decides about, by the type of the objects: they are the same each time. */
const settled = new WeakMap<SelectionSetNode, Map<GraphQLObjectType, Fields>>()

/**
 * The fields selected on objects of a type, by the key that they have in the answer; skipped ones are left out, each
 * fragment is read once.
 */
export const collected = (
  nodes: readonly FieldNode[],
  within: Within,
  type: GraphQLObjectType,
): Fields => {
  const [only, ...others] = nodes
  const alone = others.length === 0 ? only?.selectionSet : undefined
  const known = alone && settled.get(alone)?.get(type)
  if (known !== undefined) return known
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<FragmentDefinitionNode>()
  let isSettled = true
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (isConditional(node)) {
        isSettled = false
        if (!isIncluded(node, within)) continue
      }
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
  if (alone !== undefined && isSettled)
    settled.set(alone, (settled.get(alone) ?? new Map()).set(type, fields))
  return fields
}
