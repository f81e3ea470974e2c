import { describe, expect, test } from 'vitest'
import { bearer, openClients } from '../support/clients.ts'
import { holding } from '../support/holding.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const from = (first: number, count = 12) => Array.from({ length: count }, (_, at) => first + at)
const ARTISTS = 'query ($ids: [Int!]!) { artists(cmIds: $ids) { rank } }'
const ranked = (ids: readonly number[]) => ({ artists: ids.map((rank) => ({ rank })) })

/** A gateway with four slots, on a service that answers when it is told to. */
const open = async (env: Record<string, string> = {}) => {
  const { held, reply, arrived } = holding()
  const clock = createFakeClock(Date.now())
  const opened = await openClients([{ name: 'web', operations: 512 }, { name: 'app' }], {
    reply,
    env: { UPSTREAM_CONCURRENCY: '4', ...env },
    parts: { clock },
  })
  const { gateway } = opened
  return {
    clock,
    arrived,
    ask: (name: string, ids: readonly number[]) => opened.query(ARTISTS, { ids }, bearer(name)),
    /** Asks, and leaves when told to. */
    leave(name: string, ids: readonly number[]) {
      const left = new AbortController()
      const headers = new Headers({ 'content-type': 'application/json', ...bearer(name) })
      const body = JSON.stringify({ query: ARTISTS, variables: { ids } })
      const answer = async () => gateway.answer({ headers, body, signal: left.signal })
      answer().catch(() => undefined)
      return () => left.abort()
    },
    /** Requests that wait for a slot. */
    async waiting() {
      await arrived(4)
      return gateway.transport.gate.waiting
    },
    /** Answers so many requests, one after the other; all that was asked for. */
    async answer(count: number) {
      for (let at = 0; at < count; at += 1) {
        await arrived(at + 1)
        held[at]?.answer()
      }
      return held.map(({ id }) => id).sort((one, other) => one - other)
    },
  }
}

describe('large operations of one client', () => {
  test('begin as those before them come to their end, each with its own answer and price', async () => {
    const { ask, waiting, answer } = await open()
    const [a, b, c] = [ask('web', from(100)), ask('web', from(200)), ask('web', from(300))]
    expect(await waiting()).toBe(8)
    // Five of twelve are here: seven no longer are two for each slot.
    await answer(5)
    expect(await waiting()).toBe(3 + 12)
    expect(await answer(36)).toEqual([...from(100), ...from(200), ...from(300)])
    for (const [asked, ids] of [
      [a, from(100)],
      [b, from(200)],
      [c, from(300)],
    ] as const)
      expect(await asked).toMatchObject({ data: ranked(ids), errors: [], credits: { spent: 12 } })
  })

  test('hold up neither what is small nor another client', async () => {
    const { ask, waiting, answer } = await open()
    const all = [ask('web', from(100)), ask('web', from(200))]
    expect(await waiting()).toBe(8)
    all.push(ask('web', from(400, 8)))
    expect(await waiting()).toBe(8 + 8)
    all.push(ask('app', from(300)))
    expect(await waiting()).toBe(8 + 8 + 12)
    await answer(12 + 12 + 8 + 12)
    expect((await Promise.all(all)).map(({ errors }) => errors)).toEqual([[], [], [], []])
  })

  test('go on after a second, however long those before them take', async () => {
    const { ask, clock, waiting, answer } = await open()
    const all = [ask('web', from(100)), ask('web', from(200))]
    expect(await waiting()).toBe(8)
    await clock.pass(999)
    expect(await waiting()).toBe(8)
    await clock.pass(1)
    expect(await waiting()).toBe(8 + 12)
    await answer(24)
    expect((await Promise.all(all)).map(({ credits }) => credits.spent)).toEqual([12, 12])
  })

  test('stand no longer than they may take, and pay nothing', async () => {
    const { ask, clock, waiting, answer } = await open({ OPERATION_TIMEOUT_MS: '500' })
    const first = ask('web', from(100))
    await clock.pass(250)
    const second = ask('web', from(200))
    expect(await waiting()).toBe(8)
    await clock.pass(250)
    await first
    await clock.pass(250)
    const { errors, credits } = await second
    expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['TIMEOUT']))
    expect(credits.spent).toBe(0)
    expect(await answer(4)).toEqual(from(100, 4))
  })

  test('cost nothing where who asked has left, and hold up nobody who comes after', async () => {
    const { ask, leave, waiting, answer } = await open()
    const first = ask('web', from(100))
    const left = leave('web', from(200))
    const last = ask('web', from(300))
    expect(await waiting()).toBe(8)
    left()
    expect(await waiting()).toBe(8)
    expect(await answer(24)).toEqual([...from(100), ...from(300)])
    expect((await first).data).toEqual(ranked(from(100)))
    expect(await last).toMatchObject({ data: ranked(from(300)), credits: { spent: 12 } })
  })

  test('that are the same are bought once', async () => {
    const { ask, waiting, answer } = await open()
    const all = from(0, 40).map(() => ask('web', from(100)))
    expect(await waiting()).toBe(8)
    expect(await answer(12)).toEqual(from(100))
    const answers = await Promise.all(all)
    expect(answers.map(({ data }) => data)).toEqual(all.map(() => ranked(from(100))))
    const spent = answers.map(({ credits }) => credits.spent)
    expect(spent.reduce((sum, credits) => sum + credits)).toBe(12)
  })

  test('go on where 256 stand in line', async () => {
    const { leave, waiting, answer } = await open()
    const all = from(0, 257).map((at) => leave('web', from(1_000 + 12 * at)))
    expect(await waiting()).toBe(8)
    all.push(leave('web', from(9_000)))
    expect(await waiting()).toBe(8 + 12)
    for (const left of all) left()
    expect(await answer(4)).toHaveLength(4)
  })
})
