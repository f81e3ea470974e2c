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

type Fields = ReadonlyMap<string, readonly FieldNode[]>
type KeyOf = (node: FieldNode) => string

/** Selections that no variable decides about, by what they were asked for: they are the same each time. */
const settled = new WeakMap<SelectionSetNode, Map<KeyOf, Map<unknown, Fields>>>()

const settle = (set: SelectionSetNode, keyOf: KeyOf, type: unknown, fields: Fields): void => {
  const known = settled.get(set) ?? new Map<KeyOf, Map<unknown, Fields>>()
  settled.set(set, known.set(keyOf, (known.get(keyOf) ?? new Map()).set(type, fields)))
}

/** The fields selected on what some field nodes give, grouped by `keyOf`; skipped ones are left out, each fragment is read once. */
const group = (
  nodes: readonly FieldNode[],
  within: Within,
  type: GraphQLObjectType | undefined,
  keyOf: KeyOf,
): Fields => {
  const [only, ...others] = nodes
  const alone = others.length === 0 ? only?.selectionSet : undefined
  const known = alone && settled.get(alone)?.get(keyOf)?.get(type)
  if (known !== undefined) return known
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<FragmentDefinitionNode>()
  let isSettled = true
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.directives !== undefined && node.directives.length > 0) {
        isSettled = false
        if (!isIncluded(node, within)) continue
      }
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
  if (alone !== undefined && isSettled) settle(alone, keyOf, type, fields)
  return fields
}

const byName: KeyOf = ({ name }) => name.value
const byKey: KeyOf = ({ alias, name }) => (alias ?? name).value

/** The fields selected on what some field nodes give, by name. */
export const selectedOn = (nodes: readonly FieldNode[], within: Within): Fields =>
  group(nodes, within, undefined, byName)

/** The fields selected on what the field at hand gives, by name. */
export const selected = (info: Within & Pick<GraphQLResolveInfo, 'fieldNodes'>): Fields =>
  selectedOn(info.fieldNodes, info)

/** The fields selected on objects of a type, by the key that they have in the answer. */
export const collected = (
  nodes: readonly FieldNode[],
  within: Within,
  type: GraphQLObjectType,
): Fields => group(nodes, within, type, byKey)
