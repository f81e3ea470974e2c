import { expect, test } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'
import type { Operation } from '../../src/upstream/operation.ts'
import { createPatience } from '../../src/upstream/patience.ts'
import { createServed } from '../../src/upstream/served.ts'
import { createFakeClock, settle } from './transport/clocks.ts'

/** Operations on one clock, and who of those that wait for them was told to give up. */
const open = () => {
  const clock = createFakeClock()
  const patience = createPatience(clock)
  const told: string[] = []
  const operation = (ms: number, signal?: AbortSignal): Operation => {
    const since = clock.now()
    const own = { ledger: createLedger(), directives: {}, served: createServed(), signal }
    return { ...own, since, deadline: since + ms }
  }
  const wait = (of: Operation, name: string) =>
    patience.enter(of, { giveUp: () => told.push(name) })
  return { clock, patience, told, operation, wait }
}

test('operations of one deadline share a timer, which goes with the last that waits', async () => {
  const { clock, patience, told, operation, wait } = open()
  const [one, other] = [operation(1_000), operation(1_000)]
  const all = [wait(one, 'a'), wait(one, 'b'), wait(other, 'c')]
  expect(clock.sleeping).toBe(1)
  for (const own of all) patience.leave(own)
  await settle()
  expect(clock.sleeping).toBe(0)
  await clock.pass(2_000)
  expect(told).toEqual([])
})

test('each is told at its own deadline, or as whoever asked leaves', async () => {
  const { clock, told, operation, wait } = open()
  const asker = new AbortController()
  wait(operation(1_000), 'first')
  wait(operation(2_000), 'second')
  wait(operation(2_000, asker.signal), 'left')
  asker.abort()
  expect(told).toEqual(['left'])
  await clock.pass(1_000)
  expect(told).toEqual(['left', 'first'])
  await clock.pass(1_000)
  expect(told).toEqual(['left', 'first', 'second'])
})
