import { expect, test } from 'vitest'
import type { Fault } from '../../src/sandbox/fault.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { DAY, HOUR } from '../credits/ask.ts'
import { type EndpointName, queryOf } from '../property/asking.ts'
import { figure } from '../support/figure.ts'
import { warmed } from './warmed.ts'

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['RATE_LIMITED', { status: 429 }],
  ['UPSTREAM_UNAVAILABLE', { status: 500 }],
  ['UPSTREAM_REJECTED', { status: 400 }],
  ['CREDIT_BUDGET_EXHAUSTED', { status: 402 }],
  ['TIMEOUT', { stall: 'head' }],
  ['UPSTREAM_UNAVAILABLE', { cutAt: 1 }],
  ['UPSTREAM_BAD_RESPONSE', { html: true }],
]
/** Past the freshness of all, a weekly chart's too, and not past the week in which it may still stand in. */
const AGE = 4 * DAY
/** Longer than a refusal is remembered, a pause lasts and a breaker stays open. */
const FORGOTTEN = HOUR / 2

test.each(Object.keys(endpoints) as EndpointName[])(
  '%s: what is held is given whatever goes wrong with it, and renewed afterwards',
  async (name) => {
    const at = await warmed()
    const query = queryOf(name)
    const { data, errors } = await at.ask(query)
    expect(errors).toEqual([])
    at.advance(AGE)
    for (const [reason, fault] of FAULTS) {
      at.sandbox.faults.inject(name, fault)
      const old = await at.ask(query)
      expect([old.errors, old.data], reason).toEqual([[], data])
      // Parts from elsewhere are renewed meanwhile, some of them behind the client's back.
      const why = new Set(old.credits.stale?.map((part) => part.reason))
      why.delete('REVALIDATING')
      expect(why).toEqual(new Set([reason]))
      at.sandbox.faults.clear()
      at.advance(FORGOTTEN)
    }
    const anew = await at.ask(query)
    expect(anew.errors).toEqual([])
    expect(anew.credits.stale?.some(({ reason }) => reason !== 'REVALIDATING') ?? false).toBe(false)
    expect(at.spent()).toBe(at.sandbox.meter.credits)
    figure(`promise, ${name}`, `${FAULTS.length} faults after 4 days, 0 failed`)
  },
)
