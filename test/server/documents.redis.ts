import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Gateway } from '../../src/gateway.ts'
import { createLibrary } from '../../src/plugins/library.ts'
import { figure } from '../support/figure.ts'
import { openFleet } from '../support/fleet.ts'
import { useRedis } from '../support/redis.ts'

const redis = useRedis()

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const ARTIST = 'query Artist($of: Int! = 5) { artist(cmId: $of) { cmId } }'
const HASH = sha256(ARTIST)
const UNKNOWN = 'PERSISTED_QUERY_NOT_FOUND'

/** What is given to whoever sends these parameters: data, or the code of the error. */
const ask = async ({ gateway }: { readonly gateway: Gateway }, params: object) => {
  const { body } = await gateway.answer({
    headers: new Headers({ 'content-type': 'application/json' }),
    body: JSON.stringify(params),
  })
  const { data, errors } = JSON.parse(body.toString())
  return errors === undefined ? data : errors[0].extensions.code
}
const named = (sha256Hash: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash } },
})
const FOUND = { artist: { cmId: 5 } }

const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('documents of several replicas', () => {
  it('are known to all once one was sent one, and to a replica that begins later', async () => {
    const { replicas, open, link } = await openFleet(redis.url, 3)
    const [first, second, third] = replicas
    if (first === undefined || second === undefined || third === undefined) throw new Error('none')
    expect(await ask(second, named(HASH))).toBe(UNKNOWN)
    expect(await ask(first, { query: ARTIST, ...named(HASH) })).toEqual(FOUND)
    await until(async () => (await createLibrary(link).find(HASH)) !== undefined)
    expect(await ask(second, named(HASH))).toEqual(FOUND)
    expect(await ask(third, { documentId: `sha256:${HASH}` })).toEqual(FOUND)
    const late = await open()
    onTestFinished(() => late.gateway.close())
    expect(await ask(late, named(HASH))).toEqual(FOUND)
  })

  it('are not given to whoever may ask trusted ones only', async () => {
    const { link, open } = await openFleet(redis.url, 0)
    const library = createLibrary(link)
    library.learn(HASH, ARTIST)
    await until(async () => (await library.find(HASH)) !== undefined)
    const trusted = { DOCUMENTS_FILE: 'documents.json', DOCUMENTS_ONLY: '1' }
    const bound = await open(trusted, '{}')
    onTestFinished(() => bound.gateway.close())
    expect(await ask(bound, named(HASH))).toBe(UNKNOWN)
  })

  it.each([
    ['another type', `redis.call('SET', KEYS[1], 'x') redis.call('SET', KEYS[2], 'x')`],
    ['another text', `redis.call('HSET', KEYS[1], ARGV[1], '{ artist(cmId: 6) { cmId } }')`],
    ['one without the other', `redis.call('DEL', KEYS[2])`],
  ])('are asked for once more where somebody spoilt them: %s (B9)', async (_, lua) => {
    const { replicas, link } = await openFleet(redis.url, 1)
    const [replica] = replicas
    if (replica === undefined) throw new Error('none')
    const library = createLibrary(link)
    library.learn(HASH, ARTIST)
    await until(async () => (await library.find(HASH)) !== undefined)
    const keys = [link.name('documents'), link.name('documents', 'order')]
    await link.run(lua, keys, [HASH])
    expect(await ask(replica, named(HASH))).toBe(UNKNOWN)
    expect(await ask(replica, { query: ARTIST, ...named(HASH) })).toEqual(FOUND)
    await until(async () => (await library.find(HASH)) === ARTIST)
  })

  it('stay within 10,000 and 16 megabytes, whoever sends them, and those in use stay', async () => {
    const { link } = await openFleet(redis.url, 0)
    const library = createLibrary(link)
    const keys = [link.name('documents'), link.name('documents', 'order')]
    const held = `return {redis.call('ZCARD', KEYS[2]), redis.call('HLEN', KEYS[1]), tonumber(redis.call('HGET', KEYS[1], 'bytes'))}`
    library.learn(HASH, ARTIST)
    for (let round = 0; round < 12; round++) {
      for (let at = 0; at < 1_000; at++) {
        const text = `{ artist(cmId: ${round * 1_000 + at + 2}) { cmId } }`
        library.learn(sha256(text), text)
      }
      expect(await library.find(HASH)).toBe(ARTIST)
    }
    const [count, fields] = (await link.run(held, keys, [])) as number[]
    expect([count, fields]).toEqual([10_000, 10_001])
    for (let at = 0; at < 300; at++) {
      const text = `# ${at} ${'x'.repeat(99_000)}`
      library.learn(sha256(text), text)
    }
    const [kept, , bytes = 0] = (await link.run(held, keys, [])) as number[]
    figure('documents', `${kept} of 12,301 kept in Redis, ${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(16_000_000)
    expect(bytes).toBeGreaterThan(15_000_000)
  })

  it('are known to each by itself while Redis is away', async () => {
    const { replicas } = await openFleet(redis.url, 2)
    const [first, second] = replicas
    if (first === undefined || second === undefined) throw new Error('none')
    await redis.kill()
    onTestFinished(() => redis.start())
    expect(await ask(first, { query: ARTIST, ...named(HASH) })).toEqual(FOUND)
    expect(await ask(first, named(HASH))).toEqual(FOUND)
    expect(await ask(second, named(HASH))).toBe(UNKNOWN)
  })
})
