import { afterEach, describe, expect, test } from 'vitest'
import { openRun } from '../support/run.ts'
import { ask, DAY, handClock, priceOf } from './ask.ts'

const SECOND = 1_000

let opened: Awaited<ReturnType<typeof openRun>>
let advance: (ms: number) => void
const open = async () => {
  const hand = handClock('2026-03-10T12:00:00Z')
  advance = hand.advance
  opened = await openRun({ clock: hand.clock })
}
afterEach(() => opened.close())

const sent = (endpoint: string) =>
  opened.meter.requests.filter((request) => request.endpoint === endpoint).length
const codes = async (query: string) =>
  (await ask(opened, query)).errors.map(({ extensions }) => extensions.code)

const videos = (cmId: number) => `{ artist(cmId: ${cmId}) { premium { platDTopVideos } } }`
const name = (cmId: number) => `{ artist(cmId: ${cmId}) { name rank } }`

describe('a right that is refused with 401 after a fresh token', () => {
  test('is one mint and one repeat, then nothing is sent for its route while it is remembered', async () => {
    await open()
    await ask(opened, name(9))
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 401 })
    expect(await codes(videos(2))).toEqual(['UPSTREAM_FORBIDDEN'])
    expect([sent('artistPlatDTopVideos'), opened.meter.tokenCalls]).toEqual([2, 2])
    for (const cmId of [2, 3, 4]) expect(await codes(videos(cmId))).toEqual(['UPSTREAM_FORBIDDEN'])
    expect((await priceOf(opened, videos(5))).max).toBe(0)
    expect(await codes(name(10))).toEqual([])
    expect([sent('artistPlatDTopVideos'), opened.meter.tokenCalls]).toEqual([2, 2])
  })

  test('is asked for again after ten seconds, and each time waits as long as it has lasted', async () => {
    await open()
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 401 })
    const asked: number[] = []
    for (let second = 0; second < 20 * 60; second += 5) {
      const before = sent('artistPlatDTopVideos')
      await ask(opened, videos(2 + (second % 7)))
      if (sent('artistPlatDTopVideos') > before) asked.push(second)
      advance(5 * SECOND)
    }
    expect(asked).toEqual([0, 10, 30, 70, 150, 310, 610, 910])
  })

  test('is forgotten when it was mended', async () => {
    await open()
    const mend = opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 401 })
    await ask(opened, videos(2))
    mend()
    advance(10 * SECOND)
    expect(await codes(videos(3))).toEqual([])
  })

  test('gives what an earlier answer left, and does not ask at each look', async () => {
    await open()
    await ask(opened, videos(2))
    await ask(opened, videos(3))
    advance(3 * DAY)
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 401 })
    const before = sent('artistPlatDTopVideos')
    expect(await codes(videos(4))).toEqual(['UPSTREAM_FORBIDDEN'])
    const first = sent('artistPlatDTopVideos')
    expect(first - before).toBe(2)
    for (const cmId of [2, 3, 2, 3]) {
      const { errors, credits } = await ask(opened, videos(cmId))
      expect(errors).toEqual([])
      expect(credits.stale).toMatchObject([{ age: 259_200, reason: 'UPSTREAM_FORBIDDEN' }])
    }
    expect(sent('artistPlatDTopVideos')).toBe(first)
  })
})

describe('a right that is refused with 403', () => {
  test('is paid for once, also where answers from before are held', async () => {
    await open()
    await ask(opened, videos(2))
    await ask(opened, videos(3))
    advance(3 * DAY)
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 403 })
    const spent = opened.meter.credits
    for (const cmId of [2, 3, 2, 3])
      expect(await codes(videos(cmId))).toEqual(['UPSTREAM_FORBIDDEN'])
    expect(opened.meter.credits - spent).toBe(2)
  })
})

describe('a service that refuses everything with 401 for a minute', () => {
  const HELD = Array.from({ length: 30 }, (_, at) => at + 2)
  const NEW = Array.from({ length: 30 }, (_, at) => at + 102)

  test('is asked sparingly, what is held is given, and all is well ten seconds after its end', async () => {
    await open()
    await Promise.all(HELD.map((cmId) => ask(opened, name(cmId))))
    advance(2 * DAY)
    await ask(opened, name(99))
    const minted = opened.meter.tokenCalls
    const before = sent('artist')
    const mend = opened.sandbox.faults.inject(/^\/api\/(?!token)/, { status: 401 })
    for (let second = 0; second < 60; second += 5) {
      const held = await Promise.all(HELD.map((cmId) => ask(opened, name(cmId))))
      expect(held.flatMap(({ errors }) => errors)).toEqual([])
      for (const { credits } of held) expect(credits.stale).toHaveLength(1)
      for (const failed of await Promise.all(NEW.map((cmId) => codes(name(cmId)))))
        expect(failed).toEqual(['UPSTREAM_FORBIDDEN'])
      advance(5 * SECOND)
    }
    // At 0, 10 and 30 seconds, each at most twice.
    expect(sent('artist') - before).toBeLessThanOrEqual(60 * 3 * 2)
    expect(opened.meter.tokenCalls - minted).toBeLessThanOrEqual(2)
    mend()
    advance(10 * SECOND)
    const all = await Promise.all([...HELD, ...NEW].map((cmId) => ask(opened, name(cmId))))
    expect(all.flatMap(({ errors }) => errors)).toEqual([])
    for (const { credits } of all.slice(30)) expect(credits.spent).toBe(1)
  })
})
