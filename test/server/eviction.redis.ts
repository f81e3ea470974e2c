import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { watchEviction } from '../../src/redis/eviction.ts'
import type { Link } from '../../src/redis/link.ts'
import { buildGateway } from '../support/gateway-process.ts'
import { openLink, startRedis } from '../support/redis.ts'

/** What is said of a Redis with these settings. */
const saidOf = async (...options: string[]) => {
  const redis = await startRedis(options)
  onTestFinished(() => redis.stop())
  const link = await openLink(redis.url)
  onTestFinished(() => link.close())
  const said: string[] = []
  watchEviction(link, (text) => said.push(text))
  return { said, redis, link }
}
/** All that it was asked before is answered, also what it had to be asked twice. */
const answered = async (link: Link) => {
  for (let turn = 0; turn < 3; turn++) await link.run(`return ${turn}`, [], [])
}
const FULL = ['--maxmemory', '50mb', '--maxmemory-policy']

it.each([
  [
    'allkeys-lru',
    /^Redis may throw out the token and what was spent: .* allkeys-lru, expected volatile-lru/,
  ],
  [
    'noeviction',
    /^Redis writes down no token and no credit once answers have filled it: .* noeviction/,
  ],
])('a Redis with a bound and %s is named as what may lose the token', async (policy, text) => {
  const { said } = await saidOf(...FULL, policy)
  await vi.waitFor(() => expect(said).toEqual([expect.stringMatching(text)]), 20_000)
})

it('a Redis without a bound, or that evicts what expires, is in order until it is set otherwise', async () => {
  const boundless = await saidOf('--maxmemory-policy', 'allkeys-lru')
  await answered(boundless.link)
  expect(boundless.said).toEqual([])
  const { said, redis, link } = await saidOf(...FULL, 'volatile-lru')
  await answered(link)
  await redis.say('CONFIG SET maxmemory-policy allkeys-random')
  expect(said).toEqual([])
  await redis.say('CLIENT KILL TYPE normal')
  await vi.waitFor(() => expect(said).toEqual([expect.stringContaining('allkeys-random')]), 20_000)
})

it('a Redis that keeps its settings to itself is not away for that', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  await redis.say('ACL SETUSER default -info')
  const link = await openLink(redis.url)
  onTestFinished(() => link.close())
  const said: string[] = []
  watchEviction(link, (text) => said.push(text))
  let ups = 0
  link.onUp(() => {
    ups += 1
  })
  await answered(link)
  expect([said, ups, link.isUp]).toEqual([[], 1, true])
})

const { dist, close } = buildGateway()
afterAll(close)

/** How `--check-config` ends with this Redis, and what it says. */
const checked = async (url: string) => {
  const args = [join(dist, 'main.js'), '--check-config']
  const env = { PATH: process.env.PATH, REDIS_URL: url, LOG_LEVEL: 'silent' }
  return promisify(execFile)(process.execPath, args, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

it.each([
  [FULL, 'allkeys-lru', 1, /^REDIS_URL: Redis may throw out the token .* allkeys-lru/m],
  [FULL, 'noeviction', 0, /^REDIS_URL: Redis writes down no token .* noeviction/m],
  [FULL, 'volatile-ttl', 0, /^$/],
  [['--maxmemory-policy'], 'allkeys-lru', 0, /^$/],
])(
  '--check-config asks a Redis with %s %s, and ends with %d',
  async (bound, policy, code, said) => {
    const redis = await startRedis([...bound, policy])
    onTestFinished(redis.stop)
    const end = await checked(redis.url)
    expect([end.code, end.stdout]).toEqual([code, expect.stringContaining('REDIS_URL=[secret]')])
    expect(end.stderr).toMatch(said)
  },
)

it('--check-config says that a Redis which does not answer was not checked', async () => {
  const end = await checked('redis://127.0.0.1:9')
  expect([end.code, end.stderr]).toEqual([
    0,
    expect.stringMatching(/^REDIS_URL: not checked, Redis is away/),
  ])
})
