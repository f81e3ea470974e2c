import type { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Log } from '../log.ts'
import { restated } from './errors.ts'

/** Repeats the name of a request in its errors; a fault of ours is found in the log by it. */
export const useRequestId = (log: Pick<Log, 'error'>): Plugin => ({
  onResultProcess({ request, result, setResult }) {
    const requestId = request.headers.get('x-request-id')
    if (requestId === null || Array.isArray(result) || Symbol.asyncIterator in result) return
    const errors = (result.errors ?? []) as readonly GraphQLError[]
    if (errors.length === 0) return
    if (errors.some(({ extensions }) => extensions?.code === 'INTERNAL_SERVER_ERROR'))
      log.error(`the request ${requestId} met a fault`)
    setResult({
      ...result,
      errors: errors.map((error) =>
        restated(error, error.message, { ...error.extensions, requestId }),
      ),
    })
  },
})
