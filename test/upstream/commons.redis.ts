import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Link } from '../../src/redis/link.ts'
import { type Commons, createCommons, type Kept } from '../../src/upstream/commons.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import type { Claim } from '../../src/upstream/right.ts'
import { openCut } from '../support/cut.ts'
import { openLink, useRedis } from '../support/redis.ts'
import { createFakeClock } from './transport/clocks.ts'

const redis = useRedis()

const KEY = 'an artist'
const KEPT = { status: 200, at: 1_000, text: '{"obj":{}}' }
const SIGN = 1_500
const LEASES = `return redis.call('KEYS', 'refrain:1:lease:*')`

/** Two replicas on one empty Redis, whose time is in the test's hand. */
const openTwo = async () => {
  await redis.renew()
  return enterTwo(redis.url)
}

/** The same, where the way of the first can be slowed down and cut. */
const openTwoWithCut = async (limitOfFirst = 100) => {
  await redis.renew()
  const cut = await openCut(redis.port)
  return { cut, ...(await enterTwo(cut.url, limitOfFirst)) }
}

const enterTwo = async (urlOfFirst: string, limitOfFirst = 30_000) => {
  const clock = createFakeClock(Date.now())
  const enter = async (url: string, limitMs = 30_000) => {
    const link = await openLink(url, { limitMs })
    onTestFinished(() => link.close())
    return { link, commons: createCommons(link, clock) }
  }
  const first = await enter(urlOfFirst, limitOfFirst)
  const second = await enter(redis.url)
  const link = await openLink(redis.url)
  onTestFinished(() => link.close())
  const claim = ({ commons }: { readonly commons: Commons }) =>
    commons.claim(KEY, 0, { deadline: clock.now() + 60_000 })
  const keep = ({ commons }: { readonly commons: Commons }, kept: Kept = KEPT) =>
    commons.keep({ key: KEY, endpoint: artist }, kept, 60_000)
  return { clock, first, second, link, claim, keep }
}

const rightOf = (got: Kept | Claim): Claim => {
  if (!('end' in got)) throw new Error('it was there')
  return got
}
/** What has become of it so far. */
const watched = <T>(work: Promise<T>) => {
  const seen: { value?: T } = {}
  void work.then((value) => Object.assign(seen, { value }))
  return seen
}
/** Some round trips, in which whatever is asked is answered. */
const answered = async ({ link }: { readonly link: Link }) => {
  for (let trip = 0; trip < 5; trip += 1) await link.run('return 1', [], [])
}

describe('the right to send, where Redis is emptied', () => {
  it('is waited for by those who knew of it, and taken again with the next sign of life', async () => {
    const { clock, first, second, claim, keep } = await openTwo()
    const right = rightOf(await claim(first))
    const waiting = watched(claim(second))
    await answered(second)
    await redis.say('FLUSHALL')
    for (let passed = 0; passed < SIGN; passed += 100) {
      await clock.pass(100)
      await answered(second)
    }
    expect(waiting).toEqual({})
    await vi.waitFor(
      async () => expect(await second.link.run(LEASES, [], [])).toHaveLength(1),
      15_000,
    )
    keep(first)
    right.end()
    await vi.waitFor(async () => {
      await clock.pass(100)
      expect(waiting).toEqual({ value: KEPT })
    }, 20_000)
    expect(second.commons.figures.alone).toBe(0)
  })

  it('is told to be lost by whoever had it, and what it brings is kept all the same', async () => {
    const { first, second, claim, keep } = await openTwo()
    const right = rightOf(await claim(first))
    await redis.say('FLUSHALL')
    const other = rightOf(await claim(second))
    keep(first)
    right.end()
    await vi.waitFor(() => expect(first.commons.figures.alone).toBe(1), 20_000)
    // It is still the other's.
    expect(await second.link.run(LEASES, [], [])).toHaveLength(1)
    expect(await second.commons.look(KEY)).toEqual(KEPT)
    other.end()
    await answered(second)
    expect([first, second].map(({ commons }) => commons.figures.alone)).toEqual([1, 0])
  })
})

describe('the end of what another sends for', () => {
  it('is heard also while it is asked who sends: nobody waits for a look after that', async () => {
    const { clock, first, link, claim, keep } = await openTwo()
    const right = rightOf(await claim(first))
    let hasHeard = () => {}
    let asked = 0
    /** Its answers come once what has ended meanwhile was said. */
    const slow: Link = {
      ...link,
      isUp: true,
      hear: (channel, listener) =>
        link.hear(channel, (message) => {
          listener(message)
          hasHeard()
        }),
      async run(...script) {
        const reply = await link.run(...script)
        asked += 1
        if (asked > 1) return reply
        const heard = new Promise<void>((resolve) => {
          hasHeard = resolve
        })
        keep(first)
        right.end()
        await heard
        return reply
      },
    }
    const commons = createCommons(slow, clock)
    // Whatever is said is heard from now on.
    await vi.waitFor(async () => {
      expect(await redis.say('PUBSUB NUMSUB refrain:1:landed')).toContain(':3')
    }, 20_000)
    expect(await claim({ commons })).toEqual(KEPT)
    expect(asked).toBe(2)
  })
})

describe('an answer of megabytes', () => {
  it('goes there and comes back over a slow way, and is not taken for a Redis that hangs', async () => {
    const { cut, first, second, claim, keep } = await openTwoWithCut(1_000)
    const isAway = vi.fn()
    const right = rightOf(await claim(first))
    const waiting = claim(second)
    cut.slow(1_000)
    // Three seconds, each way. Every other character has two halves, which no part may tear apart.
    const large = { ...KEPT, text: 'x\u{1f3b5}'.repeat(600_000) }
    keep(first, large)
    right.end()
    const asking = setInterval(() => void first.link.run('return 1', [], []).catch(isAway), 50)
    expect((await waiting) as Kept).toEqual(large)
    expect(await first.commons.look(KEY)).toEqual(large)
    clearInterval(asking)
    expect(isAway).not.toHaveBeenCalled()
    expect(await redis.say('KEYS refrain:1:part:*')).toBe('*0\r\n')
  })
})

describe('the right to send of one that stood still', () => {
  it('is another’s by then: it is told with the next sign of life, once, and left to that one', async () => {
    const { clock, first, second, claim, keep } = await openTwo()
    const right = rightOf(await claim(first))
    // As if its time had come.
    await second.link.run(
      `return redis.call('DEL', unpack(redis.call('KEYS', 'refrain:1:lease:*')))`,
      [],
      [],
    )
    const other = rightOf(await claim(second))
    await clock.pass(SIGN)
    await vi.waitFor(() => expect(first.commons.figures.alone).toBe(1), 20_000)
    await clock.pass(10 * SIGN)
    keep(first)
    right.end()
    await answered(first)
    expect(await second.link.run(LEASES, [], [])).toHaveLength(1)
    other.end()
    await answered(second)
    expect(await second.link.run(LEASES, [], [])).toHaveLength(0)
    expect([first, second].map(({ commons }) => commons.figures.alone)).toEqual([1, 0])
  })
})

describe('what the way to Redis lost that hung', () => {
  /** The way of the first hangs as it tells what it brought, and that its right has ended. */
  const tellInVain = async () => {
    const { cut, ...two } = await openTwoWithCut()
    const right = rightOf(await two.claim(two.first))
    cut.hangAt('eval')
    two.keep(two.first)
    right.end()
    return { ...two, heal: () => cut.hangAt(undefined) }
  }

  it('is told once the way is back: whoever waits has the answer, and the right is free', async () => {
    const { first, second, heal, claim } = await tellInVain()
    await vi.waitFor(() => expect(first.link.isUp).toBe(false), 20_000)
    expect(await second.commons.look(KEY)).toBeUndefined()
    heal()
    const waiting = watched(claim(second))
    await vi.waitFor(() => expect(waiting).toEqual({ value: KEPT }), 30_000)
    await answered(first)
    expect(await second.link.run(LEASES, [], [])).toHaveLength(0)
  })

  it('is forgotten once nobody waits for it any more', async () => {
    const { clock, first, second, heal } = await tellInVain()
    // By the time it is known that it was not told, nobody waits.
    await clock.pass(11_000)
    await vi.waitFor(() => expect(first.link.isUp).toBe(false), 20_000)
    heal()
    await vi.waitFor(() => expect(first.link.isUp).toBe(true), 30_000)
    await answered(first)
    expect(await second.commons.look(KEY)).toBeUndefined()
  })

  it('is not told over what was bought since', async () => {
    const { first, second, heal, keep } = await tellInVain()
    await vi.waitFor(() => expect(first.link.isUp).toBe(false), 20_000)
    const newer = { ...KEPT, at: KEPT.at + 1, text: '{"obj":{"id":1}}' }
    keep(second, newer)
    heal()
    await vi.waitFor(async () => {
      expect(first.link.isUp).toBe(true)
      expect(await second.link.run(LEASES, [], [])).toHaveLength(0)
    }, 30_000)
    expect(await second.commons.look(KEY)).toEqual(newer)
  })
})
