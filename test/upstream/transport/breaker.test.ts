import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/credits/ledger.ts'
import { GatewayError } from '../../../src/errors.ts'
import { createBreaker } from '../../../src/upstream/transport/breaker.ts'
import { WireFault } from '../../../src/upstream/transport/fault.ts'
import { createGate } from '../../../src/upstream/transport/gate.ts'
import { createRetry } from '../../../src/upstream/transport/retry.ts'
import type { WireAnswer } from '../../../src/upstream/transport/send.ts'
import { createFakeClock, settle } from './clocks.ts'
import { through } from './through.ts'

type Turn = number | Error

const fault = (code: 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_BAD_RESPONSE' | 'TIMEOUT', sent: boolean) =>
  new WireFault(code, 'lost', { sent, repeatable: true })

const open = () => {
  const clock = createFakeClock()
  const breaker = createBreaker(clock)
  let turn: Turn = 200
  let sent = 0
  let held: ((answer: WireAnswer) => void) | undefined
  const gate = createGate({ concurrency: 64 }, clock, () => 0.5, breaker)
  const send = through(gate.through, async () => {
    sent += 1
    if (turn === 0) return new Promise((resolve) => (held = resolve))
    if (typeof turn !== 'number') throw turn
    return { status: turn, headers: {}, text: '' }
  })
  const ask = (endpoint = 'track') =>
    send(
      { method: 'GET', path: '/', credits: 1, endpoint },
      { ledger: createLedger(), deadline: clock.now() + 10_000 },
    ).then(
      ({ status }) => status,
      (error: GatewayError) => error,
    )
  const askMany = async (count: number, now: Turn, endpoint?: string) => {
    turn = now
    const outcomes: unknown[] = []
    for (let one = 0; one < count; one += 1) {
      outcomes.push(await ask(endpoint))
      // A 429 is a pause of all, which is another matter.
      const pause = gate.pausedUntil - clock.now()
      if (pause > 0) await clock.pass(pause * 1.1)
    }
    return outcomes
  }
  return {
    clock,
    breaker,
    ask,
    askMany,
    set turn(next: Turn) {
      turn = next
    },
    get sent() {
      return sent
    },
    answer: async (status: number) => {
      held?.({ status, headers: {}, text: '' })
      await settle(2)
    },
  }
}

const OPEN = { code: 'UPSTREAM_UNAVAILABLE' }

describe('an endpoint', () => {
  it.each<[string, Turn]>([
    ['500', 500],
    ['503', 503],
    ['resets', fault('UPSTREAM_UNAVAILABLE', true)],
    ['timeouts', fault('TIMEOUT', true)],
    ['bad answers', fault('UPSTREAM_BAD_RESPONSE', true)],
  ])('is left alone after twenty %s, at once and with the time to wait', async (_, turn) => {
    const under = open()
    await under.askMany(20, turn)
    expect(under.breaker.open).toEqual(['track'])
    expect(await under.ask()).toMatchObject({ ...OPEN, facts: { retryAfter: 10 } })
    expect(under.sent).toBe(20)
  })

  it.each<[string, Turn]>([
    ['429', 429],
    ['404', 404],
    ['400', 400],
    ['403', 403],
    ['a refusal on this side', new GatewayError('RATE_LIMITED', 'paused')],
  ])('is asked on after any number of %s', async (_, turn) => {
    const under = open()
    await under.askMany(60, turn)
    expect(under.sent).toBe(60)
  })

  it('is asked on while less than half of its calls fail, or fewer than twenty were made', async () => {
    const under = open()
    for (let round = 0; round < 20; round += 1) {
      await under.askMany(2, 200)
      await under.askMany(1, 500)
    }
    expect(under.sent).toBe(60)
    const few = open()
    await few.askMany(19, 500)
    await few.clock.pass(45_000)
    await few.askMany(19, 500)
    expect(few.sent).toBe(38)
  })

  it.each([0, 7_000, 14_000, 29_000])(
    'is left alone after ten failures and ten more within 27 s, from %i ms on',
    async (from) => {
      const under = open()
      await under.clock.pass(from)
      await under.askMany(10, 500)
      await under.clock.pass(27_000)
      await under.askMany(10, 500)
      expect(under.breaker.open).toEqual(['track'])
      const apart = open()
      await apart.clock.pass(from)
      await apart.askMany(10, 500)
      await apart.clock.pass(30_000)
      await apart.askMany(19, 500)
      expect(apart.breaker.open).toEqual([])
    },
  )

  it('does not stand for another one', async () => {
    const under = open()
    await under.askMany(20, 500, 'track')
    expect(await under.askMany(1, 200, 'artist')).toEqual([200])
  })

  it('is tried by one request after ten seconds, and works again if that does', async () => {
    const under = open()
    await under.askMany(20, 500)
    await under.clock.pass(10_000)
    under.turn = 0
    const probe = under.ask()
    await settle(2)
    expect(await under.ask()).toMatchObject({ ...OPEN, facts: { retryAfter: 1 } })
    expect(under.sent).toBe(21)
    await under.answer(200)
    expect(await probe).toBe(200)
    expect(await under.askMany(3, 200)).toEqual([200, 200, 200])
    expect(under.breaker.open).toEqual([])
  })

  it('is left alone for twice as long after each failed try, up to two minutes', async () => {
    const under = open()
    await under.askMany(20, 500)
    for (const seconds of [10, 20, 40, 80, 120, 120]) {
      await under.clock.pass(seconds * 1_000 - 1)
      expect(await under.ask()).toMatchObject(OPEN)
      await under.clock.pass(1)
      expect(await under.ask()).toBe(500)
    }
    expect(under.sent).toBe(26)
  })

  it('is tried again at once when the try came to nothing', async () => {
    const under = open()
    await under.askMany(20, 500)
    await under.clock.pass(10_000)
    await under.askMany(1, new GatewayError('RATE_LIMITED', 'paused'))
    expect(await under.askMany(1, 200)).toEqual([200])
  })
})

describe('the connections', () => {
  it('are left alone for every endpoint after five were refused in a row', async () => {
    const under = open()
    await under.askMany(5, fault('UPSTREAM_UNAVAILABLE', false))
    expect(under.breaker.connectionsOpen).toBe(true)
    expect(await under.askMany(1, 200, 'artist')).toMatchObject([OPEN])
    await under.clock.pass(10_000)
    expect(await under.askMany(1, 200, 'artist')).toEqual([200])
    expect(under.breaker.connectionsOpen).toBe(false)
  })

  it('are not blamed when an answer came between, or when a caller had no time left', async () => {
    const under = open()
    for (let round = 0; round < 5; round += 1) {
      await under.askMany(4, fault('UPSTREAM_UNAVAILABLE', false))
      await under.askMany(1, 404)
    }
    await under.askMany(20, fault('TIMEOUT', false))
    expect(under.sent).toBe(45)
  })
})

describe('an outage of five minutes at fifty requests a second', () => {
  it('costs no more than seventy credits, repeats included', async () => {
    const clock = createFakeClock()
    let sent = 0
    const gate = createGate({ concurrency: 16 }, clock, () => 0.5, createBreaker(clock))
    const retry = createRetry(clock, () => 0.5)
    const send = through(
      (next) => retry(gate.through(next)),
      async () => {
        sent += 1
        await clock.sleep(300)
        return { status: 500, headers: {}, text: '' }
      },
    )
    const request = { method: 'GET', path: '/', credits: 1, endpoint: 'track' } as const
    for (let tick = 0; tick < 300; tick += 1) {
      for (let one = 0; one < 50; one += 1)
        void send(request, { ledger: createLedger(), deadline: clock.now() + 10_000 }).catch(
          () => undefined,
        )
      await clock.pass(1_000)
    }
    expect(sent).toBeLessThanOrEqual(70)
  })
})
