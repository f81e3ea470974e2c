import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/credits/ledger.ts'
import { GatewayError } from '../../../src/errors.ts'
import { WireFault } from '../../../src/upstream/transport/fault.ts'
import { createRetry } from '../../../src/upstream/transport/retry.ts'
import type { Send } from '../../../src/upstream/transport/send.ts'
import { createFakeClock } from './clocks.ts'
import { through } from './through.ts'

const fault = (sent: boolean, repeatable = true) =>
  new WireFault(sent ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_UNAVAILABLE', 'lost', {
    sent,
    repeatable,
  })
const unsent = fault(false)
const cut = fault(true)
const timeout = new WireFault('TIMEOUT', 'late', { sent: true, repeatable: false })
const refused = new GatewayError('RATE_LIMITED', 'paused', { retryAfter: 9 })

type Turn = number | Error

/** Sends through the retry over a script of statuses and faults, whose last entry goes on for ever. */
const open = (...script: Turn[]) => {
  const clock = createFakeClock()
  const moments: number[] = []
  const next: Send = async () => {
    const turn = script[Math.min(moments.length, script.length - 1)] ?? 200
    moments.push(clock.now())
    if (typeof turn !== 'number') throw turn
    return { status: turn, headers: {}, text: '' }
  }
  const send = through(
    createRetry(clock, () => 1),
    next,
  )
  const ask = async (patience = 10_000, credits = 1) => {
    const request = { method: 'GET', path: '/', credits, endpoint: 'track' } as const
    const caller = { ledger: createLedger(), deadline: clock.now() + patience }
    const asked = send(request, caller).then(
      ({ status }) => status,
      (error: unknown) => error,
    )
    await clock.pass(2_000)
    return asked
  }
  return { ask, moments, clock }
}

describe('a repeat', () => {
  it.each<[string, Turn[], number, unknown]>([
    ['a 200', [200], 1, 200],
    ['400', [400], 1, 400],
    ['401', [401], 1, 401],
    ['403', [403], 1, 403],
    ['404', [404], 1, 404],
    ['429', [429], 1, 429],
    ['501', [501], 1, 501],
    ['500 and then 200', [500, 200], 2, 200],
    ['502 and then 200', [502, 200], 2, 200],
    ['503 and then 200', [503, 200], 2, 200],
    ['504 and then 200', [504, 200], 2, 200],
    ['503 for good', [503], 2, 503],
    ['a cut body and then 200', [cut, 200], 2, 200],
    ['a cut body for good', [cut], 2, cut],
    ['a timeout', [timeout], 1, timeout],
    ['a bad body', [fault(true, false)], 1, expect.any(WireFault)],
    ['a bad certificate', [fault(false, false)], 1, expect.any(WireFault)],
    ['never sent twice, then 200', [unsent, unsent, 200], 3, 200],
    ['never sent at all', [unsent], 3, unsent],
    ['never sent, then cut, then never sent, then 200', [unsent, cut, unsent, 200], 4, 200],
    ['a refusal on this side', [refused], 1, refused],
    ['a fault of ours', [new TypeError('ours')], 1, expect.any(TypeError)],
  ])('after %s: the count and the outcome are right', async (_, script, sends, outcome) => {
    const { ask, moments } = open(...script)
    expect(await ask()).toEqual(outcome)
    expect(moments).toHaveLength(sends)
  })

  it('waits at most half a second before each try', async () => {
    const { ask, moments, clock } = open(unsent, unsent, 200)
    const start = clock.now()
    await ask()
    expect(moments.map((moment) => moment - start)).toEqual([0, 500, 1_000])
  })

  it('is left out when it could not start before the deadline', async () => {
    const { ask, moments } = open(503, 200)
    expect(await ask(500)).toBe(503)
    expect(moments).toHaveLength(1)
  })

  it('that is held back by a limit leaves the outcome that was paid for', async () => {
    const { ask } = open(503, new GatewayError('CREDIT_LIMIT_EXCEEDED', 'empty'))
    expect(await ask()).toBe(503)
  })
})

describe('the budget of paid repeats', () => {
  it('is twenty credits in an outage, then none', async () => {
    const { ask, moments } = open(503)
    for (let count = 0; count < 50; count += 1) await ask()
    expect(moments).toHaveLength(70)
  })

  it('is drained twice as fast by premium requests', async () => {
    const { ask, moments } = open(503)
    for (let count = 0; count < 50; count += 1) await ask(10_000, 2)
    expect(moments).toHaveLength(60)
  })

  it('is refilled by a tenth with each success', async () => {
    const script: Turn[] = [...Array(40).fill(503), ...Array(10).fill(200), 503]
    const { ask, moments } = open(...script)
    for (let count = 0; count < 20; count += 1) await ask()
    expect(moments).toHaveLength(40)
    for (let count = 0; count < 10; count += 1) await ask()
    expect(moments).toHaveLength(50)
    await ask()
    expect(moments).toHaveLength(52)
    await ask()
    expect(moments).toHaveLength(53)
  })

  it('is not touched by repeats that cost nothing', async () => {
    const { ask, moments } = open(unsent)
    for (let count = 0; count < 30; count += 1) await ask()
    expect(moments).toHaveLength(90)
  })
})
