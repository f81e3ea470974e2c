import { describe, expect, it } from 'vitest'
import type { Board } from '../../src/board/board.ts'
import { createLease } from '../../src/board/lease.ts'
import { createMemoryBoard } from '../../src/board/memory.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const SECOND = 1_000

/** Processes on one board; each has its own mark, and can be frozen or declared dead. */
const openHouse = () => {
  const clock = createFakeClock()
  const start = clock.now()
  const shared = createMemoryBoard()
  const dead = new Set<string>()
  let full = false
  const enter = (owner: string) => {
    let frozen = false
    const board: Board = {
      ...shared,
      owner,
      hasEnded: async (other) => dead.has(other),
      async write(...args) {
        if (frozen) return new Promise<boolean>(() => undefined)
        if (full) throw new Error('ENOSPC')
        return shared.write(...args)
      },
    }
    const pace = { sleep: clock.sleep, steady: () => clock.now() - start, random: () => 1 }
    const lease = createLease(board, 'lease', pace)
    return {
      claim: (patience = 15 * SECOND, isNeedless = async () => false) =>
        lease.claim({ patience: () => patience, isNeedless }),
      freeze() {
        frozen = true
      },
    }
  }
  const outcome = <T>(work: Promise<T>) => {
    const seen: { value?: T; done: boolean } = { done: false }
    void work.then((value) => Object.assign(seen, { value, done: true }))
    return seen
  }
  return {
    clock,
    shared,
    dead,
    enter,
    outcome,
    fill(to: boolean) {
      full = to
    },
  }
}

describe('a lease', () => {
  it('is for one at a time, and goes to who waits as soon as it is given back', async () => {
    const { enter, outcome, clock } = openHouse()
    const turn = await enter('a').claim()
    const waiting = [outcome(enter('b').claim()), outcome(enter('c').claim())]
    await clock.pass(60 * SECOND)
    expect(waiting.map(({ done }) => done)).toEqual([false, false])
    await turn?.end()
    await clock.pass(100)
    expect(waiting.filter(({ done }) => done)).toHaveLength(1)
    await waiting.find(({ done }) => done)?.value?.end()
    await clock.pass(100)
    expect(waiting.map(({ done }) => done)).toEqual([true, true])
  })

  it('is taken at once from a holder that is known to have ended', async () => {
    const { enter, dead } = openHouse()
    const killed = enter('a')
    await killed.claim()
    killed.freeze()
    dead.add('a')
    expect(await enter('b').claim()).toBeDefined()
  })

  it('is taken after 15 s from a holder that gives no sign of life, and stays taken', async () => {
    const { enter, outcome, clock, shared } = openHouse()
    const frozen = enter('a')
    await frozen.claim()
    frozen.freeze()
    const waiting = outcome(enter('b').claim())
    await clock.pass(14 * SECOND)
    expect(waiting.done).toBe(false)
    await clock.pass(SECOND + 200)
    expect(waiting.done).toBe(true)
    const { text } = (await shared.read('lease')) ?? {}
    expect(text).toBe('b')
  })

  it('of one who was passed over is not given back in the name of the next', async () => {
    const { enter, outcome, clock, shared, dead } = openHouse()
    const turn = await enter('a').claim()
    dead.add('a')
    const next = outcome(enter('b').claim())
    await clock.pass(SECOND)
    expect(next.done).toBe(true)
    await turn?.end()
    expect((await shared.read('lease'))?.text).toBe('b')
  })

  it('is not waited for when what it was for is done', async () => {
    const { enter, outcome, clock } = openHouse()
    await enter('a').claim()
    let done = false
    const waiting = outcome(enter('b').claim(15 * SECOND, async () => done))
    await clock.pass(SECOND)
    expect(waiting.done).toBe(false)
    done = true
    await clock.pass(100)
    expect(waiting).toEqual({ done: true, value: undefined })
  })

  it('is not taken from somebody because of a clock that was set', async () => {
    const clock = createFakeClock()
    const board = createMemoryBoard()
    const pace = { sleep: clock.sleep, steady: () => 0, random: () => 1 }
    const lease = createLease(board, 'lease', pace)
    const waiting = { patience: () => 15 * SECOND, isNeedless: async () => true }
    expect(await lease.claim(waiting)).toBeDefined()
    clock.jump(600 * SECOND)
    expect(await lease.claim(waiting)).toBeUndefined()
  })

  it('that cannot be written keeps nobody out who knows of no holder, and all who know of one', async () => {
    const { enter, outcome, clock, fill } = openHouse()
    fill(true)
    expect(await enter('a').claim()).toBeDefined()
    fill(false)
    const turn = await enter('b').claim()
    fill(true)
    const waiting = outcome(enter('c').claim())
    await clock.pass(60 * SECOND)
    expect(waiting.done).toBe(false)
    fill(false)
    await turn?.end()
    await clock.pass(100)
    expect(waiting.done).toBe(true)
  })

  it('is not taken from a holder that could not write, as soon as it can', async () => {
    const { enter, outcome, clock, fill } = openHouse()
    await enter('a').claim()
    fill(true)
    await clock.pass(SECOND)
    const waiting = outcome(enter('b').claim())
    await clock.pass(14_500)
    fill(false)
    await clock.pass(60 * SECOND)
    expect(waiting.done).toBe(false)
  })
})
