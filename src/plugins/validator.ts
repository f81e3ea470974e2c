import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { dataOf, etagOf } from '../execution/body.ts'
import type { Told } from './status.ts'

/** Gives an answer the validator of its data; none where it has errors, or no data. */
export const useValidator = (): Plugin => ({
  onResultProcess({ result, setResult }) {
    if (Array.isArray(result) || Symbol.asyncIterator in result) return
    const { data, errors, extensions }: ExecutionResult<unknown, Told> = result
    if (data === undefined || data === null || errors !== undefined) return
    const http = extensions?.http
    const headers = { ...http?.headers, etag: etagOf(dataOf(data)) }
    setResult({ ...result, extensions: { ...extensions, http: { ...http, headers } } })
  },
})
