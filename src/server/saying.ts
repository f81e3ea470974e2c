import type { ServerResponse } from 'node:http'

/** Answers in plain words, where nothing is asked that GraphQL answers; no cache on the way keeps them. */
export const say = (
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    })
    .end(`${text}\n`)
}
