import { expect, test } from 'vitest'
import { cacheCommand } from '../../src/cli/cache.ts'
import { createAdminServer } from '../../src/server/admin.ts'
import { openFleet } from '../support/fleet.ts'
import { useRedis } from '../support/redis.ts'

const redis = useRedis()

const ARTIST = '{ artist(cmId: 5) { rank } }'
const TRACK = '{ track(cmId: 7) { score } }'
const purge = (...options: string[]) => cacheCommand(['purge', ...options], 'off', redis.url)

test('answers that replicas share are bought anew after a purge, and none but those that are meant', async () => {
  const { open, sandbox } = await openFleet(redis.url, 0, {}, { CREDITS_PER_DAY: '60' })
  /** What a replica that begins now spends on both. */
  const spent = async () => {
    const { query, gateway } = await open()
    const credits = [(await query(ARTIST)).credits.spent, (await query(TRACK)).credits.spent]
    await gateway.close()
    return credits
  }
  expect(await spent()).toEqual([1, 1])
  expect(await spent()).toEqual([0, 0])
  expect(await purge('--endpoint', 'artist')).toBe(
    '1 answer taken out of Redis, and of what replicas hold',
  )
  expect(await spent()).toEqual([1, 0])
  expect(await purge('--before', '2020-01-01')).toBe(
    '0 answers taken out of Redis, and of what replicas hold',
  )
  expect(await spent()).toEqual([0, 0])
  expect(await purge('--before', '2100-01-01')).toBe(
    '2 answers taken out of Redis, and of what replicas hold',
  )
  expect(await spent()).toEqual([1, 1])
  expect(await purge('--all')).toBe('2 answers taken out of Redis, and of what replicas hold')
  expect(await spent()).toEqual([1, 1])
  expect([sandbox.meter.tokenCalls, sandbox.meter.credits]).toEqual([1, 7])
})

test('a purge of a Redis that is away says so', async () => {
  await redis.kill()
  await expect(purge('--all')).rejects.toThrow('Redis is away')
  await redis.start()
  await expect(cacheCommand(['purge', '--all'], 'off', 'http://x')).rejects.toThrow(
    'REDIS_URL: expected',
  )
})

test('what was found, missed and kept in Redis, and how long it took, is told to Prometheus', async () => {
  const { replicas, open } = await openFleet(redis.url, 1)
  await replicas[0]?.query(ARTIST)
  const { gateway, query } = await open()
  await query(ARTIST)
  await query(TRACK)
  const admin = createAdminServer(gateway, { port: 0, host: '127.0.0.1', isDraining: () => false })
  const address = await admin.listen()
  const metrics = async () => (await fetch(`${address}/metrics`)).text()
  const told = await metrics()
  for (const line of [
    'refrain_redis_up 1',
    'refrain_redis_answers_total{result="found"} 1',
    'refrain_redis_answers_total{result="missed"} 1',
    'refrain_redis_answers_total{result="kept"} 1',
  ])
    expect(told.split('\n')).toContain(line)
  expect(told).toMatch(/refrain_redis_answer_bytes_total{direction="read"} [1-9]/)
  expect(told).toMatch(/refrain_redis_answer_bytes_total{direction="written"} [1-9]/)
  expect(told).toMatch(/refrain_redis_commands_total{outcome="answered"} [1-9]/)
  expect(told).toMatch(/refrain_redis_command_duration_seconds_count [1-9]/)
  await redis.kill()
  await expect.poll(metrics, { timeout: 20_000 }).toContain('refrain_redis_up 0')
  await admin.close()
  await gateway.close()
  await redis.start()
})
