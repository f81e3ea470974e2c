import { describe, expect, test } from 'vitest'
import { distinctDocuments, hashesOfNothing, hashOf, openHolding } from './memory.ts'

/** The row says a million, which is the night's; so many at once, and as many again. */
const HASHES = 2_000
/** The row says 100,000, which is the night's; more than are kept, and as many again. */
const DOCUMENTS = 1_500

describe('what clients can fill', () => {
  test('59: hashes of nothing take no room, and a document has its own hash only', async () => {
    const held = await openHolding()
    const { persisted, close } = held
    const text = '{ artist(cmId: 5) { name } }'
    await hashesOfNothing(held, HASHES)
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
    const { persisted, close } = await openHolding()
    const text = (at: number) => `{ a${at}: __typename }`
    for (let at = 0; at <= 1_000; at += 1) await persisted(hashOf(text(at)), text(at))
    expect((await persisted(hashOf(text(0)))).errors[0].extensions.code).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    )
    expect((await persisted(hashOf(text(1_000)))).data).toEqual({ a1000: 'Query' })
    await close()
  })

  // Kept, their text alone would be 27 MB.
  test(
    '60: distinct documents leave the cache of answers alone, and their own bounded',
    () => distinctDocuments(300, 90_000),
    120_000,
  )

  test(
    '60: distinct documents of a few bytes are bounded in their number',
    () => distinctDocuments(DOCUMENTS),
    120_000,
  )

  test('59: where only trusted documents are answered, no other is, with its hash or without', async () => {
    const trusted = '{ artist(cmId: 5) { name } }'
    const env = { DOCUMENTS_FILE: 'documents.json', DOCUMENTS_ONLY: '1' }
    const file = JSON.stringify({ [hashOf(trusted)]: trusted })
    const { post, persisted, upstream, close } = await openHolding(env, file)
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
    const { query, close } = await openHolding()
    for (let at = 0; at < 600; at += 1) await query(`query Name${at} { artist(cmId: 5) { name } }`)
    await query(`query ${'N'.repeat(50_000)} { artist(cmId: 5) { name } }`)
    const { data } = await query('{ credits { byOperation { name saved } } }')
    const names = data.credits.byOperation.map(({ name }: { name: string }) => name)
    expect(names.length).toBeLessThanOrEqual(501)
    expect(Math.max(...names.map(({ length }: string) => length))).toBeLessThanOrEqual(100)
    await close()
  })
})
