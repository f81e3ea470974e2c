import { systemClock } from '../../src/clock.ts'
import type { Entry } from '../../src/credits/ledger.ts'
import type { CreditPlan } from '../../src/plan/price.ts'
import type { openGateway, Result } from '../support/gateway.ts'

export interface Answered extends Result {
  /** `extensions.creditPlan`, where it was asked for. */
  readonly plan: CreditPlan
  readonly headers: Headers
  readonly credits: Result['credits'] & {
    readonly requests?: readonly Entry[]
    readonly budget?: { readonly limit: number; readonly remaining: number }
    readonly stale?: readonly {
      readonly path: readonly (string | number)[]
      readonly age: number
      readonly reason: string
    }[]
  }
}

export interface Wanted {
  readonly variables?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

type Opened = Pick<ReturnType<typeof openGateway>, 'gateway'>

/** One operation through the public door, with all that the answer says beside its data. */
export const ask = async (
  { gateway }: Opened,
  query: string,
  { variables = {}, headers = {}, signal }: Wanted = {},
): Promise<Answered> => {
  const response = await gateway.answer({
    headers: new Headers({
      accept: 'application/graphql-response+json',
      'content-type': 'application/json',
      ...headers,
    }),
    body: JSON.stringify({ query, variables }),
    signal,
  })
  const { data, errors = [], extensions } = JSON.parse(response.body.toString())
  const { credits, creditPlan } = extensions ?? {}
  return {
    data,
    errors,
    credits,
    plan: creditPlan,
    status: response.status,
    headers: new Headers(response.headers),
  }
}

/** The price of an operation, told in place of its answer. */
export const priceOf = async (opened: Opened, query: string, wanted: Wanted = {}) => {
  const headers = { ...wanted.headers, 'x-credits-plan': 'only' }
  return (await ask(opened, query, { ...wanted, headers })).plan
}

/** What an answer says that it cost and spared, as one sum: the price of asking request by request. */
export const naive = ({ credits }: Pick<Answered, 'credits'>): number =>
  credits.spent + credits.saved

/** A clock in the test's hand; only what waits on a socket waits. */
export const handClock = (start: string) => {
  let now = Date.parse(start)
  return {
    clock: { ...systemClock, now: () => now },
    advance(ms: number) {
      now += ms
    },
  }
}

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
