import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openFleet } from '../support/fleet.ts'
import type { Result } from '../support/gateway.ts'
import { useRedis } from '../support/redis.ts'

const redis = useRedis()

const AGENTS = '{ artists(cmIds: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]) { bookingAgent } }'
const agentsOf = ({ data }: Result): unknown[] =>
  data.artists.map((artist: { bookingAgent: unknown }) => artist.bookingAgent)

it('a recording has each answer though replicas hold it, and what it leaves out is left out for them by nobody', async () => {
  const { replicas, open, sandbox } = await openFleet(redis.url, 1, {}, { CREDITS_PER_DAY: '60' })
  const [replica] = replicas
  if (replica === undefined) throw new Error('none')
  const folder = await mkdtemp(join(tmpdir(), 'refrain-recording-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const recorder = await open({}, '', { recordings: { folder, isClosed: false } })

  const first = await replica.query('{ artist(cmId: 6) { name } }')
  const again = await recorder.query('{ artist(cmId: 6) { name } }')
  expect([again.errors, again.data, again.credits.spent]).toEqual([[], first.data, 1])

  const recorded = await recorder.query(AGENTS)
  expect(agentsOf(recorded)).toContain('[redacted]')
  const told = await replica.query(AGENTS)
  expect([told.errors, told.credits.spent]).toEqual([[], 10])
  expect(agentsOf(told)).not.toContain('[redacted]')

  expect(sandbox.meter.tokenCalls).toBe(1)
  expect(recorder.gateway.budgets[0]?.remaining).toBe(60 - 22)
  await recorder.gateway.close()
  expect(await readdir(folder)).toHaveLength(11)
})
