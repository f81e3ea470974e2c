import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { collect } from '../support/heap.ts'
import { openScript } from '../support/script.ts'

const MB = 1024 * 1024
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A gateway on a service that knows one artist, asked with documents and with hashes. */
export const openHolding = async (env: Record<string, string> = {}, file = '') => {
  const upstream = await openScript(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
  const { gateway, query } = openGateway(upstream.url, env, {}, file)
  const post = async (body: object) => {
    const response = await gateway.yoga.fetch('http://gateway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  const persisted = (sha256Hash: unknown, query?: string) =>
    post({ query, extensions: { persistedQuery: { version: 1, sha256Hash } } })
  const close = async () => {
    await gateway.close()
    await upstream.close()
  }
  return { upstream, query, post, persisted, close }
}

const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}

/** A third of what it would be if each were kept, and no more than noise however many they are. */
const mostGrown = (count: number, least: number) => Math.max(least, Math.min(count * 100, 24 * MB))

/** What the second half of so many leaves behind, once the first has filled all that is bounded. */
const grownBy = async (
  what: string,
  count: number,
  send: (from: number, count: number) => Promise<void>,
) => {
  await send(0, count)
  const before = heap()
  await send(count, count)
  const grown = heap() - before
  figure(`${count} more ${what}`, `heap ${(grown / MB).toFixed(1)} MB more`)
  return grown
}

/** The hash of no document leaves nothing behind: kept, each would be a key and an entry of 300 bytes at least. */
export const hashesOfNothing = async (
  { persisted }: Awaited<ReturnType<typeof openHolding>>,
  count: number,
): Promise<void> => {
  const grown = await grownBy('hashes of nothing', count, async (from) => {
    for (let at = from; at < from + count; at += 1)
      expect((await persisted(hashOf(String(at)))).errors[0].extensions.code).toBe(
        'PERSISTED_QUERY_NOT_FOUND',
      )
  })
  expect(grown).toBeLessThan(mostGrown(count, 2 * MB))
}

/** Distinct documents, padded or short, are bounded in what is kept of them, and leave the answers alone. */
export const distinctDocuments = async (count: number, padding = 0): Promise<void> => {
  const { post, query, upstream, close } = await openHolding()
  await query('{ artist(cmId: 5) { name } }')
  const filler = padding === 0 ? '' : ` # ${'x'.repeat(padding)}`
  const grown = await grownBy(`documents of ${padding + 20} bytes`, count, async (from) => {
    for (let at = from; at < from + count; at += 1)
      expect((await post({ query: `{ a${at}: __typename }${filler}` })).errors).toBeUndefined()
  })
  // Kept, the text of the padded ones alone would be more.
  expect(grown).toBeLessThan(padding > 0 ? 20 * MB : mostGrown(count, 4 * MB))
  const { credits } = await query('{ artist(cmId: 5) { name } }')
  expect([credits.spent, upstream.requests.length]).toEqual([0, 1])
  await close()
}
