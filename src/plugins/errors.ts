import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { GatewayError } from '../errors.ts'
import { MOST_BODY_BYTES } from './bounds.ts'

/** What a client is told of a failure; whatever is not a GatewayError or GraphQL's own is masked. */
const told = (error: GatewayError) => ({
  code: error.code,
  ...(error.facts.retryAfter === undefined ? {} : { retryAfter: error.facts.retryAfter }),
  ...(error.facts.credits === undefined ? {} : { credits: error.facts.credits }),
  ...(error.facts.argument === undefined ? {} : { argument: error.facts.argument }),
})

/** The same complaint at the same place, in other words. */
export const restated = (at: GraphQLError | undefined, message: string, extensions: object) =>
  new GraphQLError(message, {
    nodes: at?.nodes ?? null,
    source: at?.source ?? null,
    positions: at?.positions ?? null,
    path: at?.path ?? null,
    extensions: { ...extensions },
  })

const gatewayErrorOf = (error: unknown): GatewayError | undefined => {
  if (error instanceof GatewayError) return error
  return error instanceof GraphQLError ? gatewayErrorOf(error.originalError) : undefined
}

/** The one translation of failures into GraphQL errors. Path and place stay, a cause never leaves. */
export const maskError = (error: unknown, message: string): Error => {
  const known = gatewayErrorOf(error)
  const at = error instanceof GraphQLError ? error : undefined
  if (known !== undefined) return restated(at, known.message, told(known))
  const foreign =
    at === undefined || (at.originalError && !(at.originalError instanceof GraphQLError))
  return foreign ? restated(at, message, { code: 'INTERNAL_SERVER_ERROR' }) : coded(at)
}

/** What a refusal as a whole is, but to who takes `application/json`: there each answer to a request of GraphQL is a 200. */
export const UNFIT = { status: 400, spec: true }

/** What a request that is not run fails with. */
export const refused = (error: GatewayError, http: object = UNFIT): GraphQLError =>
  restated(undefined, error.message, { ...told(error), http })

/** The answer to an operation that is not run. */
export const refusal = (error: GatewayError, http: object = UNFIT) => ({
  errors: [refused(error, http)],
})

const OURS: Readonly<Record<string, string>> = {
  GRAPHQL_PARSE_FAILED: 'BAD_USER_INPUT',
  GRAPHQL_VALIDATION_FAILED: 'BAD_USER_INPUT',
  BAD_REQUEST: 'BAD_USER_INPUT',
  REQUEST_ENTITY_TOO_LARGE: 'BAD_USER_INPUT',
}

/** In place of words that tell no bound. */
const WORDS: Readonly<Record<string, string>> = {
  REQUEST_ENTITY_TOO_LARGE: `at most ${MOST_BODY_BYTES} bytes of a body are read`,
}

/** What is no request of GraphQL is refused alike whatever type the answer has; Yoga makes an exception of one without `query`. */
const httpOf = ({ code, http, originalError }: GraphQLError['extensions']): object => {
  if (originalError !== undefined) return { http: { status: 400 } }
  return code === 'BAD_REQUEST' && typeof http === 'object'
    ? { http: { ...http, spec: false } }
    : {}
}

/** With a code of ours; an `originalError` quotes what was sent: its status stays, its text does not. */
const coded = (error: GraphQLError): GraphQLError => {
  const { code, originalError: _quoting, ...extensions } = error.extensions
  const ours = code === undefined ? 'BAD_USER_INPUT' : (OURS[String(code)] ?? code)
  if (ours === code) return error
  const http = httpOf(error.extensions)
  const message = WORDS[String(code)] ?? error.message
  return restated(error, message, { ...extensions, ...http, code: ours })
}

/** Gives GraphQL's own complaints (syntax, validation, variables) a code of the contract. */
export const useErrorCodes = (): Plugin => ({
  onExecutionResult({ result, setResult }) {
    if (result === undefined || Array.isArray(result) || Symbol.asyncIterator in result) return
    if (result.errors?.length)
      setResult({ ...result, errors: result.errors.map((error) => coded(error as GraphQLError)) })
  },
})
