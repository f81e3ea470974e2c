import type { ExecutionResult, GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { restated, UNFIT } from './errors.ts'

/** What Yoga makes headers of. */
export interface Told {
  readonly http?: { readonly headers?: Readonly<Record<string, string>> }
}

const FAULT = { ...UNFIT, status: 500 }

const withStatus = (error: GraphQLError): GraphQLError => {
  const { http, ...extensions } = error.extensions
  if (http !== undefined) return error
  const status = extensions.code === 'INTERNAL_SERVER_ERROR' ? FAULT : UNFIT
  return restated(error, error.message, { ...extensions, http: status })
}

/** Whatever has no data is a request refused as a whole, with its status; and no cache on the way keeps it. */
export const useStatus = (): Plugin => ({
  onResultProcess({ result, setResult }) {
    if (Array.isArray(result) || Symbol.asyncIterator in result) return
    const { data, extensions, ...others }: ExecutionResult<unknown, Told> = result
    if (data !== undefined && data !== null) return
    const errors = others.errors ?? []
    const headers = { 'cache-control': 'no-store', ...extensions?.http?.headers }
    setResult({
      ...result,
      ...(data === undefined && { errors: errors.map(withStatus) }),
      extensions: { ...extensions, http: { ...extensions?.http, headers } },
    })
  },
})
