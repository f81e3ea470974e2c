import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cacheCommand } from '../../src/cli/cache.ts'
import { createAdminServer } from '../../src/server/admin.ts'
import { openFleet } from '../support/fleet.ts'
import { openLink, startRedis } from '../support/redis.ts'

/** The user as the page on replicas has it. */
const USER = /^ACL SETUSER (\w+) on >(\w+) .*$/m.exec(readFileSync('docs/replicas.md', 'utf8'))
const [LINE = '', NAME = '', PASSWORD = ''] = USER ?? []
const ALLOWED = [...LINE.matchAll(/ \+(\S+)/g)].map(([, command]) => command)

/** What the client of Redis is told beside scripts: to look whether it is there, which database, and about copies. */
const BESIDE_SCRIPTS = ['eval', 'info', 'select', 'set', 'subscribe', 'wait']

const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { name rank } }`

test('the user of the page on replicas may do all that is done, and nothing else', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const calls = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join('src', file), 'utf8').matchAll(/redis\.p?call\('([A-Z]+)'/g),
    ])
    .map(([, command = '']) => command.toLowerCase())
  expect(ALLOWED).toEqual([...new Set([...calls, ...BESIDE_SCRIPTS])].sort())
})

test('43: replicas with that user are refused nothing, and see nothing of others', async () => {
  const redis = await startRedis()
  const other = await startRedis()
  onTestFinished(async () => {
    await redis.stop()
    await other.stop()
  })
  // Only a Redis with a replica is asked for copies.
  await other.say(`REPLICAOF 127.0.0.1 ${redis.port}`)
  expect(await redis.say(LINE)).toBe('+OK\r\n')
  const url = `redis://${NAME}:${PASSWORD}@127.0.0.1:${redis.port}`
  const env = { REDIS_URL: `${url}/1`, CREDITS_PER_DAY: '100', UPSTREAM_RPS: '1000' }
  const { open, replicas } = await openFleet(redis.url, 2, {}, env)
  const [first, second] = replicas
  if (first === undefined || second === undefined) throw new Error('none')

  for (const { query } of [first, second, first])
    for (const id of [5, 6]) expect((await query(artist(id))).errors).toEqual([])
  await Promise.all([first, second].map(({ query }) => query(artist(7))))
  await vi.waitFor(async () => {
    const { data } = await second.query('{ credits { budgets { remaining } } }')
    expect(data.credits.budgets).toEqual([{ remaining: 97 }])
  }, 20_000)

  const text = artist(8)
  const sha256Hash = createHash('sha256').update(text).digest('hex')
  const asked = async ({ gateway }: typeof first, body: object) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    const persistedQuery = { version: 1, sha256Hash }
    const posted = { headers, body: JSON.stringify({ ...body, extensions: { persistedQuery } }) }
    return JSON.parse((await gateway.answer(posted)).body.toString())
  }
  expect((await asked(first, { query: text })).data.artist).toBeDefined()
  await vi.waitFor(async () => expect((await asked(second, {})).data).toBeDefined(), 20_000)

  const admin = createAdminServer(first.gateway, {
    port: 0,
    host: '127.0.0.1',
    isDraining: () => false,
  })
  const address = await admin.listen()
  onTestFinished(() => admin.close())
  expect((await fetch(`${address}/credits`)).status).toBe(200)
  expect(await cacheCommand(['purge', '--all'], 'off', `${url}/1`)).toMatch(
    /^\d answers? taken out of Redis/,
  )
  await (await open()).gateway.close()

  expect(await redis.say('ACL LOG')).toBe('*0\r\n')
  const link = await openLink(url)
  onTestFinished(() => link.close())
  for (const lua of [
    `return redis.call('GET', 'other')`,
    `return redis.call('PUBLISH', 'other', '')`,
    `return redis.call('FLUSHALL')`,
  ])
    await expect(link.run(lua, [], []), lua).rejects.toThrow()
}, 120_000)
