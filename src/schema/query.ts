import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'

/** An operation picked out of its document. */
export interface Query {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** Empty where it has none. */
  readonly name: string
  /** Stands for the whole operation: its selection is that of the operation. */
  readonly root: FieldNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
}

const known = new WeakMap<DocumentNode, Map<string | null, Query>>()

/** The operation of a name; undefined where the document has none of that name, or several and none is named. */
export const queryOf = (
  document: DocumentNode,
  operationName: string | null | undefined,
): Query | undefined => {
  const before = known.get(document)?.get(operationName ?? null)
  if (before !== undefined) return before
  const operation = getOperationAST(document, operationName)
  if (operation === null || operation === undefined) return undefined
  const fragments = Object.fromEntries(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  )
  const { selectionSet } = operation
  const root: FieldNode = {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: 'query' },
    selectionSet,
  }
  const query = { document, operation, name: operation.name?.value ?? '', root, fragments }
  const queries = known.get(document) ?? new Map<string | null, Query>()
  known.set(document, queries.set(operationName ?? null, query))
  return query
}
