import { type DocumentNode, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { fieldsOf } from './size.ts'

/** Runs one operation; where the variables do not fit there are errors, no data, and nothing was asked for. */
export type Run = (context: Context, variables: object) => Promise<ExecutionResult>

/** Operations of documents that were found valid, compiled when they are asked for again. */
export interface Compiled {
  /** A document that passed validation under its text. */
  learn(text: string, document: DocumentNode): void
  documentOf(text: string): DocumentNode | undefined
  /** Undefined where there is no such operation, or where it does not compile. */
  runOf(document: DocumentNode, operationName: string | null | undefined): Run | undefined
}

const MOST_BYTES = 64 * 1024 * 1024
/** What a field costs, parsed and compiled; a fragment is compiled anew wherever it stands. */
const BYTES_OF_FIELD = 5_000
const BYTES_OF_DOCUMENT = 10_000
/** A larger document is left to the interpreter. */
const MOST_FIELDS = 500

/** Compiled code tells lines and columns alone; whoever restates an error needs the place in the source. */
const placed = (error: GraphQLError, { loc }: DocumentNode): GraphQLError => {
  const breaks = [...(loc?.source.body ?? '').matchAll(/\r\n|[\n\r]/g)]
  const startOf = (line: number) => {
    const before = breaks[line - 2]
    return before === undefined ? 0 : before.index + before[0].length
  }
  return new GraphQLError(error.message, {
    source: loc?.source ?? null,
    positions: error.locations?.map(({ line, column }) => startOf(line) + column - 1) ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
  })
}

const withPlaces = (result: ExecutionResult, document: DocumentNode): ExecutionResult =>
  result.errors === undefined || result.data === undefined
    ? result
    : { ...result, errors: result.errors.map((error) => placed(error, document)) }

export const createCompiled = (schema: GraphQLSchema): Compiled => {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MOST_BYTES,
    sizeCalculation: (document, { length }) =>
      BYTES_OF_DOCUMENT + 2 * length + BYTES_OF_FIELD * fieldsOf(document),
  })
  const runs = new WeakMap<DocumentNode, Map<string, Run | undefined>>()

  const compile = (document: DocumentNode, operationName: string): Run | undefined => {
    const compiled = compileQuery(schema, document, operationName, {
      disablingCapturingStackErrors: true,
      useExperimentalPathBasedSkipInclude: true,
    })
    return isCompiledQuery(compiled)
      ? async (context, variables) =>
          withPlaces(await compiled.query({}, context, variables), document)
      : undefined
  }

  return {
    learn(text, document) {
      if (!documents.has(text) && fieldsOf(document) <= MOST_FIELDS) documents.set(text, document)
    },
    documentOf: (text) => documents.get(text),
    runOf(document, operationName) {
      const name = operationName ?? ''
      const known = runs.get(document) ?? new Map<string, Run | undefined>()
      runs.set(document, known)
      if (!known.has(name)) known.set(name, compile(document, name))
      return known.get(name)
    },
  }
}
