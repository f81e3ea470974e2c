import * as fc from 'fast-check'
import type { Fault } from '../../src/sandbox/fault.ts'
import type { Clock } from '../../src/upstream/transport/send.ts'
import { type Answered, ask, priceOf } from './ask.ts'
import { operations } from './document.ts'
import { check, demand, type Effort, isRefused, openService } from './property.ts'

type Path = readonly (string | number)[]

/** Places at which an answer lacks what a whole one has. */
const gaps = (whole: unknown, got: unknown, path: Path = []): Path[] => {
  if (whole === null || whole === undefined || typeof whole !== 'object') {
    demand(got === whole || got === null, () => `${JSON.stringify(got)} at ${path.join('.')}`)
    return got === whole ? [] : [path]
  }
  if (got === null || typeof got !== 'object') return [path]
  return Object.entries(whole).flatMap(([key, value]) =>
    gaps(value, Reflect.get(got, key), [...path, Array.isArray(whole) ? Number(key) : key]),
  )
}

const isWithin = (path: Path, place: Path): boolean => place.every((key, at) => path[at] === key)

/** Every gap is told: an error with its price, at the gap or at what took it along. */
const gapsAreTold = (whole: Answered, got: Answered, query: string): void => {
  for (const gap of gaps(whole.data, got.data))
    demand(
      got.errors.some(
        ({ path, extensions }) =>
          extensions.code === 'CREDIT_LIMIT_EXCEEDED' && path !== undefined && isWithin(path, gap),
      ),
      () => `nothing is told of ${gap.join('.')}: ${query}`,
    )
}

/** With a limit of n ≥ min, at most n credits go out, and whatever is missing is told. */
export const limitsHold = async (effort: Effort): Promise<void> => {
  const service = await openService()
  await check(fc.tuple(operations, fc.integer({ min: 0, max: 6 })), effort, ([{ inline }, more]) =>
    service.withCold(async (open) => {
      const whole = await ask(open(), inline.query)
      if (isRefused(whole)) return
      const limited = open()
      const limit = (await priceOf(limited, inline.query)).min + more
      const before = service.meter.credits
      const got = await ask(limited, inline.query, {
        headers: { 'x-credits-limit': String(limit) },
      })
      const metered = service.meter.credits - before
      demand(metered <= limit, () => `${metered} of ${limit}: ${inline.query}`)
      demand(metered === got.credits.spent, () => `${got.credits.spent} told, ${metered} metered`)
      gapsAreTold(whole, got, inline.query)
    }),
  )
  await service.close()
}

const AT_ONCE = 50

/** The same for fifty operations at once, which share what they can. */
export const limitsHoldAtOnce = async (effort: Effort): Promise<void> => {
  const service = await openService()
  const some = fc.array(fc.tuple(operations, fc.integer({ min: 0, max: 4 })), {
    minLength: 1,
    maxLength: 4,
  })
  await check(some, effort, (asked) =>
    service.withCold(async (open) => {
      const [alone, shared] = [open(), open()]
      const wholes = await Promise.all(
        asked.map(async ([{ inline }, more]) => {
          const limit = (await priceOf(shared, inline.query))?.min + more
          return { limit, query: inline.query, whole: await ask(alone, inline.query) }
        }),
      )
      const priced = wholes.filter(({ whole }) => !isRefused(whole))
      if (priced.length === 0) return
      const before = service.meter.credits
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, at) => {
          const one = priced[at % priced.length] ?? { limit: 0, query: '', whole: undefined }
          const headers = { 'x-credits-limit': String(one.limit) }
          return { ...one, got: await ask(shared, one.query, { headers }) }
        }),
      )
      const metered = service.meter.credits - before
      const spent = answers.reduce((sum, { got }) => sum + got.credits.spent, 0)
      demand(spent === metered, () => `${spent} told, ${metered} metered`)
      for (const { got, limit, whole, query } of answers) {
        demand(got.credits.spent <= limit, () => `${got.credits.spent} of ${limit}: ${query}`)
        if (whole !== undefined) gapsAreTold(whole, got, query)
      }
    }),
  )
  await service.close()
}

const HASTE = 20
/** A second of the machine's for an attempt, so that a busy machine does not look like a slow service. */
const SLOW = { UPSTREAM_TIMEOUT_MS: '20000', OPERATION_TIMEOUT_MS: '60000' }

/** The machine's time, twenty times as fast: what waits a second waits 50 ms. */
const hastyClock = (): Clock => {
  const start = Date.parse('2026-03-10T12:00:00Z')
  const since = performance.now()
  return {
    now: () => start + Math.floor((performance.now() - since) * HASTE),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const timer = setTimeout(resolve, ms / HASTE)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}

const faults: fc.Arbitrary<readonly [string, Fault]> = fc.tuple(
  fc.constantFrom('*', 'artist', 'track', 'platBChart', 'search', 'tracksByFilter', 'token'),
  fc
    .tuple(
      fc.constantFrom<Fault>(
        { status: 500 },
        { status: 502, html: true },
        { status: 503, headers: { 'retry-after': '1' } },
        { status: 429, headers: { 'retry-after': '1' } },
        { status: 401 },
        { status: 402 },
        { status: 403 },
        { status: 404 },
        { reset: true },
        { cutAt: 30 },
        { text: '{"obj":' },
        { delayMs: 2000 },
        { delayMs: 30_000 },
        { stall: 'head' },
        { stall: 'body' },
      ),
      fc.integer({ min: 1, max: 4 }),
    )
    .map(([fault, times]) => ({ ...fault, times })),
)

const TURNS = 1_000
/** What was written as its time ran out is read by the service a little later. */
const readAll = async (isRead: () => boolean): Promise<void> => {
  for (let turn = 0; turn < TURNS && !isRead(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
}

/** Whatever goes wrong: what operations spent, and what was spent behind them, is what the service has metered. */
export const faultsAreCounted = async (effort: Effort): Promise<void> => {
  const clock = hastyClock()
  const service = await openService(clock, SLOW)
  const some = fc.tuple(
    fc.array(operations, { minLength: 1, maxLength: 4 }),
    fc.array(faults, { minLength: 1, maxLength: 4 }),
  )
  await check(some, effort, async ([asked, wrongs]) => {
    service.sandbox.faults.clear()
    for (const [where, fault] of wrongs) service.sandbox.faults.inject(where, fault)
    const before = service.meter.credits
    const { spent, book } = await service.withCold(async (open) => {
      const opened = open()
      const answers = await Promise.all(asked.map(({ inline }) => ask(opened, inline.query)))
      const told = answers.reduce((sum, { credits }) => sum + (credits?.spent ?? 0), 0)
      return { spent: told, book: opened.gateway.upstream.book }
    })
    await readAll(() => service.meter.credits - before >= book.spent)
    const metered = service.meter.credits - before
    const all = `${spent} told, ${book.backgroundSpent} behind, ${book.spent} in the book, ${metered} metered`
    demand(spent + book.backgroundSpent === metered, () => all)
    demand(book.spent === metered, () => all)
  })
  await service.close()
}
