import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'

export interface Size {
  /** A field that is given out as `then`: the executor takes what holds one for a promise, and waits for nothing. */
  readonly isThenable: boolean
  /** Fields with every fragment written out. */
  readonly fields: number
  /** Fields at the first level, written out likewise. */
  readonly width: number
  readonly depth: number
}

const NOTHING: Size = { isThenable: false, fields: 0, width: 0, depth: 0 }

/** Sizes of selections with fragments written out; each fragment is measured once, so that doubling costs nothing. */
export const createMeasure = (document: DocumentNode) => {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const sizes = new Map<string, Size>()

  const ofFragment = (name: string): Size => {
    const known = sizes.get(name)
    if (known !== undefined) return known
    // A fragment within itself is for validation to refuse; here it only must end.
    sizes.set(name, NOTHING)
    const fragment = fragments.get(name)
    const size = fragment === undefined ? NOTHING : measure(fragment.selectionSet)
    sizes.set(name, size)
    return size
  }

  const measure = (set: SelectionSetNode): Size => {
    let isThenable = false
    let fields = 0
    let width = 0
    let depth = 0
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const below = node.selectionSet === undefined ? NOTHING : measure(node.selectionSet)
        isThenable ||= below.isThenable || node.alias?.value === 'then'
        fields += 1 + below.fields
        width += 1
        depth = Math.max(depth, 1 + below.depth)
        continue
      }
      const within =
        node.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(node.name.value)
          : measure(node.selectionSet)
      isThenable ||= within.isThenable
      fields += within.fields
      width += within.width
      depth = Math.max(depth, within.depth)
    }
    return { isThenable, fields, width, depth }
  }
  return measure
}
