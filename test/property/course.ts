import * as fc from 'fast-check'
import { createMemoryBoard } from '../../src/board/memory.ts'
import { WireFault } from '../../src/upstream/transport/fault.ts'
import { createBench } from '../upstream/token/bench.ts'
import { answer } from '../upstream/token/issuer.ts'
import { settle } from '../upstream/transport/clocks.ts'
import type { Effort } from './effort.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

const must = (isSo: boolean, what: string) => {
  if (!isSo) throw new Error(what)
}

const EVENTS = ['expire', 'restart', 'busy', 'bar', 'unbar', 'full', 'empty'] as const
const step = fc.oneof(
  fc.integer({ min: 1, max: 5 }).map((get) => ({ get })),
  fc.integer({ min: SECOND, max: 2 * HOUR }).map((pass) => ({ pass })),
  fc.constantFrom(...EVENTS).map((event) => ({ event })),
)

/** A strict service is shown each refresh token once, and there is service in the end. */
export const tokensArePresentedOnce = async (effort: Effort): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const store = createMemoryBoard()
      let full = false
      const bench = createBench({
        board: {
          ...store,
          write: (...args) => (full ? Promise.reject(new Error('ENOSPC')) : store.write(...args)),
        },
      })
      let run = bench.start()
      for (const one of steps) {
        if ('get' in one) await Promise.all([run.getMany(one.get), bench.pass(11 * SECOND)])
        else if ('pass' in one) await bench.pass(full ? one.pass / 100 : one.pass)
        else if (one.event === 'expire') bench.issuer.expireAll()
        else if (one.event === 'busy') bench.issuer.interceptors.push(() => answer(503))
        else if (one.event === 'bar') bench.issuer.forbidden.add('/api/track/501')
        else if (one.event === 'unbar') bench.issuer.forbidden.clear()
        else if (one.event === 'full') full = true
        else if (one.event === 'empty') {
          full = false
          await bench.pass(SECOND)
        } else if (!full) {
          run.kill()
          run = bench.start()
        }
        await settle(5)
      }
      full = false
      bench.issuer.forbidden.clear()
      bench.issuer.interceptors.length = 0
      await bench.pass(2 * HOUR)
      must((await run.get()) === 200, 'no service in the end')
      must(!bench.issuer.revoked, 'an older refresh token was presented')
      await run.token.close()
    }),
    effort,
  )
}

const lost = () => new WireFault('UPSTREAM_UNAVAILABLE', 'reset', { sent: true, repeatable: true })
const mishap = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((diesAt) => ({ diesAt })),
  fc.constant({ loses: true }),
  fc.integer({ min: SECOND, max: 2 * HOUR }).map((pass) => ({ pass })),
)

/** A service with grace is never left for good, wherever a process is killed and whichever answer is lost. */
export const gracePreserves = async (effort: Effort): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.array(mishap, { maxLength: 20 }), async (mishaps) => {
      const bench = createBench({ rotation: 'grace' })
      let run = bench.start()
      const serves = async () => {
        const asked = run.get('/api/track/501', 60 * SECOND)
        await bench.pass(60 * SECOND)
        must((await asked) === 200, 'no service')
      }
      await serves()
      for (const one of mishaps) {
        if ('pass' in one) await bench.pass(one.pass)
        else if ('loses' in one)
          bench.issuer.interceptors.push((done) => {
            done()
            throw lost()
          })
        else {
          run.kill()
          const victim = bench.start('seed', { diesAt: one.diesAt })
          bench.issuer.expireAll()
          void victim.get()
          await bench.pass(11 * SECOND)
          victim.kill()
          run = bench.start()
        }
        // Who meets the mishap may fail; who asks after a pause for breath does not.
        bench.issuer.expireAll()
        void run.get()
        await bench.pass(60 * SECOND)
        await serves()
      }
      must(!bench.issuer.revoked, 'an older refresh token was presented')
      await run.token.close()
    }),
    effort,
  )
}

const happening = fc.record({
  life: fc.constantFrom(1, 2, 10, 30, 45, 3_600),
  wait: fc.integer({ min: 0, max: 40 }),
  revokes: fc.boolean(),
})

/** However short tokens live and however often they are refused: never three exchanges in 30 s, and two a minute in the long run. */
export const mintsArePaced = async (effort: Effort): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 10, maxLength: 30 }), async (all) => {
      const bench = createBench()
      const { issuer, clock, get, pass } = bench
      const began = clock.now()
      const mints: number[] = []
      for (const { life, wait, revokes } of all) {
        issuer.grant(life)
        if (revokes) issuer.expireAll()
        for (let second = 0; second <= wait; second += 1) {
          void get()
          await pass(SECOND)
          while (mints.length < issuer.presented.length) mints.push(clock.now())
        }
      }
      const gaps = mints.slice(2).map((at, index) => at - (mints[index] ?? 0))
      must(Math.min(...gaps, HOUR) >= 29 * SECOND, `three exchanges in ${Math.min(...gaps)} ms`)
      const most = (clock.now() - began) / (30 * SECOND) + 2
      must(mints.length <= most, `${mints.length} exchanges, ${most} are allowed`)
      await bench.token.close()
    }),
    effort,
  )
}
