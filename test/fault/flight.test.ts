import { describe, expect, test } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'
import { createUpstream } from '../../src/upstream/client.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { createFacts } from '../../src/upstream/facts.ts'
import { createPacking } from '../../src/upstream/packed.ts'
import { request } from '../../src/upstream/request.ts'
import { createServed } from '../../src/upstream/served.ts'
import { createMemoryShelf } from '../../src/upstream/shelf.ts'
import type { Send } from '../../src/upstream/transport/send.ts'
import { createAccounts } from '../support/accounts.ts'
import { figure } from '../support/figure.ts'
import { serve } from '../support/server.ts'
import { createFakeClock, settle } from '../upstream/transport/clocks.ts'
import { stepping } from '../upstream/transport/through.ts'
import { artist, codesOf, openBench, range, SECOND, until } from './bench.ts'

const HOUR = 3_600 * SECOND
const MB = 1024 * 1024
const GUESSES = 200_000

/** A client over a service that a function stands for. */
const openClient = (send: Send, maxBytes = 8 * MB) => {
  const clock = createFakeClock()
  const shelf = createMemoryShelf(maxBytes)
  const accounts = createAccounts(clock.now)
  const { book } = accounts
  const facts = createFacts(shelf, 1_000_000)
  const upstream = createUpstream({
    ...accounts,
    send: stepping(send),
    shelf,
    facts,
    packed: createPacking(maxBytes),
    clock,
    background: createLedger(),
  })
  const call = async (cmId: number, patience = 10 * SECOND) => {
    const since = clock.now()
    const own = { ledger: createLedger({ book }), directives: {}, served: createServed() }
    const operation = { ...own, since, deadline: since + patience }
    return upstream.call(request(endpoints.artist, { cmId }), operation)
  }
  return { clock, shelf, book, upstream, call }
}

/** An artist on its way, to a hundred who asked for it at once, each over a connection of its own. */
const hundred = async (env: Record<string, string> = {}) => {
  const bench = await openBench({ env: { CREDITS_PER_DAY: '1000', ...env } })
  await bench.warm()
  const { address } = await serve(bench.gateway)
  const url = new URL('/graphql', address)
  const askers = range(0, 100).map(() => new AbortController())
  const askOne = async ({ signal }: AbortController) => {
    const response = await fetch(url, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: artist(5) }),
    })
    return response.json()
  }
  return {
    bench,
    askers,
    /** Each answer, or undefined for one who left. */
    askAll: () => askers.map((asker) => askOne(asker).catch(() => undefined)),
    remaining: async () => (await bench.ask('{ __typename }')).credits.budget?.remaining,
  }
}

/** Somebody asks, and leaves what is on the wire. */
const leaves = async ({ ask, meter }: Awaited<ReturnType<typeof openBench>>) => {
  const asker = new AbortController()
  const asked = ask(artist(5), { signal: asker.signal }).catch(() => undefined)
  await until(() => meter.requests.length > 0)
  await settle()
  asker.abort()
  await asked
}

describe('answers that are shared, one process', () => {
  test('C1: a thousand equal cold reads are one credit', async () => {
    const bench = await openBench({ sandbox: { latencyMs: 300 } })
    await bench.passing(bench.warm())
    const asked = bench.askAll(range(0, 1_000).map(() => artist(5)))
    await until(() => bench.meter.requests.length > 0)
    expect(codesOf(await bench.passing(asked))).toEqual([])
    expect(bench.balances()).toBe(1)
    figure('C1: 1,000 equal reads, 1 credit')
  })

  test('C2: the one who asked first leaves, and ninety-nine others are answered', async () => {
    const { bench, askers, askAll } = await hundred()
    const back = bench.faults.inject('artist', { delayMs: SECOND })
    const asked = askAll()
    await until(() => bench.meter.requests.length > 0)
    back()
    askers[0]?.abort()
    await asked[0]
    const answers = await bench.passing(Promise.all(asked))
    expect(answers.filter((answer) => answer?.data?.artist?.name !== undefined)).toHaveLength(99)
    expect(bench.balances()).toBe(1)
    figure('C2: 99 of 99 answered, 1 credit')
  })

  test('C3: all leave what is on the wire, and it is kept', async () => {
    const { bench, askers, askAll } = await hundred()
    bench.faults.inject('artist', { delayMs: SECOND })
    const asked = askAll()
    await until(() => bench.meter.requests.length > 0)
    for (const asker of askers) asker.abort()
    await bench.passing(Promise.all(asked))
    await bench.clock.pass(SECOND)
    await until(() => bench.gate.running === 0)
    const { errors, credits } = await bench.ask(artist(5))
    expect([errors, credits.spent]).toEqual([[], 0])
    expect(bench.balances()).toBe(1)
    figure('C3: 1 credit, the next read 0')
  })

  test.each([
    ['is cut', { cutAt: 5 }],
    ['never comes', { reset: true }],
    ['is a 503', { status: 503 }],
  ])(
    'C3: all leave what is on the wire and %s: it is repeated once for who joined since',
    async (_name, fault) => {
      const bench = await openBench()
      await bench.warm()
      bench.faults.inject('artist', { ...fault, times: 1, delayMs: SECOND })
      await leaves(bench)
      const joined = bench.ask(artist(5))
      const { errors, credits, data } = await bench.passing(joined)
      expect(errors).toEqual([])
      expect(data.artist.name).toBeTruthy()
      expect([credits.spent, credits.saved]).toEqual([1, 0])
      expect(bench.balances()).toBe(2)
    },
  )

  test('C3: all leave what is on the wire, and what it failed with is not repeated for nobody', async () => {
    const bench = await openBench()
    await bench.warm()
    bench.faults.inject('artist', { cutAt: 5, delayMs: SECOND })
    await leaves(bench)
    await leaves(bench)
    await bench.passing(bench.clock.sleep(5 * SECOND))
    await until(() => bench.gate.running === 0)
    expect(bench.balances()).toBe(1)
  })

  test('C4: all leave what still waits, and it is not sent', async () => {
    const { bench, askers, askAll, remaining } = await hundred({ UPSTREAM_CONCURRENCY: '1' })
    bench.faults.inject('track', { delayMs: SECOND })
    const first = bench.ask('{ track(cmId: 5) { name } }')
    await until(() => bench.meter.requests.length > 0)
    const asked = askAll()
    await until(() => bench.gate.waiting > 0)
    for (const asker of askers) asker.abort()
    await Promise.all(asked)
    await until(() => bench.gate.waiting === 0)
    await bench.passing(first)
    await bench.clock.pass(SECOND)
    expect(bench.meter.requests.map(({ endpoint }) => endpoint)).toEqual(['track'])
    expect([bench.balances(), await remaining()]).toEqual([1, 999])
    figure('C4: 0 credits for a hundred who left, the budget untouched')
  })

  test('C5: a thousand reads of what is just past its freshness wait for nothing', async () => {
    const bench = await openBench({ sandbox: { tokenLifetime: 30 * 86_400 } })
    await bench.ask(artist(5))
    await bench.clock.pass(6.5 * HOUR)
    await bench.warm()
    const before = bench.balances()
    bench.faults.inject('artist', { delayMs: 5 * SECOND })
    const begun = bench.clock.now()
    const answers = await bench.askAll(range(0, 1_000).map(() => artist(5)))
    const waited = bench.clock.now() - begun
    expect([codesOf(answers), waited]).toEqual([[], 0])
    expect(new Set(answers.map(({ credits }) => credits.stale?.[0]?.reason))).toEqual(
      new Set(['REVALIDATING']),
    )
    await until(() => bench.meter.requests.length === 2)
    await bench.clock.pass(5 * SECOND)
    await until(() => bench.gate.running === 0)
    expect(bench.balances() - before).toBe(1)
    expect((await bench.ask(artist(5))).credits.stale).toBeUndefined()
    figure(`C5: 1,000 reads, ${waited} ms of waiting, 1 credit`)
  })

  test('C6: each waits as long as it may, for one answer', async () => {
    const { clock, book, call } = openClient(async ({ credits, endpoint }, { ledger }) => {
      await ledger.charge(credits, endpoint)
      await clock.sleep(4 * SECOND)
      return { status: 200, headers: {}, text: '{"obj":{"id":5,"name":"Ada"}}' }
    })
    const asked = [1, 5, 10].map((patience) => call(5, patience * SECOND))
    const settled = Promise.allSettled(asked)
    await clock.pass(SECOND)
    await expect(asked[0]).rejects.toMatchObject({ code: 'TIMEOUT' })
    await clock.pass(3 * SECOND)
    expect((await settled).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(book.spent).toBe(1)
    figure('C6: 1 s: TIMEOUT, 5 s and 10 s: ok, 1 credit')
  })

  test('C6: an operation ends at its deadline, and what it paid for is there for the next', async () => {
    const bench = await openBench({ env: { OPERATION_TIMEOUT_MS: '3000' } })
    await bench.warm()
    const back = bench.faults.inject('artist', { delayMs: 5 * SECOND })
    const begun = bench.clock.now()
    const asked = bench.ask(artist(5))
    await until(() => bench.meter.requests.length > 0)
    back()
    expect(codesOf([await bench.passing(asked)])).toEqual(['TIMEOUT'])
    expect(bench.clock.now() - begun).toBeLessThanOrEqual(3_250)
    await bench.clock.pass(5 * SECOND)
    await until(() => bench.gate.running === 0)
    const { errors, credits } = await bench.ask(artist(5))
    expect([errors, credits.spent, bench.balances()]).toEqual([[], 0, 1])
  })

  test('C7: guesses at ids push out nothing', async () => {
    const { call, shelf, upstream } = openClient(
      async ({ path, credits, endpoint }, { ledger }) => {
        await ledger.charge(credits, endpoint)
        const id = Number(path.split('/').at(-1))
        const text = JSON.stringify({ obj: { id, name: `Of ${id}` } })
        return id <= 1_000
          ? { status: 200, headers: {}, text }
          : { status: 404, headers: {}, text: '' }
      },
    )
    for (const id of range(2, 999)) await call(id)
    let most = 0
    for (let guess = 0; guess < GUESSES; guess += 100) {
      await Promise.all(range(1_000_000 + guess, 100).map((id) => call(id)))
      most = Math.max(most, shelf.bytes)
    }
    const held = range(2, 999).filter(
      (cmId) => upstream.momentOf(request(endpoints.artist, { cmId }).key) !== undefined,
    ).length
    expect(held).toBeGreaterThanOrEqual(900)
    expect(most).toBeLessThanOrEqual(8 * MB)
    figure(`C7: ${GUESSES} guesses: ${held} of 999 stay, ${(most / MB).toFixed(1)} of 8 MB at most`)
  }, 120_000)

  test('C8: a token that is renewed between two who ask does not part them', async () => {
    const bench = await openBench({ sandbox: { tokenLifetime: 60 } })
    await bench.warm()
    await bench.clock.pass(42 * SECOND)
    bench.faults.inject('artist', { delayMs: 6 * SECOND })
    const first = bench.askAll(range(0, 50).map(() => artist(5)))
    await until(() => bench.meter.requests.length > 0)
    await bench.clock.pass(4 * SECOND)
    await until(() => bench.gateway.transport.token.state === 'VALID')
    expect(bench.meter.tokenCalls).toBe(2)
    const others = bench.askAll(range(0, 50).map(() => artist(5)))
    const answers = await bench.passing(Promise.all([first, others]))
    expect(codesOf(answers.flat())).toEqual([])
    expect([bench.meter.requests.length, bench.balances()]).toEqual([1, 1])
    figure('C8: 100 equal reads over two tokens, 1 credit')
  })

  test('C8: a token that is revoked under a hundred who wait is one repeat', async () => {
    const bench = await openBench({ sandbox: { latencyMs: 500 } })
    await bench.passing(bench.warm())
    const asked = bench.askAll(range(0, 100).map(() => artist(5)))
    await until(() => bench.meter.requests.length > 0)
    bench.sandbox.revokeAccessTokens()
    expect(codesOf(await bench.passing(asked))).toEqual([])
    expect(bench.meter.requests.map(({ status }) => status)).toEqual([401, 200])
    expect([bench.meter.tokenCalls, bench.balances()]).toEqual([2, 1])
  })

  test('what is repeated once its starter has gone is paid, and told, by one who still waits', async () => {
    const bench = await openBench({ env: { UPSTREAM_CONCURRENCY: '1' } })
    await bench.warm()
    bench.faults.inject('track', { delayMs: 5 * SECOND })
    bench.faults.inject('artist', { times: 1, status: 500, delayMs: 6 * SECOND })
    const ahead = bench.ask('{ track(cmId: 5) { name } }')
    const starter = bench.ask(artist(5))
    await until(() => bench.gate.waiting === 1)
    await bench.passing(bench.clock.sleep(4 * SECOND))
    const joiner = bench.ask(artist(5))
    const [first, early, late] = await bench.passing(Promise.all([ahead, starter, joiner]))
    expect(codesOf([first, early, late])).toEqual(['TIMEOUT'])
    expect(late.data.artist.name).toBeTruthy()
    expect([first, early, late].map(({ credits }) => credits.spent)).toEqual([1, 1, 1])
    expect(late.credits.saved).toBe(0)
    expect(bench.balances()).toBe(3)
  })
})
