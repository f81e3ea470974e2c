import type { ExecutionResult } from 'graphql'
import { GatewayError } from '../errors.ts'
import type { Served } from '../upstream/served.ts'

const isOverload = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.code === 'OVERLOADED'

/** An operation of which nothing was answered, because there was no strength to ask: it is refused as a whole. */
export const refusedForStrain = (
  { errors = [] }: ExecutionResult,
  { oldest }: Served,
): { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined => {
  const causes = errors.map(({ originalError }) => originalError).filter(isOverload)
  if (oldest !== undefined || causes.length === 0 || causes.length < errors.length) return undefined
  const retryAfter = Math.max(1, ...causes.map(({ facts }) => facts.retryAfter ?? 1))
  return { status: 503, headers: { 'retry-after': String(retryAfter) } }
}
