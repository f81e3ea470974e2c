import { type ExecutionResult, execute, type GraphQLSchema } from 'graphql'
import type { Execution } from './execution.ts'
import { createOrdinary } from './ordinary.ts'
import { run } from './run.ts'

/**
 * Runs operations: ordinary ones here, all others by graphql-js, which knows everything. Compiled ones were no way out:
 * graphql-jit 0.8.9 gives a list one item more for each of its promises that fails after others came, and is slower
 * where many documents take turns.
 */
export const createRuns = (schema: GraphQLSchema) => {
  const isOrdinary = createOrdinary(schema)
  /** `sent` are the variables as the client sent them. */
  return (
    { query, planned, context }: Execution,
    sent: Readonly<Record<string, unknown>>,
  ): ExecutionResult | Promise<ExecutionResult> => {
    if (isOrdinary(query)) return run({ schema, query, variables: planned.variables, context })
    return execute({
      schema,
      document: query.document,
      operationName: query.name || null,
      variableValues: sent,
      contextValue: context,
    })
  }
}
