import { describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/credits/ledger.ts'
import { GatewayError } from '../../../src/errors.ts'
import { WireFault } from '../../../src/upstream/transport/fault.ts'
import { createMeter, parseBilled } from '../../../src/upstream/transport/meter.ts'
import type { Send } from '../../../src/upstream/transport/send.ts'
import { through } from './through.ts'

const request = { method: 'GET', path: '/', credits: 2, endpoint: 'brand' } as const
const answering =
  (status: number): Send =>
  async () => ({ status, headers: {}, text: '' })
const failing =
  (error: unknown): Send =>
  async () => {
    throw error
  }
const lost = (sent: boolean) =>
  new WireFault('UPSTREAM_UNAVAILABLE', 'lost', { sent, repeatable: true })

const spent = async (billed: string, next: Send, times = 1) => {
  const ledger = createLedger()
  for (let count = 0; count < times; count += 1)
    await through(createMeter(parseBilled(billed)), next)(request, { ledger, deadline: 0 }).catch(
      () => {},
    )
  return ledger.spent
}

describe('the meter', () => {
  it.each([
    ['all-but:401,token', 200, 2],
    ['all-but:401,token', 404, 2],
    ['all-but:401,token', 429, 2],
    ['all-but:401,token', 503, 2],
    ['all-but:401,token', 401, 0],
    ['all-but:401,429', 429, 0],
    ['all', 401, 2],
    ['none', 200, 0],
  ])('under %s books an answer of %i as %i credits', async (billed, status, credits) => {
    expect(await spent(billed, answering(status))).toBe(credits)
  })

  it('charges what left without an answer, and gives back what never left', async () => {
    expect(await spent('all', failing(lost(true)))).toBe(2)
    expect(await spent('all', failing(lost(false)))).toBe(0)
  })

  it('keeps the charge when it cannot tell', async () => {
    expect(await spent('all', failing(new Error('a fault of ours')))).toBe(2)
  })

  it('charges before the request leaves, each attempt anew', async () => {
    const ledger = createLedger()
    const seen: number[] = []
    const send = through(createMeter(parseBilled('all')), async () => {
      seen.push(ledger.spent)
      return { status: 200, headers: {}, text: '' }
    })
    await send(request, { ledger, deadline: 0 })
    await send(request, { ledger, deadline: 0 })
    expect(seen).toEqual([2, 4])
  })

  it('sends nothing when the purse refuses', async () => {
    const empty: Ledger = {
      ...createLedger(),
      charge: () => {
        throw new GatewayError('CREDIT_LIMIT_EXCEEDED', 'empty')
      },
    }
    let sent = 0
    const send = through(createMeter(parseBilled('all')), async () => {
      sent += 1
      return { status: 200, headers: {}, text: '' }
    })
    await expect(send(request, { ledger: empty, deadline: 0 })).rejects.toMatchObject({
      code: 'CREDIT_LIMIT_EXCEEDED',
    })
    expect(sent).toBe(0)
  })
})

describe('BILLED', () => {
  it.each([
    ['all', { requests: true, token: true, free: [] }],
    [' None ', { requests: false, token: false, free: [] }],
    ['all-but:401,token', { requests: true, token: false, free: [401] }],
    ['all-but: 401, 429', { requests: true, token: true, free: [401, 429] }],
    ['all-but:token', { requests: true, token: false, free: [] }],
  ])('%s is understood', (text, meaning) => {
    expect(parseBilled(text)).toEqual(meaning)
  })

  it.each(['', 'some', 'all-but', 'all-but:', 'all-but:401,', 'all-but:4xx', 'all-but:99', '401'])(
    '%j is refused with what is expected and what came',
    (text) => {
      expect(() => parseBilled(text)).toThrow(/"all", "none", or "all-but:".*; got "/)
    },
  )
})
