import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tokenCommand } from '../../src/cli/token.ts'
import { hashOf } from '../../src/documents.ts'
import type { Link } from '../../src/redis/link.ts'
import { openFleet } from '../support/fleet.ts'
import type { Result } from '../support/gateway.ts'
import { useRedis } from '../support/redis.ts'

const redis = useRedis()

const ARTIST = '{ artist(cmId: 5) { name } }'

/** A replica that finds what another left in Redis and somebody has edited since. */
const edited = async (lua: string, env: Record<string, string> = {}) => {
  const { replicas, sandbox, link, open } = await openFleet(redis.url, 1, {}, env)
  const before = await replicas[0]?.query(ARTIST)
  await link.run(lua, [], [])
  const late = await open()
  onTestFinished(() => late.gateway.close())
  return { late, sandbox, name: before?.data.artist.name }
}

/** Bytes that Redis has sent to anybody. */
const sent = async () =>
  Number(/total_net_output_bytes:(\d+)/.exec(await redis.say('INFO stats'))?.[1])

const OF_50_MB = `string.rep(' ', 50 * 1024 * 1024)`
const eachAnswer = (change: string) =>
  `for _, key in ipairs(redis.call('KEYS', '*:answer:*')) do ${change} end`

test.each([
  ['is no JSON', `redis.call('HSET', key, 'text', '{"obj":')`],
  ['is JSON of another shape', `redis.call('HSET', key, 'text', '[1,2,3]')`],
  ['is nested 100,000 deep', `redis.call('HSET', key, 'text', string.rep('[', 100000))`],
  ['is of 50 MB', `redis.call('HSET', key, 'text', ${OF_50_MB})`],
  ['has a request of 50 MB', `redis.call('HSET', key, 'key', ${OF_50_MB})`],
  ['has a status of 50 MB', `redis.call('HSET', key, 'status', ${OF_50_MB})`],
])('42: an answer in Redis that %s is bought anew, and not fetched whole', async (_, change) => {
  const { late, sandbox, name } = await edited(eachAnswer(change))
  const before = await sent()
  const { data, errors, credits } = await late.query(ARTIST)
  expect([data, errors, credits.spent]).toEqual([{ artist: { name } }, [], 1])
  expect(sandbox.meter.credits).toBe(2)
  expect((await sent()) - before).toBeLessThan(1_000_000)
})

test.each([
  ['token record', `redis.call('HSET', 'refrain:1:board:token', 'text', ${OF_50_MB})`],
  ['generation of it', `redis.call('HSET', 'refrain:1:board:token', 'gen', ${OF_50_MB})`],
  ['pause', `redis.call('HSET', 'refrain:1:board:pause', 'gen', '1', 'text', ${OF_50_MB})`],
])('42: a %s of 50 MB in Redis is not fetched, and what is held is served', async (_, change) => {
  const { late, sandbox, name } = await edited(change)
  const before = await sent()
  await late.query('{ artist(cmId: 6) { name } }')
  expect((await late.query(ARTIST)).data).toEqual({ artist: { name } })
  expect(sandbox.meter.tokenCalls).toBeLessThanOrEqual(2)
  expect((await sent()) - before).toBeLessThan(1_000_000)
})

test('42: a document of 50 MB in Redis is not known, and not fetched', async () => {
  const hash = hashOf(ARTIST)
  const { late } = await edited(`
    redis.call('HSET', 'refrain:1:documents', '${hash}', ${OF_50_MB})
    redis.call('ZADD', 'refrain:1:documents:order', 1, '${hash}')`)
  const before = await sent()
  const { body } = await late.gateway.answer({
    headers: new Headers({ 'content-type': 'application/json' }),
    body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }),
  })
  expect(JSON.parse(body.toString()).errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND')
  expect((await sent()) - before).toBeLessThan(1_000_000)
})

const KEY = Buffer.alloc(32, 7).toString('base64')
const TAMPER = `for _, key in ipairs(redis.call('KEYS', '*:board:token')) do
  local text = redis.call('HGET', key, 'text')
  redis.call('HSET', key, 'text', string.sub(text, 1, -9) .. 'AAAAAAAA')
end`

test('42: a sealed token record of which one byte was changed is not believed, and what is held is served', async () => {
  const { late, sandbox, name } = await edited(TAMPER, { STATE_KEY: KEY })
  const { errors } = await late.query('{ artist(cmId: 6) { name } }')
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_UNAUTHENTICATED'])
  expect((await late.query(ARTIST)).data).toEqual({ artist: { name } })
  expect(sandbox.meter.credits).toBe(1)
  expect(sandbox.meter.tokenCalls).toBe(1)
})

const recordIn = async (link: Link) =>
  String(await link.run(`return redis.call('HGET', KEYS[1], 'text')`, [TOKEN], []))
const TOKEN = 'refrain:1:board:token'
const forge = `redis.call('HSET', KEYS[1], 'gen', 99, 'text', ARGV[1])`
const FORGED = JSON.stringify({
  gen: 99,
  seedHash: createHash('sha256').update('seed').digest('hex'),
  refreshToken: 'forged-refresh',
  accessToken: 'forged-access',
  accessExp: 9_999_999_999_999,
})
const codesOf = ({ errors }: Result) => errors.map(({ extensions }) => extensions.code)

test('42: a token record that is not sealed is not believed where STATE_KEY is set: no token of it is sent', async () => {
  const { replicas, sandbox, link, open } = await openFleet(redis.url, 1, {}, { STATE_KEY: KEY })
  const [replica] = replicas
  if (replica === undefined) throw new Error('none')
  const { data } = await replica.query(ARTIST)
  await link.run(forge, [TOKEN], [FORGED])

  const late = await open()
  onTestFinished(() => late.gateway.close())
  expect(codesOf(await late.query('{ artist(cmId: 6) { name } }'))).toEqual([
    'UPSTREAM_UNAUTHENTICATED',
  ])
  expect(late.gateway.transport.token.problem).toContain('not sealed with STATE_KEY')
  expect((await late.query(ARTIST)).data).toEqual(data)
  expect([sandbox.meter.credits, sandbox.meter.tokenCalls]).toEqual([1, 1])

  sandbox.revokeAccessTokens()
  expect((await replica.query('{ artist(cmId: 7) { name } }')).errors).toEqual([])
  expect([sandbox.meter.tokenCalls, sandbox.meter.tokenRefusals]).toEqual([2, 0])
  expect(await recordIn(link)).toMatch(/^aes-256-gcm:/)
})

test('42: a token record of before STATE_KEY was set is sealed by a command, and then believed', async () => {
  const { replicas, sandbox, link, open } = await openFleet(redis.url, 1)
  await replicas[0]?.query(ARTIST)
  const early = await open({ STATE_KEY: KEY })
  onTestFinished(() => early.gateway.close())
  expect(codesOf(await early.query('{ artist(cmId: 6) { name } }'))).toEqual([
    'UPSTREAM_UNAUTHENTICATED',
  ])
  expect(sandbox.meter.tokenCalls).toBe(1)

  await expect(tokenCommand(['seal'], redis.url)).rejects.toThrow('STATE_KEY: expected')
  expect(await tokenCommand(['seal'], redis.url, KEY)).toContain('is sealed, generation 1')
  expect(await recordIn(link)).toMatch(/^aes-256-gcm:/)
  await expect(tokenCommand(['seal'], redis.url, KEY)).rejects.toThrow('sealed already')
  const late = await open({ STATE_KEY: KEY })
  onTestFinished(() => late.gateway.close())
  expect((await late.query('{ artist(cmId: 6) { name } }')).errors).toEqual([])
  expect([sandbox.meter.tokenCalls, sandbox.meter.tokenRefusals]).toEqual([1, 0])
})

test('42: whose own copy in STATE_DIR is as new as a record that is not sealed seals it, and believes no newer one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refrain-copy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { sandbox, link, open } = await openFleet(redis.url, 0, {}, { STATE_DIR: folder })
  /** The codes of the errors, asked of one that begins and ends. */
  const asked = async (cmId: number, env: Record<string, string> = {}) => {
    const { gateway, query } = await open(env)
    const codes = codesOf(await query(`{ artist(cmId: ${cmId}) { name } }`))
    await gateway.close()
    return codes
  }
  expect(await asked(5)).toEqual([])
  expect(await recordIn(link)).toMatch(/^\{/)
  expect(await asked(6, { STATE_KEY: KEY })).toEqual([])
  expect(await recordIn(link)).toMatch(/^aes-256-gcm:/)
  await link.run(forge, [TOKEN], [FORGED])
  expect(await asked(7, { STATE_KEY: KEY })).toEqual(['UPSTREAM_UNAUTHENTICATED'])
  expect([sandbox.meter.tokenCalls, sandbox.meter.tokenRefusals]).toEqual([1, 0])
})
