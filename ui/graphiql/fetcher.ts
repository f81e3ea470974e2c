import type { FetcherParams } from '@graphiql/toolkit'
import { type Answer, lastRun } from './credits.ts'

type Headers = Readonly<Record<string, string>>

/** Sends one operation to the gateway that served the page. */
const post = async (
  params: FetcherParams,
  headers: Headers,
  signal?: AbortSignal,
): Promise<Answer> => {
  const response = await fetch(refrainPage.endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
    ...(signal && { signal }),
  })
  return response.json()
}

const MOST_TRIES = 5

/** The schema is asked for once, when the page opens: where the gateway is under strain then, again when it says. */
const askSchema = async (params: FetcherParams, headers: Headers, tries = 1): Promise<Answer> => {
  const answer = await post(params, headers)
  const strain = answer.errors?.find(({ extensions }) => extensions?.code === 'OVERLOADED')
  if (strain === undefined || tries === MOST_TRIES) return answer
  const { retryAfter } = strain.extensions
  const ms = 1000 * (typeof retryAfter === 'number' ? retryAfter : 1)
  await new Promise((resolve) => setTimeout(resolve, ms))
  return askSchema(params, headers, tries + 1)
}

/** What an operation would cost; asking spends nothing. */
export const price = (params: FetcherParams, headers: Headers, signal: AbortSignal) =>
  post(params, { ...headers, 'x-credits-plan': 'only' }, signal)

/** Runs what the editor holds, and has the answer tell what each endpoint was sent and spared. */
export const run = async (params: FetcherParams, headers: Headers = {}): Promise<Answer> => {
  if (params.operationName === 'IntrospectionQuery') return askSchema(params, headers)
  const answer = await post(params, { 'x-credits-report': 'requests', ...headers })
  lastRun.write({ name: params.operationName ?? 'without a name', answer })
  return answer
}
