import type { OperationDefinitionNode } from 'graphql'
import { GatewayError, shown } from '../errors.ts'
import { creditsOn } from '../schema/credits-directive.ts'
import { type Directives, directivesOf, stricter } from '../upstream/freshness.ts'

/** What a client asks of one operation beside its data. */
export interface Wish {
  readonly directives: Directives
  /** Most credits that it may put on the wire. */
  readonly limit: number
  /** Whether the price is told: not at all, beside the data, or in its place. */
  readonly plan: 'off' | 'report' | 'only'
  /** How much is told of what was spent and saved: nothing, the sums, or the sums and what each endpoint has in them. */
  readonly report: 'off' | 'sums' | 'requests'
  /** Whether any answer does that is fresh, and no price is wanted beside it. */
  readonly isPlain: boolean
}

const bad = (argument: string, expected: string, got: unknown): GatewayError => {
  const message = `${argument} must be ${expected}, got ${shown(got)}`
  return new GatewayError('BAD_USER_INPUT', message, { argument })
}

const limitOf = (header: string | null): number => {
  if (header === null) return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  throw bad('X-Credits-Limit', 'a whole number of credits, of 9 digits at most', header)
}

const planOf = (header: string | null): Wish['plan'] => {
  if (header === null || header === 'report' || header === 'only') return header ?? 'off'
  throw bad('X-Credits-Plan', 'report or only', header)
}

const reportOf = (header: string | null): Wish['report'] => {
  if (header === null || header === 'off' || header === 'requests') return header ?? 'sums'
  throw bad('X-Credits-Report', 'off or requests', header)
}

const whole = (argument: string, value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value >= 0) return value
  throw bad(`@credits(${argument}:)`, 'a whole number of 0 or more', value)
}

const inMs = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000)

const isEmpty = ({ maxAge, maxStale, onlyIfCached }: Directives): boolean =>
  maxAge === undefined && maxStale === undefined && onlyIfCached !== true

/** What most ask beside their data: nothing. */
const NONE: Wish = {
  directives: {},
  limit: Number.POSITIVE_INFINITY,
  plan: 'off',
  report: 'sums',
  isPlain: true,
}
/** Headers that tell it. */
export const WISHES: readonly string[] = [
  'cache-control',
  'x-credits-limit',
  'x-credits-plan',
  'x-credits-report',
]

const wishIn = (
  headers: { get(name: string): string | null },
  said: Readonly<Record<string, unknown>>,
): Wish => {
  const own: Directives = {
    maxAge: inMs(whole('maxAge', said.maxAge)),
    maxStale: inMs(whole('maxStale', said.maxStale)),
    onlyIfCached: said.onlyIfCached === true,
  }
  const directives = stricter(directivesOf(headers.get('cache-control')), own)
  const plan = planOf(headers.get('x-credits-plan'))
  return {
    directives,
    limit: Math.min(
      limitOf(headers.get('x-credits-limit')),
      whole('limit', said.limit) ?? Number.POSITIVE_INFINITY,
    ),
    plan,
    report: reportOf(headers.get('x-credits-report')),
    isPlain: plan === 'off' && isEmpty(directives),
  }
}

/** Reads the headers of a request, and `@credits` on its operation; where both speak, the stricter holds. */
export const wishOf = (
  headers: { get(name: string): string | null },
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Wish => {
  const said = creditsOn(operation, variables)
  if (said === undefined && WISHES.every((name) => headers.get(name) === null)) return NONE
  return wishIn(headers, said ?? {})
}
