import { describe, expect, test } from 'vitest'
import type { Board } from '../../src/board/board.ts'
import { createMemoryBoard } from '../../src/board/memory.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { WireFault } from '../../src/upstream/transport/fault.ts'
import { watch } from '../../src/watch.ts'
import { figure } from '../support/figure.ts'
import { createBench } from '../upstream/token/bench.ts'
import { answer } from '../upstream/token/issuer.ts'
import { settle } from '../upstream/transport/clocks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const count = (outcomes: readonly unknown[], wanted: unknown) =>
  outcomes.filter((outcome) => outcome === wanted).length
const lost = () => new WireFault('UPSTREAM_UNAVAILABLE', 'reset', { sent: true, repeatable: true })

/** A board, and a process's hold on it through a disk that may fill up. */
const boardOnDisk = () => {
  const shared = createMemoryBoard()
  const disk = { full: false }
  const on: Board = {
    ...shared,
    async write(...args) {
      if (disk.full) throw new Error('ENOSPC')
      return shared.write(...args)
    },
  }
  return { shared, on, disk }
}

const slowly =
  ({ clock }: Pick<ReturnType<typeof createBench>, 'clock'>, ms: number) =>
  async <T>(done: () => T) => {
    await clock.sleep(ms)
    return done()
  }

describe('faults of the token, one process', () => {
  test('T1: a cold start with a thousand callers is one exchange', async () => {
    const bench = createBench()
    bench.issuer.interceptors.push(slowly(bench, 300))
    const asked = bench.getMany(1_000)
    await bench.pass(300)
    const ok = count(await asked, 200)
    expect([bench.issuer.presented.length, ok]).toEqual([1, 1_000])
    figure(`T1: ${bench.issuer.presented.length} exchange, ${ok} ok`)
  })

  test('T7: a disk that is full at the save stops nothing, and costs no second exchange', async () => {
    const { shared, on, disk } = boardOnDisk()
    const { issuer, start, pass, board } = createBench({ board: shared })
    issuer.interceptors.push((done) => {
      disk.full = true
      return done()
    })
    const { get, token } = start('seed', { on })
    let ok = 0
    for (let second = 0; second < 600; second += 1) {
      if ((await get()) === 200) ok += 1
      await pass(SECOND)
    }
    expect(token.problem).toContain('could not be saved')
    expect((await board.read('token'))?.text).not.toContain('refresh-1')
    disk.full = false
    await pass(SECOND)
    expect((await board.read('token'))?.text).toContain('refresh-1')
    expect(token.problem).toBeUndefined()
    expect([ok, issuer.presented.length]).toEqual([600, 1])
    figure(
      `T7: ${ok} of 600 ok on a full disk, ${issuer.presented.length} exchange, saved 1 s after`,
    )
  })

  test('T7: nobody else exchanges what this process could not save', async () => {
    const { shared, on, disk } = boardOnDisk()
    const { issuer, start, pass } = createBench({ board: shared })
    issuer.interceptors.push((done) => {
      disk.full = true
      return done()
    })
    expect(await start('seed', { on }).get()).toBe(200)
    const other = start('seed', { on })
    const asked = other.get('/b', 50 * SECOND)
    await pass(40 * SECOND)
    expect(issuer.presented).toEqual(['seed'])
    disk.full = false
    await pass(2 * SECOND)
    expect(await asked).toBe(200)
    expect(issuer.presented).toEqual(['seed'])
  })

  test('T8: a new seed in the watched file is in service within 5 s', async () => {
    const bench = createBench()
    bench.issuer.issue('from the operator')
    expect(await bench.get()).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
    let text = 'seed\n'
    const seeds = watch(
      async () => text,
      (seed) => bench.token.reseed(secret(seed)),
      bench.clock,
    )
    await bench.pass(9_999)
    text = 'from the operator\n'
    const begun = bench.clock.now()
    while (bench.token.state !== 'VALID') await bench.pass(10)
    const waited = bench.clock.now() - begun
    seeds.close()
    expect(await bench.get()).toBe(200)
    expect(waited).toBeLessThanOrEqual(5 * SECOND)
    expect(bench.issuer.presented).toEqual(['seed', 'from the operator'])
    figure(`T8: in service ${waited / SECOND} s after the new file`)
  })

  test.each(['grace', 'strict'] as const)(
    'T9: a response lost after the service rotated is one repeat with the same token (%s)',
    async (rotation) => {
      const { issuer, get, pass, token } = createBench({ rotation })
      issuer.interceptors.push((done) => {
        done()
        throw lost()
      })
      const asked = get('/a', 30 * SECOND)
      await pass(30 * SECOND)
      expect(issuer.presented).toEqual(['seed', 'seed'])
      if (rotation === 'grace') expect(await asked).toBe(200)
      else {
        expect(await asked).toMatchObject({ code: 'UPSTREAM_UNAUTHENTICATED' })
        expect(token.state).toBe('REJECTED')
        expect(token.problem).toContain('was cut off before its result was saved')
      }
      figure(`T9: ${rotation}: ${issuer.presented.length - 1} repeat, ${token.state}`)
    },
  )

  test('T10: a body without a token still gives its refresh token, which mints', async () => {
    const { issuer, get, board } = createBench()
    issuer.interceptors.push((done) => {
      const { refresh_token } = JSON.parse(done().text)
      return answer(200, { refresh_token })
    })
    expect(await get()).toBe(200)
    expect(issuer.presented).toEqual(['seed', 'refresh-1'])
    expect((await board.read('token'))?.text).toContain('"refreshToken":"refresh-2"')
    figure('T10: refresh token saved, minted with it at once')
  })

  test('T10: a kill right after such a body does not lose its refresh token', async () => {
    const { issuer, start } = createBench()
    issuer.interceptors.push((done) => {
      const { refresh_token } = JSON.parse(done().text)
      return answer(200, { refresh_token })
    })
    void start('seed', { diesAt: 3 }).get()
    await settle()
    const got = await start().get()
    expect([got, issuer.presented]).toEqual([200, ['seed', 'refresh-1']])
  })

  test.each([[0], [-5], ['3600'], [null], [1e12], [30], [31], [35], [60]])(
    'T11: a lifetime of %j is clamped, and minted at most once in 30 s',
    async (life) => {
      const { issuer, clock, get, pass } = createBench({ life })
      const mints: number[] = []
      const step = life === 30 || life === 31 ? SECOND : 10 * SECOND
      for (let tick = 0; tick < 720; tick += 1) {
        const before = issuer.presented.length
        expect(await get()).toBe(200)
        if (issuer.presented.length > before) mints.push(clock.now())
        await pass(step)
        if (issuer.presented.length > mints.length) mints.push(clock.now())
      }
      expect(mints.length).toBe(issuer.presented.length)
      const gaps = mints.slice(1).map((at, index) => at - (mints[index] ?? 0))
      expect(gaps.length).toBeGreaterThan(0)
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30 * SECOND)
      expect(issuer.calls.every(({ authorization }) => authorization !== undefined)).toBe(true)
      figure(
        `T11: ${JSON.stringify(life)}: ${mints.length} mints in ${(720 * step) / MINUTE} min, ${Math.min(...gaps) / SECOND} s apart`,
      )
    },
  )

  test.each([10 * MINUTE, -10 * MINUTE])(
    'T12: a clock that is set by %i ms, also in the middle of an exchange, fails nobody',
    async (ms) => {
      const mintsOf = async (jumps: readonly number[]) => {
        const bench = createBench()
        bench.issuer.interceptors.push(slowly(bench, 5 * SECOND))
        let errors = 0
        for (let minute = 0; minute < 180; minute += 1) {
          const asked = bench.getMany(200)
          await settle()
          for (const at of jumps) if (at === minute) bench.jump(ms)
          await bench.pass(MINUTE)
          errors += 200 - count(await asked, 200)
        }
        return { errors, mints: bench.issuer.presented.length, revoked: bench.issuer.revoked }
      }
      const usual = await mintsOf([])
      for (const at of [0, 30, 54, 55]) {
        const jumped = await mintsOf([at])
        expect(jumped.errors, `at ${at}`).toBe(0)
        expect(jumped.mints - usual.mints, `at ${at}`).toBeLessThanOrEqual(1)
        expect(jumped.revoked).toBe(false)
      }
      figure(`T12: ${ms / MINUTE} min: 0 errors, at most 1 mint beside the usual ${usual.mints}`)
    },
  )

  test('T13: 401 on everything for 60 s is one repeat a request and at most two mints', async () => {
    const { issuer, getMany, get, pass } = createBench()
    await get('/fine')
    const before = issuer.presented.length
    issuer.forbidden.add('/api/track/501')
    const asked: Promise<unknown[]>[] = []
    for (let second = 0; second < 60; second += 20) {
      asked.push(getMany(200))
      await pass(20 * SECOND)
    }
    await Promise.all(asked)
    const mints = issuer.presented.length - before
    const sent = issuer.calls.length - 1
    expect(mints).toBeLessThanOrEqual(2)
    expect(sent).toBeLessThanOrEqual(2 * 600)
    issuer.forbidden.clear()
    expect(await get()).toBe(200)
    figure(`T13: 600 requests, ${sent} sent, ${mints} mints`)
  })

  test('T14: a token that expires with 200 in flight is one mint', async () => {
    const { issuer, getMany, get } = createBench()
    await get()
    issuer.expireAll()
    const ok = count(await getMany(200), 200)
    const refused = issuer.calls.length - 1 - ok
    expect([ok, issuer.presented.length - 1]).toEqual([200, 1])
    expect(refused).toBeLessThanOrEqual(200)
    figure(`T14: renewal blocked: 1 mint, ${refused} refused beside ${ok} ok`)
  })

  test('T14: and costs nothing where it is renewed in time', async () => {
    const { issuer, getMany, pass } = createBench()
    for (let minute = 0; minute < 120; minute += 1) {
      expect(count(await getMany(20), 200)).toBe(20)
      await pass(MINUTE)
    }
    expect(issuer.calls).toHaveLength(120 * 20)
    figure(`T14: renewed in time: 0 refused of ${issuer.calls.length}`)
  })

  test('T15: three replicas over 72 hours make 72 to 82 exchanges, each with a new token', async () => {
    const { issuer, start, pass } = createBench()
    const replicas = [start(), start(), start()]
    let errors = 0
    for (let half = 0; half < 144; half += 1) {
      const asked = replicas.map(({ get }) => get())
      await pass(HOUR / 2)
      errors += 3 - count(await Promise.all(asked), 200)
    }
    expect(errors).toBe(0)
    expect(issuer.presented.length).toBeGreaterThanOrEqual(72)
    expect(issuer.presented.length).toBeLessThanOrEqual(82)
    expect(new Set(issuer.presented).size).toBe(issuer.presented.length)
    expect(issuer.revoked).toBe(false)
    figure(`T15: ${issuer.presented.length} exchanges in 72 h, none of an older token`)
  })
})
