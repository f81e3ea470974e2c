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

/** What an operation would cost; asking spends nothing. */
export const price = (params: FetcherParams, headers: Headers, signal: AbortSignal) =>
  post(params, { ...headers, 'x-credits-plan': 'only' }, signal)

/** Runs what the editor holds, and has the answer tell what each endpoint was sent and spared. */
export const run = async (params: FetcherParams, headers: Headers = {}): Promise<Answer> => {
  if (params.operationName === 'IntrospectionQuery') return post(params, headers)
  const answer = await post(params, { 'x-credits-report': 'requests', ...headers })
  lastRun.write({ name: params.operationName ?? 'without a name', answer })
  return answer
}
