import type { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Callers } from '../clients/caller.ts'
import { REFUSALS, type Register } from '../clients/register.ts'
import { restated } from './errors.ts'

/** In place of messages that name prices and what is left. */
const WITHOUT_FIGURES: Readonly<Record<string, string>> = {
  CREDIT_LIMIT_EXCEEDED: 'the operation costs more than it may',
  CREDIT_BUDGET_EXHAUSTED: 'no credits are left for this',
}

/** The same refusal for who is told no costs. */
const withoutCosts = (error: GraphQLError): GraphQLError => {
  const { credits: _price, ...extensions } = error.extensions
  return restated(error, WITHOUT_FIGURES[String(extensions.code)] ?? error.message, extensions)
}

/** Takes down whom an answer refuses what, and leaves out of it what the client is not told. */
export const useRefusals = (callers: Callers, register: Register): Plugin => ({
  onResultProcess({ request: { headers }, result, setResult }) {
    if (Array.isArray(result) || Symbol.asyncIterator in result) return
    const errors = (result.errors ?? []) as readonly GraphQLError[]
    if (errors.length === 0) return
    const caller = callers.of(headers)
    if (caller === undefined) {
      if (errors[0]?.extensions.code === 'UNAUTHENTICATED')
        register.turnAway(headers.get('x-forwarded-for') ?? '')
      return
    }
    const { name, reports } = caller.client
    for (const code of REFUSALS) {
      const first = errors.find(({ extensions }) => extensions.code === code)
      if (first !== undefined) register.refuse(name, code, first.message)
    }
    if (!reports) setResult({ ...result, errors: errors.map(withoutCosts) })
  },
})
