import { createHash } from 'node:crypto'
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql'
import { getVariableValues } from 'graphql/execution/values.js'
import { LRUCache } from 'lru-cache'
import type { HeldState, Upstream } from '../upstream/client.ts'
import type { Operation } from '../upstream/operation.ts'
import type { CertainCall, Draft } from './draft.ts'
import { createLessons, type Needs } from './lesson.ts'
import { type CreditPlan, price, unspent } from './price.ts'
import { walk } from './walk.ts'

/** What is known of an operation before it runs. */
export interface Planned {
  readonly draft: Draft
  readonly operation: OperationDefinitionNode
  /** The price as things stand now; `limit` is what it may spend. */
  price(caller: Operation, limit: number): CreditPlan
  /** Takes in what a run was served, so that the next price is nearer. */
  learn(caller: Operation): void
}

/** What a plan asks about answers that are held. */
export type Held = Pick<Upstream, 'state' | 'has' | 'holds' | 'tells'>

/** A request with its key, its arguments, and what was learnt of it. */
const BYTES_OF_CALL = 1000

interface Kept {
  readonly draft: Draft
  needs?: Needs
}

/** The operation without the values in it: what stays the same from one use to the next. */
const signatureOf = (document: DocumentNode, name: string): string => {
  const blank = { kind: Kind.NULL } as const
  const stripped = visit(document, {
    IntValue: () => blank,
    FloatValue: () => blank,
    StringValue: () => blank,
    ListValue: () => blank,
    ObjectValue: () => blank,
  })
  return createHash('sha256')
    .update(`${name} ${print(stripped)}`)
    .digest('base64url')
}

/** Field node that stands for a whole operation: its selection is that of the operation. */
const rootNode = ({ selectionSet }: OperationDefinitionNode): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: 'query' },
  selectionSet,
})

const fragmentsOf = (document: DocumentNode) =>
  Object.fromEntries(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  )

/** Plans operations of a schema: drafts are kept by document and variables, prices are made anew from what is held. */
export const createPlans = (schema: GraphQLSchema, upstream: Held, maxBytes: number) => {
  const lessons = createLessons()
  const signatures = new WeakMap<DocumentNode, Map<string, string>>()
  const numbers = new WeakMap<DocumentNode, number>()
  let documents = 0
  const drafts = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ draft }, key) => key.length + BYTES_OF_CALL * (1 + draft.certain.length),
  })

  const numberOf = (document: DocumentNode): number => {
    const number = numbers.get(document) ?? documents++
    numbers.set(document, number)
    return number
  }

  const signed = (document: DocumentNode, name: string): string => {
    const known = signatures.get(document) ?? new Map<string, string>()
    signatures.set(document, known)
    const signature = known.get(name) ?? signatureOf(document, name)
    known.set(name, signature)
    return signature
  }

  const draftOf = (document: DocumentNode, operation: OperationDefinitionNode, given: object) => {
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], { ...given })
    const root = schema.getQueryType()
    if (coerced === undefined || root === undefined || root === null) return undefined
    const within = { fragments: fragmentsOf(document), variableValues: coerced }
    return walk(schema, root, rootNode(operation), within)
  }

  const standing = ({ request, instead, columns }: CertainCall, caller: Operation): HeldState => {
    const own = upstream.state(request, caller)
    if (own === 'hit' || instead.some((other) => upstream.has(other, caller))) return 'hit'
    const { cmId } = request.args
    const isId = typeof cmId === 'number' || typeof cmId === 'string'
    const isTold = (column: string) =>
      isId && upstream.tells(request.endpoint, cmId, column, caller)
    return columns.length > 0 && columns.every(isTold) ? 'hit' : own
  }

  return (
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: object,
  ): Planned | undefined => {
    const operation = getOperationAST(document, operationName)
    if (operation === null || operation === undefined) return undefined
    const name = operation.name?.value ?? ''
    const key = `${numberOf(document)} ${name} ${JSON.stringify(variables)}`
    const known = drafts.get(key)
    const draft = known?.draft ?? draftOf(document, operation, variables)
    if (draft === undefined) return undefined
    const entry: Kept = known ?? { draft }
    if (known === undefined) drafts.set(key, entry)

    return {
      draft,
      operation,
      price(caller, limit) {
        const stateOf = (call: CertainCall) => standing(call, caller)
        const plan = price(draft, stateOf, lessons.of(signed(document, name)), entry.needs, limit)
        return caller.directives.onlyIfCached ? unspent(plan) : plan
      },
      learn({ served }) {
        const certain = new Set(draft.certain.map(({ request }) => request.key))
        const needed = new Map<string, number>()
        for (const [requestKey, { endpoint }] of served.keys)
          if (!certain.has(requestKey))
            needed.set(endpoint.name, (needed.get(endpoint.name) ?? 0) + 1)
        if (draft.open.length > 0) lessons.learn(signed(document, name), draft, needed)
        entry.needs = [...served.keys.values()].map((request) => ({
          credits: request.endpoint.credits,
          held: () => upstream.holds(request),
        }))
      },
    }
  }
}

export type Plans = ReturnType<typeof createPlans>
