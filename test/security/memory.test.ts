import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'

const MB = 1024 * 1024
/** The row says a million; so many at once, and as many again. */
const HASHES = Number(process.env.RUNS ?? 2_000)
/** The row says 100,000; more than are kept, and as many again. */
const DOCUMENTS = Number(process.env.RUNS ?? 1_500)
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const open = async (env: Record<string, string> = {}, file = '') => {
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

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}

describe('what clients can fill', () => {
  test('59: hashes of nothing take no room, and a document has its own hash only', async () => {
    const { persisted, close } = await open()
    const text = '{ artist(cmId: 5) { name } }'
    const guess = async (from: number, count: number) => {
      for (let at = from; at < from + count; at += 1)
        expect((await persisted(hashOf(String(at)))).errors[0].extensions.code).toBe(
          'PERSISTED_QUERY_NOT_FOUND',
        )
    }
    await guess(0, HASHES)
    const before = heap()
    await guess(HASHES, HASHES)
    const grown = heap() - before
    figure(`59: ${HASHES} more hashes of nothing: heap ${(grown / MB).toFixed(1)} MB more`)
    // Kept, each would be a key and an entry of 300 bytes at least.
    expect(grown).toBeLessThan(Math.max(2 * MB, HASHES * 100))
    expect((await persisted(hashOf('other'), text)).errors[0].extensions.code).toBe(
      'BAD_USER_INPUT',
    )
    expect((await persisted(hashOf('other'))).errors[0].extensions.code).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    )
    for (const odd of [5, null, [], {}, '', '__proto__', 'x'.repeat(10_000)])
      expect((await persisted(odd)).data).toBeUndefined()
    expect((await persisted(hashOf(text), text)).data).toEqual({ artist: { name: 'Ada' } })
    expect((await persisted(hashOf(text))).data).toEqual({ artist: { name: 'Ada' } })
    await close()
  })

  test('59: the documents that clients send with their hash are 1,000 at most, the oldest go', async () => {
    const { persisted, close } = await open()
    const text = (at: number) => `{ a${at}: __typename }`
    for (let at = 0; at <= 1_000; at += 1) await persisted(hashOf(text(at)), text(at))
    expect((await persisted(hashOf(text(0)))).errors[0].extensions.code).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    )
    expect((await persisted(hashOf(text(1_000)))).data).toEqual({ a1000: 'Query' })
    await close()
  })

  test('60: distinct documents leave the cache of answers alone, and their own bounded', async () => {
    const { post, query, upstream, close } = await open()
    await query('{ artist(cmId: 5) { name } }')
    const filler = 'x'.repeat(90_000)
    const send = async (from: number, count: number) => {
      for (let at = from; at < from + count; at += 1)
        await post({ query: `{ __typename } # ${at} ${filler}` })
    }
    await send(0, 300)
    const before = heap()
    await send(300, 600)
    const grown = heap() - before
    figure(`60: 600 more documents of 90 kB: heap ${(grown / MB).toFixed(1)} MB more`)
    // Kept, their text alone would be 51 MB.
    expect(grown).toBeLessThan(20 * MB)
    const { credits } = await query('{ artist(cmId: 5) { name } }')
    expect([credits.spent, upstream.requests.length]).toEqual([0, 1])
    await close()
  }, 120_000)

  test('60: distinct documents of a few bytes are bounded in their number', async () => {
    const { post, query, upstream, close } = await open()
    await query('{ artist(cmId: 5) { name } }')
    const send = async (from: number, count: number) => {
      for (let at = from; at < from + count; at += 1)
        expect((await post({ query: `{ a${at}: __typename }` })).errors).toBeUndefined()
    }
    await send(0, DOCUMENTS)
    const before = heap()
    await send(DOCUMENTS, DOCUMENTS)
    const grown = heap() - before
    figure(`60: ${DOCUMENTS} more documents: heap ${(grown / MB).toFixed(1)} MB more`)
    expect(grown).toBeLessThan(Math.max(4 * MB, DOCUMENTS * 100))
    const { credits } = await query('{ artist(cmId: 5) { name } }')
    expect([credits.spent, upstream.requests.length]).toEqual([0, 1])
    await close()
  }, 120_000)

  test('59: where only trusted documents are answered, no other is, with its hash or without', async () => {
    const trusted = '{ artist(cmId: 5) { name } }'
    const env = { DOCUMENTS_FILE: 'documents.json', DOCUMENTS_ONLY: '1' }
    const file = JSON.stringify({ [hashOf(trusted)]: trusted })
    const { post, persisted, upstream, close } = await open(env, file)
    const other = '{ artist(cmId: 6) { name } }'
    for (const said of [
      await post({ query: other }),
      await persisted(hashOf(other), other),
      await persisted(hashOf(other)),
      await persisted(hashOf(trusted), other),
    ])
      expect([said.data, said.errors.length]).toEqual([undefined, 1])
    expect(upstream.requests).toHaveLength(0)
    expect((await persisted(hashOf(trusted))).data).toEqual({ artist: { name: 'Ada' } })
    await close()
  })

  test('47: names that clients give their operations are 500 lines of a report at most', async () => {
    const { query, close } = await open()
    for (let at = 0; at < 600; at += 1) await query(`query Name${at} { artist(cmId: 5) { name } }`)
    await query(`query ${'N'.repeat(50_000)} { artist(cmId: 5) { name } }`)
    const { data } = await query('{ credits { byOperation { name saved } } }')
    const names = data.credits.byOperation.map(({ name }: { name: string }) => name)
    expect(names.length).toBeLessThanOrEqual(501)
    expect(Math.max(...names.map(({ length }: string) => length))).toBeLessThanOrEqual(100)
    await close()
  })
})
