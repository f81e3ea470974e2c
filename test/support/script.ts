import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Scripted {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** A raw body, where JSON would lose the point. */
  readonly text?: string
}

export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** An upstream that says what a test tells it to, over a real socket; tokens are minted for anybody, if it tells nothing. */
export const openScript = async (
  answer: (seen: Seen, count: number) => Scripted | Promise<Scripted>,
  token: (seen: Seen, count: number) => Scripted | Promise<Scripted> = (_seen, count) => ({
    body: { token: `t${count}`, expires_in: 3600, refresh_token: 'r', scope: 'api' },
  }),
) => {
  const requests: Seen[] = []
  const tokens: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://script')
      const seen: Seen = {
        method: request.method ?? '',
        path: decodeURIComponent(pathname),
        query: [...searchParams],
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
      }
      const isToken = pathname.endsWith('/api/token')
      ;(isToken ? tokens : requests).push(seen)
      const said = await (isToken ? token(seen, tokens.length) : answer(seen, requests.length))
      response.writeHead(said.status ?? 200, {
        'content-type': 'application/json',
        ...said.headers,
      })
      response.end(said.text ?? JSON.stringify(said.body ?? { obj: null }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    tokens,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
