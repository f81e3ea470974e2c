import { GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'

const HINT = / Did you mean .+$/

/** Keeps the schema from clients that are not to see it: no introspection, and no hints at names in complaints. */
export const useClosedSchema = (): Plugin => ({
  onValidate({ addValidationRule }) {
    addValidationRule(NoSchemaIntrospectionCustomRule)
    return ({ result, setResult }) => {
      if (result.some(({ message }) => HINT.test(message)))
        setResult(
          result.map(
            ({ message, nodes, positions, source, extensions }) =>
              new GraphQLError(message.replace(HINT, ''), {
                nodes: nodes ?? null,
                positions: positions ?? null,
                source: source ?? null,
                extensions,
              }),
          ),
        )
    }
  },
})
