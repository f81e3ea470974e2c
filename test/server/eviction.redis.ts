import { expect, it, onTestFinished, vi } from 'vitest'
import { watchEviction } from '../../src/redis/eviction.ts'
import { type Link, script } from '../../src/redis/link.ts'
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
  for (let turn = 0; turn < 3; turn++) await link.run(script(`return ${turn}`), [], [])
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
