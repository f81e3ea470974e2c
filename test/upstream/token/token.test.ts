import { describe, expect, it } from 'vitest'
import type { Board } from '../../../src/board/board.ts'
import { createMemoryBoard } from '../../../src/board/memory.ts'
import { GatewayError } from '../../../src/errors.ts'
import { secret } from '../../../src/upstream/token/secret.ts'
import { WireFault } from '../../../src/upstream/transport/fault.ts'
import { settle } from '../transport/clocks.ts'
import { createBench } from './bench.ts'
import { answer } from './issuer.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const lost = new WireFault('UPSTREAM_UNAVAILABLE', 'reset', { sent: true, repeatable: true })

const delayed =
  (clock: { sleep(ms: number): Promise<void> }, ms: number) =>
  async <T>(done: () => T) => {
    await clock.sleep(ms)
    return done()
  }

describe('an access token', () => {
  it('is minted once for a thousand callers on a cold start', async () => {
    const { issuer, clock, getMany, pass } = createBench()
    issuer.interceptors.push(delayed(clock, 300))
    const asked = getMany(1_000)
    await pass(300)
    expect(new Set(await asked)).toEqual(new Set([200]))
    expect(issuer.presented).toEqual(['seed'])
  })

  it('is used until it is due, then renewed while it still serves', async () => {
    const { issuer, clock, get, pass, token } = createBench()
    expect(await get()).toBe(200)
    await pass(54 * MINUTE)
    expect(await get()).toBe(200)
    expect(issuer.presented).toHaveLength(1)
    issuer.interceptors.push(delayed(clock, 30_000))
    await pass(MINUTE)
    expect(token.state).toBe('REFRESHING')
    expect(await get()).toBe(200)
    expect(issuer.calls.at(-1)?.authorization).toBe('Bearer access-1')
    await pass(30_000)
    expect(await get()).toBe(200)
    expect(issuer.calls.at(-1)?.authorization).toBe('Bearer access-2')
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })

  it('is renewed every 55 minutes for three days, each time with the newest refresh token', async () => {
    const { issuer, get, pass } = createBench()
    for (let half = 0; half < 144; half += 1) {
      expect(await get()).toBe(200)
      await pass(HOUR / 2)
    }
    expect(issuer.presented.length).toBeGreaterThanOrEqual(72)
    expect(issuer.presented.length).toBeLessThanOrEqual(82)
    expect(new Set(issuer.presented).size).toBe(issuer.presented.length)
    expect(issuer.revoked).toBe(false)
  })

  it('that lives 2 s is minted anew when it is over, once at once and then twice a minute', async () => {
    const { issuer, get, pass } = createBench({ life: 2 })
    for (let tick = 0; tick < 35; tick += 1) {
      expect(await get()).toBe(200)
      await pass(100)
    }
    expect(issuer.presented).toHaveLength(2)
    await pass(500)
    expect(await get()).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', facts: { retryAfter: 26 } })
    await pass(26_000)
    expect(await get()).toBe(200)
    for (let second = 30; second < 3_600; second += 1) {
      void get()
      await pass(1_000)
    }
    expect(issuer.presented.length).toBeGreaterThanOrEqual(119)
    expect(issuer.presented.length).toBeLessThanOrEqual(122)
    expect(issuer.refused).toBe(0)
  })

  it.each([[0], [-5], [null], [undefined], ['soon'], ['3600'], [1e12], [{}]])(
    'with a lifetime of %j is not minted more than once in 30 s',
    async (life) => {
      const { issuer, get, pass } = createBench({ life })
      for (let tick = 0; tick < 60; tick += 1) {
        expect(await get()).toBe(200)
        await pass(1_000)
      }
      expect(issuer.presented.length).toBeLessThanOrEqual(2)
    },
  )

  it.each([10 * MINUTE, -10 * MINUTE])('survives the clock being set by %i ms', async (ms) => {
    const { issuer, get, pass, jump } = createBench()
    for (let tick = 0; tick < 30; tick += 1) {
      if (tick === 15) jump(ms)
      expect(await get()).toBe(200)
      await pass(5 * MINUTE)
    }
    expect(issuer.presented.length).toBeLessThanOrEqual(4)
  })

  it('is known to have aged while the machine slept', async () => {
    const { issuer, get, jump } = createBench()
    await get()
    jump(2 * HOUR)
    expect(await get()).toBe(200)
    expect(issuer.calls).toHaveLength(2)
  })

  it('is not taken for good by a clock that was set back', async () => {
    const { issuer, get, pass, jump } = createBench({ rotation: 'none' })
    await get()
    jump(-2 * HOUR)
    await pass(56 * MINUTE)
    await get()
    await settle()
    expect(issuer.presented).toHaveLength(2)
  })

  it('that does not come before the deadline is a timeout of that caller only', async () => {
    const { issuer, clock, get, pass } = createBench()
    issuer.interceptors.push(delayed(clock, 4_000))
    const asked = [get('/a', 1_000), get('/a', 5_000), get('/a', 9_000)]
    await pass(4_000)
    expect(await Promise.all(asked)).toMatchObject([{ code: 'TIMEOUT' }, 200, 200])
    expect(issuer.presented).toHaveLength(1)
  })
})

describe('a 401', () => {
  it('is cured by one exchange for all, and each request is repeated once with the new token', async () => {
    const { issuer, getMany } = createBench()
    await getMany(1)
    issuer.expireAll()
    expect(new Set(await getMany(200))).toEqual(new Set([200]))
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
    const repeats = issuer.calls.filter(({ authorization }) => authorization?.endsWith('access-2'))
    expect(repeats).toHaveLength(200)
    expect(issuer.calls).toHaveLength(401)
  })

  it('makes those who come during the exchange wait for its token', async () => {
    const { issuer, clock, get, pass } = createBench()
    await get()
    issuer.expireAll()
    issuer.interceptors.push(delayed(clock, 300))
    const first = get()
    await pass(100)
    const second = get()
    await pass(200)
    expect(await Promise.all([first, second])).toEqual([200, 200])
    expect(issuer.calls.map(({ authorization }) => authorization?.slice(-1))).toEqual([
      '1',
      '1',
      '2',
      '2',
    ])
  })

  it('for a token that was replaced meanwhile is repeated without an exchange', async () => {
    const { issuer, token, get } = createBench()
    const first = await token.current({ deadline: Number.POSITIVE_INFINITY })
    issuer.expireAll()
    await get()
    const second = await token.after(first.gen, { deadline: Number.POSITIVE_INFINITY })
    expect(second?.token.reveal()).toBe('access-2')
    expect(issuer.presented).toHaveLength(2)
  })

  it('that a new token does not cure is a right the plan does not give', async () => {
    const { issuer, get } = createBench()
    await get('/fine')
    issuer.forbidden.add('/barred')
    expect(await get('/barred')).toMatchObject({ code: 'UPSTREAM_FORBIDDEN' })
    expect(issuer.calls.filter(({ path }) => path === '/barred')).toHaveLength(2)
    expect(await get('/fine')).toBe(200)
    expect(await get('/barred')).toMatchObject({ code: 'UPSTREAM_FORBIDDEN' })
    expect(issuer.calls.filter(({ path }) => path === '/barred')).toHaveLength(3)
    expect(issuer.presented).toHaveLength(2)
  })

  it('on everything makes at most two exchanges a minute and one repeat a request', async () => {
    const { issuer, get, getMany, pass } = createBench()
    await get('/fine')
    issuer.forbidden.add('/api/track/501')
    const before = issuer.presented.length
    for (let second = 0; second < 59; second += 1) {
      const outcomes = await getMany(3)
      expect(outcomes).toMatchObject(Array(3).fill({ code: 'UPSTREAM_FORBIDDEN' }))
      await pass(1_000)
    }
    expect(issuer.presented.length - before).toBeLessThanOrEqual(2)
    expect(issuer.calls.length).toBeLessThanOrEqual(1 + 2 * 59 * 3)
    issuer.forbidden.clear()
    expect(await get()).toBe(200)
  })

  it('while the exchange fails is reported as that, and other paths keep the old token', async () => {
    const { issuer, get } = createBench()
    await get('/fine')
    issuer.forbidden.add('/barred')
    issuer.interceptors.push(() => answer(503))
    expect(await get('/barred', 500)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    expect(await get('/fine')).toBe(200)
  })
})

describe('an exchange that fails', () => {
  it('with 401 tells every waiter, and is not tried again but at 1, 6, 21, 36 and 51 minutes', async () => {
    const { issuer, getMany, get, pass, token } = createBench()
    issuer.issue('another')
    expect(await getMany(50)).toMatchObject(Array(50).fill({ code: 'UPSTREAM_UNAUTHENTICATED' }))
    expect(issuer.presented).toEqual(['seed'])
    expect(token.state).toBe('REJECTED')
    expect(token.problem).toContain('UPSTREAM_REFRESH_TOKEN')
    for (let minute = 0; minute < 60; minute += 1) {
      await get()
      await pass(MINUTE)
    }
    expect(issuer.presented).toHaveLength(6)
    issuer.issue('seed')
    await pass(15 * MINUTE)
    expect(token.state).toBe('VALID')
  })

  it('with 401 on the newest token falls back to the configured one, once', async () => {
    const { issuer, get, pass } = createBench()
    await get()
    issuer.issue('seed')
    await pass(55 * MINUTE)
    expect(issuer.presented).toEqual(['seed', 'refresh-1', 'seed'])
    expect(await get()).toBe(200)
  })

  it('with 401 on both is tried again with the newest only', async () => {
    const { issuer, get, pass, token } = createBench()
    await get()
    issuer.issue('another')
    issuer.expireAll()
    await pass(2 * HOUR)
    const [first, second, third, ...probes] = issuer.presented
    expect([first, second, third]).toEqual(['seed', 'refresh-1', 'seed'])
    expect(new Set(probes)).toEqual(new Set(['refresh-1']))
    expect(issuer.presented.length).toBeLessThanOrEqual(9)
    expect(token.state).toBe('REJECTED')
  })

  it('with 400 is not tried again', async () => {
    const { issuer, get, pass, token } = createBench()
    issuer.interceptors.push(() => answer(400))
    expect(await get()).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
    await pass(5 * HOUR)
    await get()
    expect(issuer.presented).toHaveLength(1)
    expect(token.problem).toContain('400')
  })

  it('with 503 is waited out by whoever has the time, with growing pauses', async () => {
    const { issuer, get, pass } = createBench()
    issuer.interceptors.push(
      () => answer(503),
      () => answer(503),
      () => answer(503),
    )
    const asked = [get('/a', 500), get('/b', 20_000)]
    await pass(20_000)
    expect(await Promise.all(asked)).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE' }, 200])
    expect(issuer.presented).toHaveLength(4)
  })

  it('six minutes before the end leaves the old token in service and is repeated', async () => {
    const { issuer, get, pass } = createBench()
    await get()
    for (let count = 0; count < 3; count += 1) issuer.interceptors.push(() => answer(503))
    for (let minute = 0; minute < 70; minute += 1) {
      await pass(MINUTE)
      expect(await get()).toBe(200)
    }
    expect(issuer.presented).toHaveLength(5)
  })

  it('on the rate limit waits as long as the limit says', async () => {
    const { issuer, get, pass } = createBench()
    await get()
    const limited = new GatewayError('RATE_LIMITED', 'paused', { retryAfter: 120 })
    issuer.interceptors.push(() => Promise.reject(limited))
    await pass(55 * MINUTE)
    await pass(119_000)
    expect(issuer.presented).toHaveLength(2)
    expect(await get()).toBe(200)
    await pass(1_000)
    expect(issuer.presented).toHaveLength(3)
  })

  it('on the rate limit in a cold start is told as such, with the time to wait', async () => {
    const { issuer, get } = createBench()
    const limited = new GatewayError('RATE_LIMITED', 'paused', { retryAfter: 120 })
    issuer.interceptors.push(() => Promise.reject(limited))
    expect(await get()).toMatchObject({ code: 'RATE_LIMITED', facts: { retryAfter: 120 } })
    expect(await get()).toMatchObject({ code: 'RATE_LIMITED', facts: { retryAfter: 120 } })
    expect(issuer.presented).toHaveLength(1)
  })

  it('after the service rotated is repeated with the same token: saved by grace', async () => {
    const { issuer, get, pass } = createBench({ rotation: 'grace' })
    issuer.interceptors.push((done) => {
      done()
      throw lost
    })
    const asked = get()
    await pass(5_000)
    expect(await asked).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'seed'])
  })

  it('after a strict service rotated ends in a refusal, never a loop', async () => {
    const { issuer, get, pass, token, start } = createBench()
    issuer.interceptors.push((done) => {
      done()
      throw lost
    })
    const asked = get()
    await pass(5_000)
    expect(await asked).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
    expect(issuer.presented).toEqual(['seed', 'seed'])
    expect(token.problem).toContain('2026-01-01T00:00:00.000Z was cut off')
    const restarted = start()
    await restarted.get()
    expect(restarted.token.problem).toContain('2026-01-01T00:00:00.000Z was cut off')
  })

  it('for want of an access token in the answer still keeps the refresh token in it', async () => {
    const { issuer, get } = createBench()
    issuer.interceptors.push((done) => {
      const { refresh_token } = JSON.parse(done().text) as { refresh_token: string }
      return answer(200, { refresh_token })
    })
    expect(await get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })

  it('for want of access tokens in a row is not repeated at once more than once', async () => {
    const { issuer, get } = createBench()
    for (let count = 0; count < 5; count += 1)
      issuer.interceptors.push((done) => {
        const { refresh_token } = JSON.parse(done().text) as { refresh_token: string }
        return answer(200, { refresh_token })
      })
    await get('/a', 500)
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })

  it.each(['', '[]', 'null', '<html>', '{"token":""}', '{"token":"a b"}', '{"token":7}'])(
    'with the answer %s is a failure that passes',
    async (text) => {
      const { issuer, get, pass } = createBench({ rotation: 'none' })
      issuer.interceptors.push(() => ({ status: 200, headers: {}, text }))
      const asked = get()
      await pass(5_000)
      expect(await asked).toBe(200)
      expect(issuer.presented).toHaveLength(2)
    },
  )

  it.each([[''], [null], [undefined], [7]])(
    'is not what an answer with the refresh token %j is: the old one stays',
    async (refresh_token) => {
      const { issuer, get, pass } = createBench({ rotation: 'none' })
      issuer.interceptors.push((done) => {
        return answer(200, { ...JSON.parse(done().text), refresh_token })
      })
      await get()
      await pass(55 * MINUTE)
      expect(await get()).toBe(200)
      expect(issuer.presented).toEqual(['seed', 'seed'])
    },
  )
})

describe('the configured token', () => {
  it('is trimmed before it is sent', async () => {
    const { issuer, get } = createBench({ seed: ' seed\r\n' })
    expect(await get()).toBe(200)
    expect(issuer.presented).toEqual(['seed'])
  })

  it.each(['', ' \n'])('%j is reported as missing, without an exchange', async (seed) => {
    const { issuer, get, token } = createBench({ seed })
    expect(await get()).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
    expect(issuer.presented).toEqual([])
    expect(token.problem).toContain('UPSTREAM_REFRESH_TOKEN')
  })

  it('can be replaced while running, and ends a refusal at once', async () => {
    const { issuer, get, token } = createBench()
    issuer.issue('new')
    await get()
    expect(token.state).toBe('REJECTED')
    await token.reseed(secret('new\n'))
    expect(await get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'new'])
  })

  it('that is replaced in the middle of an exchange begins its own line after it', async () => {
    const { issuer, clock, get, token, pass } = createBench({ rotation: 'none' })
    issuer.interceptors.push(delayed(clock, 300))
    const asked = get()
    await settle()
    const reseeded = token.reseed(secret('new'))
    await pass(100)
    issuer.interceptors.push((done) => {
      issuer.issue('new')
      return done()
    })
    await pass(300)
    await reseeded
    expect(await asked).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'new'])
  })

  it('that comes back after a slip goes on with the newest of its line', async () => {
    const { issuer, get, token, pass } = createBench()
    await get()
    await token.reseed(secret('typo'))
    await token.reseed(secret('seed'))
    expect(token.problem).toBeUndefined()
    await pass(30_000)
    issuer.expireAll()
    expect(await get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'typo', 'refresh-1'])
  })

  it('that is replaced by a bad one leaves the held token in service', async () => {
    const { get, token } = createBench()
    await get()
    await token.reseed(secret('typo'))
    expect(token.problem).toContain('refused')
    expect(await get()).toBe(200)
  })
})

describe('a restart', () => {
  it('after a plain refusal does not speak of a lost exchange', async () => {
    const { issuer, get, start } = createBench()
    issuer.issue('another')
    await get()
    const restarted = start()
    await restarted.get()
    expect(restarted.token.problem).toContain('withdrawn')
    expect(issuer.presented).toHaveLength(2)
  })

  it('after a service that was down does not speak of a lost exchange either', async () => {
    const { issuer, get, start } = createBench()
    issuer.interceptors.push(() => answer(503))
    await get('/a', 100)
    issuer.issue('another')
    const restarted = start()
    await restarted.get()
    expect(restarted.token.problem).toContain('withdrawn')
  })

  it('goes on with the held access token, and later with the newest refresh token', async () => {
    const { issuer, get, start, pass } = createBench()
    await get()
    const second = start()
    expect(await second.get()).toBe(200)
    expect(issuer.presented).toHaveLength(1)
    await pass(2 * HOUR)
    expect(await start().get()).toBe(200)
    expect(issuer.revoked).toBe(false)
  })

  it('with another configured token begins a new line', async () => {
    const { issuer, get, start } = createBench()
    await get()
    issuer.issue('new')
    expect(await start('new').get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'new'])
    expect(await start('new').get()).toBe(200)
    expect(issuer.presented).toHaveLength(2)
  })

  it('with a mistyped token does not destroy the line that was good', async () => {
    const { issuer, get, start } = createBench()
    await get()
    expect(await start('typo').get()).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
    issuer.expireAll()
    expect(await start('seed').get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'typo', 'refresh-1'])
  })

  it('beside another process makes one exchange for both, whoever begins', async () => {
    const { issuer, board, start, pass } = createBench()
    const [one, two] = [start(), start()]
    const asked = Promise.all([one.get(), two.get()])
    await pass(100)
    expect(await asked).toEqual([200, 200])
    expect(issuer.presented).toEqual(['seed'])
    expect((await board.read('token'))?.gen).toBe(1)
  })

  it('takes over what another process minted meanwhile', async () => {
    const { issuer, start, pass } = createBench()
    const [one, two] = [start(), start()]
    await one.get()
    await two.get()
    expect(issuer.presented).toHaveLength(1)
    await pass(HOUR)
    expect(await Promise.all([one.get(), two.get()])).toEqual([200, 200])
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })

  it('without a configured token lives on the stored one', async () => {
    const { issuer, get, start } = createBench()
    await get()
    issuer.expireAll()
    expect(await start('').get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })
})

describe('kill -9 in the middle of an exchange', () => {
  it('before anything was written is a first start', async () => {
    const { issuer, start } = createBench()
    const dying = start('seed', { diesAt: 1 })
    void dying.get()
    await settle()
    expect(await start().get()).toBe(200)
    expect(issuer.presented).toEqual(['seed'])
  })

  it('after the intent and before the answer tries the old token once and goes on', async () => {
    const { issuer, start } = createBench()
    const dying = start('seed', { diesAt: 2 })
    issuer.interceptors.push(() => new Promise(() => undefined))
    void dying.get()
    await settle()
    dying.kill()
    expect(await start().get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'seed'])
  })

  it('after the answer and before the save recovers alone where the service has grace', async () => {
    const { issuer, start } = createBench({ rotation: 'grace' })
    const dying = start('seed', { diesAt: 2 })
    void dying.get()
    await settle()
    expect(await start().get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'seed'])
  })

  it('after the answer and before the save tells the operator what to do where it is strict', async () => {
    const { issuer, start } = createBench()
    const dying = start('seed', { diesAt: 2 })
    let served = false
    void dying.get().then(() => {
      served = true
    })
    await settle()
    expect(served).toBe(false)
    const restarted = start()
    expect(await restarted.get()).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
    expect(restarted.token.state).toBe('REJECTED')
    expect(restarted.token.problem).toMatch(
      /2026-01-01T00:00:00.000Z was cut off before its result was saved.*set UPSTREAM_REFRESH_TOKEN/,
    )
    expect(issuer.presented).toEqual(['seed', 'seed'])
  })

  it('in a renewal leaves the old access token in service until its end', async () => {
    const { issuer, start, pass } = createBench()
    const dying = start('seed', { diesAt: 4 })
    await dying.get()
    await pass(55 * MINUTE)
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
    const restarted = start()
    expect(await restarted.get()).toBe(200)
    expect(issuer.presented).toHaveLength(2)
  })

  it('after the save loses nothing', async () => {
    const { issuer, start } = createBench()
    const dying = start('seed', { diesAt: 3 })
    expect(await dying.get()).toBe(200)
    expect(await start().get()).toBe(200)
    expect(issuer.presented).toEqual(['seed'])
  })
})

describe('a process that stands still in the middle of an exchange', () => {
  const stop = async (rotation: 'strict' | 'grace') => {
    const bench = createBench({ rotation })
    await bench.get()
    await bench.pass(54 * MINUTE)
    const frozen = bench.start()
    await frozen.get()
    let thaw: (() => void) | undefined
    bench.issuer.interceptors.push(async (done) => {
      const answered = done()
      await new Promise<void>((resolve) => {
        thaw = resolve
      })
      return answered
    })
    bench.issuer.expireAll()
    const asked = frozen.get('/a', HOUR)
    await settle()
    return { ...bench, frozen, asked, thaw: () => thaw?.() }
  }

  it('is waited for while its exchange is open, and its late answer serves all', async () => {
    const { issuer, start, pass, thaw, frozen, asked } = await stop('strict')
    frozen.freeze()
    const others = [start(), start()].map(({ get }) => get('/b', HOUR))
    await pass(14_000)
    frozen.thaw()
    thaw()
    await pass(200)
    expect(await Promise.all([asked, ...others])).toEqual([200, 200, 200])
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })

  it('leaves its token as an orphan where another came later, which is tried before the seed', async () => {
    const { issuer, board, start, pass, thaw, frozen } = await stop('grace')
    frozen.freeze()
    const other = start()
    const asked = other.get('/b', HOUR)
    await pass(16_000)
    expect(await asked).toBe(200)
    const later = issuer.newest
    frozen.thaw()
    thaw()
    await pass(2_000)
    const { refreshToken, orphan } = JSON.parse((await board.read('token'))?.text ?? '{}')
    expect([refreshToken, orphan]).toEqual([later, 'refresh-2'])
    issuer.issue('refresh-2')
    issuer.expireAll()
    expect(await start().get('/c', HOUR)).toBe(200)
    expect(issuer.presented.slice(-2)).toEqual([later, 'refresh-2'])
  })
})

describe('a record that cannot be read', () => {
  const sealedWith = (byte: number) => secret(Buffer.alloc(32, byte).toString('base64'))

  it.each([
    ['another key', sealedWith(2)],
    ['no key', undefined],
  ])('for %s is not passed over by presenting the token that it began with', async (_, key) => {
    const { issuer, start } = createBench()
    await start('seed', { key: sealedWith(1) }).get()
    const restarted = start('seed', { key })
    expect(await restarted.get()).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
    expect(restarted.token.problem).toContain('put that key back')
    expect(issuer.presented).toEqual(['seed'])
    const mended = start('seed', { key: sealedWith(1) })
    issuer.expireAll()
    expect(await mended.get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })

  it('for another key gives way to a newly configured token', async () => {
    const { issuer, start } = createBench()
    await start('seed', { key: sealedWith(1) }).get()
    issuer.issue('new')
    expect(await start('new', { key: sealedWith(2) }).get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'new'])
  })

  it('is named beside the refusal of the configured token', async () => {
    const { issuer, board, get, token } = createBench()
    await board.write('token', { gen: 3, text: '{"refreshTok' }, undefined)
    issuer.issue('another')
    await get()
    expect(token.state).toBe('REJECTED')
    expect(token.problem).toContain('cannot be read: put its file or its STATE_KEY back')
  })

  it('is the operator’s to know, not the client’s, and is read again', async () => {
    const store = createMemoryBoard()
    let broken = true
    const { issuer, get, token, pass } = createBench({
      board: {
        ...store,
        read: (name) =>
          broken ? Promise.reject(new Error('/var/state/token.json is a link')) : store.read(name),
      },
    })
    const error = await get('/a', 100)
    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    expect(String(error)).not.toContain('/var')
    expect(token.problem).toContain('/var/state/token.json is a link')
    expect(issuer.presented).toEqual([])
    broken = false
    await pass(1_000)
    expect(await get()).toBe(200)
  })
})

describe('a disk that takes no writes', () => {
  const full = () => {
    const board = createMemoryBoard()
    const state = { full: true }
    return {
      board,
      state,
      stubborn: {
        ...board,
        write: async (...args: Parameters<typeof board.write>) => {
          if (state.full) throw new Error('ENOSPC')
          return board.write(...args)
        },
      },
    }
  }

  it('does not stop the service, and gets the newest token as soon as it takes it', async () => {
    const { board, state, stubborn } = full()
    const { issuer, start, pass } = createBench({ board })
    const { get, token } = start('seed', { on: stubborn })
    expect(await get()).toBe(200)
    expect(token.problem).toContain('could not be saved')
    await pass(10_000)
    expect(await get()).toBe(200)
    expect(await board.read('token')).toBeUndefined()
    state.full = false
    await pass(1_000)
    expect(token.problem).toBeUndefined()
    expect((await board.read('token'))?.text).toContain('refresh-1')
    expect(issuer.presented).toEqual(['seed'])
  })

  it('is tried once more at the end', async () => {
    const { board, state, stubborn } = full()
    const { start } = createBench({ board })
    const { get, token } = start('seed', { on: stubborn })
    await get()
    state.full = false
    await token.close()
    expect((await board.read('token'))?.text).toContain('refresh-1')
  })
})

describe('a board of all replicas that is away', () => {
  const elsewhere = () => {
    const board = createMemoryBoard()
    const state = { away: false }
    const reach = async <T>(work: () => Promise<T>) => {
      if (state.away) throw new Error('Redis is away')
      return work()
    }
    const shared: Board = {
      ...board,
      isElsewhere: true,
      read: (name) => reach(() => board.read(name)),
      write: (...args) => reach(() => board.write(...args)),
    }
    return { shared, state }
  }
  const refusal = { code: 'UPSTREAM_UNAVAILABLE', facts: { retryAfter: 5 } }

  it('refuses at once whoever asks after the end of the token, and gives a new one as soon as it is back', async () => {
    const { shared, state } = elsewhere()
    const { issuer, get, pass, token } = createBench({ board: shared })
    await get()
    state.away = true
    await pass(HOUR - 6_000)
    expect(await get()).toBe(200)
    await pass(6_000)
    for (let second = 0; second < 90; second += 1) {
      expect(await get('/a', MINUTE)).toMatchObject(refusal)
      await pass(1_000)
    }
    expect([issuer.presented, token.state]).toEqual([['seed'], 'BACKOFF'])
    expect(token.problem).toContain('Redis is away')
    state.away = false
    await token.restore()
    expect(await get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
  })

  it('is not waited for by a cold start either', async () => {
    const { shared, state } = elsewhere()
    state.away = true
    const { get } = createBench({ board: shared })
    expect(await get()).toMatchObject(refusal)
    expect(await get()).toMatchObject(refusal)
  })

  it('and goes away in the middle of a renewal holds up no token that stays as it is', async () => {
    const { shared, state } = elsewhere()
    const { issuer, start, get, kill, pass } = createBench({ board: shared, rotation: 'none' })
    await get()
    kill()
    await pass(HOUR)
    let reads = 0
    const ends: Board = {
      ...shared,
      read: (name) => {
        reads += 1
        state.away = reads > 1
        return shared.read(name)
      },
    }
    expect(await start('seed', { on: ends }).get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'seed'])
  })
})

describe('closing', () => {
  it('waits for an exchange under way and its save', async () => {
    const { issuer, clock, board, token, get, pass } = createBench()
    issuer.interceptors.push(delayed(clock, 3_000))
    void get()
    await settle()
    let closed = false
    void token.close().then(() => {
      closed = true
    })
    await pass(2_999)
    expect(closed).toBe(false)
    await pass(1)
    expect(closed).toBe(true)
    expect((await board.read('token'))?.text).toContain('refresh-1')
    expect(clock.sleeping).toBe(0)
  })
})
