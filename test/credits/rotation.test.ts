import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { openRun } from '../support/run.ts'
import { ask, HOUR, handClock } from './ask.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

const folderOf = () => mkdtemp(join(tmpdir(), 'refrain-'))

describe('11: two replicas, one expiry, rotated token', () => {
  /** Two processes' worth of gateway over one folder, in front of a service that takes each refresh token once. */
  const openTwo = async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const env = { STATE_DIR: await folderOf() }
    const first = await openRun({ clock, env, sandbox: { rotation: 'strict', latencyMs: 5 } })
    const second = openGateway(first.url, env, { clock })
    open.push(second.gateway, first)
    return { first, second, advance }
  }

  test('one mint after another: the second takes over what the first was given', async () => {
    const { first, second, advance } = await openTwo()
    for (const [round, cmId] of [5, 50, 500].entries()) {
      for (const [at, opened] of [first, second, second, first].entries()) {
        const { errors } = await ask(opened, `{ artist(cmId: ${cmId + at}) { rank } }`)
        expect(errors).toEqual([])
      }
      expect(first.sandbox.meter.tokenCalls).toBe(round + 1)
      advance(HOUR)
    }
  })

  test('a kill between the response and the write still recovers, where the service has grace', async () => {
    const env = { STATE_DIR: await folderOf() }
    const killed = await openRun({ env, sandbox: { rotation: 'grace' } })
    // The service rotated, and nobody kept what it answered.
    killed.sandbox.faults.inject('token', { stall: 'head', times: 1 })
    const never = ask(killed, '{ artist(cmId: 5) { rank } }')
    while (killed.meter.tokenCalls < 1) await new Promise((resolve) => setImmediate(resolve))
    const next = openGateway(killed.url, env)
    open.push(next.gateway, killed)
    const { errors, credits } = await ask(next, '{ artist(cmId: 5) { rank } }')
    expect(errors).toEqual([])
    expect(credits.spent).toBe(1)
    expect(killed.meter.tokenCalls).toBe(2)
    await killed.sandbox.close()
    await never
  })
})
