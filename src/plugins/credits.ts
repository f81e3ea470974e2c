import { type ExecutionArgs, execute } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import type { During } from '../clients/line.ts'
import type { Context } from '../context.ts'
import { GatewayError } from '../errors.ts'
import type { Executions } from '../execution/execution.ts'
import type { Executed } from '../execution/face.ts'
import { refusedForStrain } from '../execution/status.ts'
import { refusal } from './errors.ts'
import type { Parsed } from './parsed.ts'

const variablesOf = ({ variableValues }: ExecutionArgs) => variableValues ?? {}

/** What a request brings along that has run already. */
export interface Carried {
  readonly executed?: Executed | undefined
}

/** Lets an operation run once it is priced, unless it has, and tells afterwards what it cost. */
export const useCredits = (
  executions: Executions,
  { accept }: Pick<Parsed, 'accept'>,
  during: During,
): Plugin<Carried & Context & YogaInitialContext> => ({
  onExecute({ args, extendContext, setExecuteFn, setResultAndStopExecution }) {
    const { request, executed } = args.contextValue
    accept(args.document)
    // The short way's own interpreter: two of them differ at the edges.
    setExecuteFn(executed === undefined ? execute : () => executed.result)
    try {
      const execution =
        executed?.execution ??
        executions({
          document: args.document,
          operationName: args.operationName,
          variables: variablesOf(args),
          headers: request.headers,
          signal: request.signal,
        })
      if (execution === undefined) return undefined
      if (execution.wish.plan === 'only') {
        setResultAndStopExecution({ data: null, extensions: { creditPlan: execution.plan } })
        return undefined
      }
      if (executed === undefined)
        setExecuteFn((given) => during(execution.context.operation, () => execute(given)))
      extendContext(execution.context)
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return
          const { headers, extensions } = execution.finish((result.errors?.length ?? 0) === 0)
          const refused = refusedForStrain(result, execution.context.operation.served)
          const { data, ...others } = result
          const http = { ...refused, headers: { ...headers, ...refused?.headers } }
          setResult({
            ...(refused === undefined ? result : others),
            extensions: { ...result.extensions, ...extensions, http },
          })
        },
      }
    } catch (failure) {
      if (!(failure instanceof GatewayError)) throw failure
      setResultAndStopExecution(refusal(failure))
      return undefined
    }
  },
})
