import type { Plugin } from 'graphql-yoga'
import type { Context } from '../context.ts'

const report = ({ operation: { ledger }, staleParts }: Context) => ({
  spent: ledger.spent,
  saved: Object.values(ledger.savedBy).reduce((sum, saved) => sum + saved, 0),
  savedBy: { ...ledger.savedBy },
  ...(staleParts.length === 0 ? {} : { stale: staleParts }),
})

/** Tells what an operation put on the wire and what it avoided, in `extensions.credits`. */
export const useCreditReport = (): Plugin<Context> => ({
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      if (Symbol.asyncIterator in result || !args.contextValue.reportsCredits) return
      const { extensions } = result
      setResult({
        ...result,
        extensions: { ...extensions, credits: report(args.contextValue) },
      })
    },
  }),
})
