import { type DocumentNode, Kind } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { GatewayError, quoted, shown } from '../errors.ts'
import { queryOf } from '../schema/query.ts'
import { isObject } from '../upstream/envelopes.ts'
import { refused } from './errors.ts'

const MOST_TOLD = 5

/** What a name of an operation may be, in words: as many names of the document as one reads. */
const expectedIn = ({ definitions }: DocumentNode): string => {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  const names = operations.flatMap(({ name }) => (name === undefined ? [] : [quoted(name.value)]))
  if (operations.length === 0) return 'that of an operation, of which the document has none'
  if (names.length === 0) return 'left out, as the operation of the document has no name'
  const others = names.length > MOST_TOLD ? ` or ${names.length - MOST_TOLD} others` : ''
  return `one of ${names.slice(0, MOST_TOLD).join(', ')}${others}`
}

const misfit = (expected: string, got: string): GatewayError =>
  new GatewayError('BAD_USER_INPUT', `operationName must be ${expected}, got ${got}`, {
    argument: 'operationName',
  })

/**
 * Refuses a request that picks no operation of its document, and says which there are. No operation has an empty name:
 * it stands for none in a body too, as GraphQL over HTTP has it for an address.
 */
export const useOperation = (): Plugin<YogaInitialContext> => ({
  onParams({ params, setParams }) {
    const name: unknown = isObject(params) ? params.operationName : undefined
    if (name === '') {
      const { operationName: _none, ...others } = params
      setParams(others)
    }
    if (name === undefined || name === null || typeof name === 'string') return
    throw refused(misfit('a text', shown(name)), { status: 400 })
  },
  onParse:
    () =>
    ({ result, context }) => {
      if (result === null || result instanceof Error) return
      const { operationName: name } = context.params
      if (queryOf(result, name) !== undefined) return
      throw refused(misfit(expectedIn(result), typeof name === 'string' ? quoted(name) : 'nothing'))
    },
})
