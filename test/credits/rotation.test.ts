import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openGateway } from '../support/gateway.ts'
import { createMinters } from '../support/minter.ts'
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

  test('one mint, both continue, when both find the token expired at once', async () => {
    const { first, second, advance } = await openTwo()
    await ask(first, '{ artist(cmId: 5) { rank } }')
    await ask(second, '{ artist(cmId: 6) { rank } }')
    expect(first.sandbox.meter.tokenCalls).toBe(1)
    advance(HOUR)
    const answers = await Promise.all([
      ask(first, '{ artist(cmId: 7) { rank } }'),
      ask(second, '{ artist(cmId: 8) { rank } }'),
    ])
    for (const { errors } of answers) expect(errors).toEqual([])
    expect(first.sandbox.meter.tokenCalls).toBe(2)
  })

  test('a kill between the response and the write still recovers, where the service has grace', async () => {
    const minters = createMinters()
    open.push(minters)
    const env = { STATE_DIR: await folderOf() }
    const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', rotation: 'grace' })
    const url = await sandbox.listen()
    // The service rotates, and nobody is told what to.
    sandbox.faults.inject('token', { stall: 'head', times: 1 })
    const victim = minters.start(url, env.STATE_DIR)
    await vi.waitFor(() => expect(sandbox.meter.tokenCalls).toBe(1), 10_000)
    await victim.kill()
    const next = openGateway(url, env)
    open.push(next.gateway, sandbox)
    const { errors, credits } = await ask(next, '{ artist(cmId: 5) { rank } }')
    expect(errors).toEqual([])
    expect(credits.spent).toBe(1)
    expect(sandbox.meter.tokenCalls).toBe(2)
  }, 60_000)
})
