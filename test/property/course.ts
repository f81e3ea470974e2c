import * as fc from 'fast-check'
import { createMemoryBoard } from '../../src/board/memory.ts'
import { WireFault } from '../../src/upstream/transport/fault.ts'
import { createBench } from '../upstream/token/bench.ts'
import { answer } from '../upstream/token/issuer.ts'
import { settle } from '../upstream/transport/clocks.ts'
import type { Effort } from './effort.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
/** Less than the minute after which a refusal is looked at again. */
const BEFORE_PROBE = 59 * SECOND

const must = (isSo: boolean, what: string) => {
  if (!isSo) throw new Error(what)
}

type Bench = ReturnType<typeof createBench>

/** What lies on the board of a bench. */
const recordOn = async ({ board }: Bench): Promise<{ refreshToken?: string; intent?: object }> =>
  JSON.parse((await board.read('token'))?.text ?? '{}')

const ordinal = (token = '') => Number(/-(\d+)$/.exec(token)?.[1] ?? 0)

/**
 * Looks at the board as each call arrives: an exchange is noted before it is made, what it gives is saved before it is
 * used, and no refresh token is presented that is older than one ever saved. What is returned tells whether it always
 * was.
 */
const witness = (bench: Bench, isExcused = () => false): (() => void) => {
  const { issuer } = bench
  const { send } = issuer
  const breaches: string[] = []
  const everSaved = new Set<string>()
  issuer.send = async (request, caller) => {
    const { refreshToken, intent } = await recordOn(bench)
    if (refreshToken !== undefined) everSaved.add(refreshToken)
    const { refreshtoken: presented } = JSON.parse(request.body ?? '{}')
    if ([...everSaved].some((saved) => issuer.isOlder(presented, saved)))
      breaches.push(`${presented} was presented after a newer token was saved`)
    const used = ordinal(request.headers?.authorization)
    if (isExcused()) return send(request, caller)
    if (request.path === '/api/token' && intent === undefined)
      breaches.push('an exchange was not noted before it was made')
    if (used > ordinal(refreshToken)) breaches.push(`token ${used} was used before it was saved`)
    return send(request, caller)
  }
  return () => must(breaches.length === 0, breaches.join())
}

const EVENTS = [
  'expire',
  'restart',
  'restart',
  'busy',
  'bar',
  'unbar',
  'full',
  'empty',
  'brim',
] as const
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
      let keptSince = 0
      const bench = createBench({
        board: {
          ...store,
          write: (...args) => (full ? Promise.reject(new Error('ENOSPC')) : store.write(...args)),
        },
      })
      const tell = witness(bench, () => full || bench.clock.now() < keptSince)
      let run = bench.start()
      const empty = async () => {
        full = false
        keptSince = bench.clock.now() + SECOND
        await bench.pass(SECOND)
      }
      const restart = () => {
        run.kill()
        run = bench.start()
      }
      for (const one of steps) {
        if ('get' in one) await Promise.all([run.getMany(one.get), bench.pass(11 * SECOND)])
        else if ('pass' in one) await bench.pass(full ? one.pass / 100 : one.pass)
        else if (one.event === 'expire') bench.issuer.expireAll()
        else if (one.event === 'busy') bench.issuer.interceptors.push(() => answer(503))
        else if (one.event === 'bar') bench.issuer.forbidden.add('/api/track/501')
        else if (one.event === 'unbar') bench.issuer.forbidden.clear()
        else if (one.event === 'full') full = true
        else if (one.event === 'empty') await empty()
        else if (one.event === 'brim') {
          // What an exchange gave is saved as soon as there is room.
          full = true
          bench.issuer.expireAll()
          await Promise.all([run.get(), bench.pass(11 * SECOND)])
          await empty()
          restart()
        } else if (!full) restart()
        await settle(5)
      }
      full = false
      keptSince = bench.clock.now() + SECOND
      bench.issuer.forbidden.clear()
      bench.issuer.interceptors.length = 0
      await bench.pass(2 * HOUR)
      must((await run.get()) === 200, 'no service in the end')
      must(!bench.issuer.revoked, 'an older refresh token was presented')
      tell()
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
      const tell = witness(bench)
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
      tell()
      await run.token.close()
    }),
    effort,
  )
}

const kill = fc.record({
  diesAt: fc.integer({ min: 1, max: 4 }),
  others: fc.nat(2),
  after: fc.integer({ min: SECOND, max: 2 * HOUR }),
})

/**
 * Wherever a process that exchanges is killed: what was saved goes on, of a strict service too, for its heir and for
 * all beside it; what was lost between answer and save is told, and ends with the operator's next token.
 */
export const killsAreTold = async (effort: Effort): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.array(kill, { minLength: 1, maxLength: 12 }), async (kills) => {
      const bench = createBench()
      const { issuer } = bench
      const tell = witness(bench)
      let seed = 'seed'
      let run = bench.start()
      const ask = async (some: readonly (typeof run)[]) => {
        const asked = Promise.all(some.map(({ get }) => get('/api/track/501', BEFORE_PROBE)))
        await bench.pass(BEFORE_PROBE)
        return asked
      }
      for (const { diesAt, others, after } of kills) {
        const beside = Array.from({ length: others }, () => bench.start(seed))
        run.kill()
        const victim = bench.start(seed, { diesAt })
        issuer.expireAll()
        void victim.get()
        await bench.pass(11 * SECOND)
        victim.kill()
        await bench.pass(after)
        const { refreshToken = seed } = await recordOn(bench)
        const isSaved = refreshToken === issuer.newest
        const exchanges = issuer.presented.length
        issuer.expireAll()
        run = bench.start(seed)
        const got = await ask([run, ...beside])
        if (isSaved) {
          must(
            got.every((status) => status === 200),
            `a saved token was lost: ${got}`,
          )
          must(!issuer.revoked, 'an older refresh token was presented')
          must(issuer.presented.length <= exchanges + 1, 'it was exchanged twice')
        } else {
          must(!got.includes(200), 'served by a token that is gone')
          const tries = issuer.presented.slice(exchanges)
          must(tries.length === 1 + others, `${1 + others} processes tried ${tries}`)
          must(new Set(tries).size === 1, `other tokens than the newest were tried: ${tries}`)
          must(/was cut off before its result/.test(run.token.problem ?? ''), 'not told')
          seed = `seed of ${issuer.presented.length}`
          issuer.issue(seed)
        }
        for (const one of isSaved ? beside : [run, ...beside]) one.kill()
        if (!isSaved) run = bench.start(seed)
        must((await ask([run]))[0] === 200, 'no service')
      }
      tell()
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

/** However short tokens live and however often they are refused: of any time t, at most 1 + t / 30 s exchanges, rounded up. */
export const mintsArePaced = async (effort: Effort): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 10, maxLength: 30 }), async (all) => {
      const bench = createBench()
      const { issuer, clock, get, pass } = bench
      const { send } = issuer
      const mints: number[] = []
      issuer.send = async (request, caller) => {
        if (request.path === '/api/token') mints.push(clock.now())
        return send(request, caller)
      }
      for (const { life, wait, revokes } of all) {
        issuer.grant(life)
        if (revokes) issuer.expireAll()
        for (let second = 0; second <= wait; second += 1) {
          void get()
          await pass(SECOND)
        }
      }
      for (const [first, begun] of mints.entries())
        for (const [last, ended] of mints.entries()) {
          const least = (last - first - 1) * 30 * SECOND
          must(
            ended - begun >= least || last <= first,
            `${last - first + 1} exchanges in ${ended - begun} ms`,
          )
        }
      await bench.token.close()
    }),
    effort,
  )
}
