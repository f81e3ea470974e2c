import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { misplaced } from './placement.ts'
import { createMeasure } from './size.ts'

/** Bytes of a request body. */
export const MOST_BODY_BYTES = 100_000
const MOST_TOKENS = 2000
const MOST_DEPTH = 20
const MOST_ROOT_FIELDS = 1000
const MOST_FIELDS = 5000
/** Faults of a document that are looked for; whoever has made more has enough to do. */
const MOST_FAULTS = 5

const refused = (message: string): GraphQLError =>
  new GraphQLError(message, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } },
  })

const refusal = (what: string, most: number, got: number): GraphQLError =>
  refused(`the operation has ${got} ${what}, at most ${most} are answered`)

/** The first bound that a document breaks. */
export const brokenBound = (document: DocumentNode): GraphQLError | undefined => {
  const measure = createMeasure(document)
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION && node.kind !== Kind.FRAGMENT_DEFINITION) continue
    if (node.kind === Kind.OPERATION_DEFINITION && node.operation !== 'query')
      return refused(`there is no ${node.operation} here: ask by a query`)
    const { isThenable, fields, width, depth } = measure(node.selectionSet)
    if (isThenable) return refused('no field can be given out as `then`: choose another alias')
    if (depth > MOST_DEPTH) return refusal('levels', MOST_DEPTH, depth)
    if (fields > MOST_FIELDS)
      return refusal('fields with fragments written out', MOST_FIELDS, fields)
    if (node.kind === Kind.OPERATION_DEFINITION && width > MOST_ROOT_FIELDS)
      return refusal('root fields', MOST_ROOT_FIELDS, width)
  }
  const complaint = misplaced(document)
  return complaint === undefined ? undefined : refused(complaint)
}

/** Parses what is not too long. */
export const parseBounded: typeof parse = (source, options) =>
  parse(source, { ...options, maxTokens: MOST_TOKENS })

/** Refuses documents that are too large before they are validated, let alone priced or run. */
export const useBounds = (): Plugin => ({
  onParse({ setParseFn }) {
    setParseFn(parseBounded)
  },
  onValidate({ params, setResult, validateFn, setValidationFn }) {
    setValidationFn((schema, document, rules) =>
      validateFn(schema, document, rules, { maxErrors: MOST_FAULTS }),
    )
    const broken = brokenBound(params.documentAST)
    if (broken !== undefined) setResult([broken])
  },
})
