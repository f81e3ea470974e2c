import dns from 'node:dns'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'
import { sending } from '../../src/upstream/transport/step.ts'
import { createCertificate, trust } from '../support/certificate.ts'
import { figure } from '../support/figure.ts'
import type { Wrong } from '../support/proxy.ts'
import { artist, codesOf, openBench, range, SECOND, until } from './bench.ts'

type Bench = Awaited<ReturnType<typeof openBench>>

const NAME = 'service.test'
const HELD = range(2, 5)
const ONE_CONNECTION = { env: { UPSTREAM_CONCURRENCY: '1' } }

/** A name server that knows one name; what is returned changes where that leads, undefined: nowhere. */
const nameService = () => {
  let address: string | undefined = '127.0.0.1'
  const lost = Object.assign(new Error(`getaddrinfo ENOTFOUND ${NAME}`), { code: 'ENOTFOUND' })
  const { lookup } = dns
  const find = (...given: readonly [string, dns.LookupOptions, (...found: unknown[]) => void]) => {
    const [name, { all }, done] = given
    if (name !== NAME) return Reflect.apply(lookup, dns, given)
    const found = all ? [[{ address, family: 4 }]] : [address, 4]
    process.nextTick(done, ...(address === undefined ? [lost] : [null, ...found]))
  }
  vi.spyOn(dns, 'lookup').mockImplementation(find as never)
  onTestFinished(() => void vi.restoreAllMocks())
  return (next: string | undefined) => {
    address = next
  }
}

/** Takes no connection at this address, and refuses none. */
const openBlackHole = async (host: string, port: number) => {
  const stands = `
    const { parentPort, workerData: [host, port] } = require('node:worker_threads')
    require('node:net').createServer().listen({ host, port, backlog: 1 }, () => {
      parentPort.postMessage('full')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const worker = new Worker(stands, { eval: true, workerData: [host, port] })
  await new Promise((resolve) => worker.once('message', resolve))
  const fillers = range(0, 4).map(() => connect(port, host).on('error', () => undefined))
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy()
    await worker.terminate()
  })
  await Promise.any(
    fillers.map((filler) => new Promise((resolve) => filler.once('connect', resolve))),
  )
}

/** Half a minute in which the service cannot be reached, and the first questions after it. */
const outage = async (
  row: string,
  bench: Bench,
  begin: () => unknown,
  end: () => unknown,
  pace: readonly [number, number] = [50, 1],
) => {
  await bench.grow(HELD)
  const before = bench.balances()
  await begin()
  await bench.clock.pass(SECOND)
  let stale = 0
  let opened = false
  const codes = new Set<unknown>()
  for (let second = 0; second < 30; second += 5) {
    const asked = bench.askAll([...HELD, ...range(100 + second, 5)].map(artist))
    const answers = await bench.passing(asked, ...pace)
    stale += answers.filter(({ credits }) => credits.stale !== undefined).length
    for (const code of codesOf(answers)) codes.add(code)
    opened ||= bench.breaker.connectionsOpen
    await bench.clock.pass(5 * SECOND)
  }
  expect([...codes]).toEqual(['UPSTREAM_UNAVAILABLE'])
  expect(stale).toBe(6 * HELD.length)
  expect(opened).toBe(true)
  expect(bench.balances() - before).toBe(0)
  await end()
  const ended = bench.clock.now()
  while ((await bench.passing(bench.ask(artist(900)))).errors.length > 0)
    await bench.clock.pass(SECOND)
  const recovery = bench.clock.now() - ended
  bench.balances()
  figure(`${row}: 0 credits, ${stale} of ${stale} held ones given, well ${recovery} ms after it`)
}

describe('faults of the network, one process', () => {
  test('N1: connections refused for half a minute cost nothing', async () => {
    const bench = await openBench()
    await outage('N1', bench, bench.proxy.refuse, bench.proxy.accept)
  })

  test('N2: a name that leads nowhere costs nothing', async () => {
    const leadTo = nameService()
    const bench = await openBench({ host: NAME })
    const begin = () => {
      leadTo(undefined)
      bench.proxy.hangUp()
    }
    await outage('N2', bench, begin, () => leadTo('127.0.0.1'))
  })

  test('N3: an address that swallows connections costs nothing', async () => {
    const leadTo = nameService()
    const bench = await openBench({ host: NAME })
    const begin = async () => {
      await openBlackHole('127.0.0.2', Number(new URL(bench.proxy.url).port))
      leadTo('127.0.0.2')
      bench.proxy.hangUp()
    }
    // A connection is given up by a timer of the socket, so that no time may go by faster than it does.
    await outage('N3', bench, begin, () => leadTo('127.0.0.1'), [10, 10])
  }, 60_000)

  test.each<[string, Wrong, number]>([
    ['the service has answered', { reset: 'answer' }, 2],
    ['the service has it', { reset: 'request' }, 1],
  ])(
    'N4: a connection that breaks once, when %s, is one credit more',
    async (_, wrong, metered) => {
      const bench = await openBench()
      await bench.warm()
      const first = bench.proxy.exchanges + 1
      bench.proxy.play((exchange) => (exchange === first ? wrong : undefined))
      const { errors } = await bench.passing(bench.ask(artist(5)))
      expect(errors).toEqual([])
      expect([bench.spent(), bench.meter.credits]).toEqual([2, metered])
      figure(`N4: ${JSON.stringify(wrong)}: ok for ${bench.spent()} credits, ${metered} metered`)
    },
  )

  test.each([
    ['once', 1, [], 2],
    ['always', 9, ['UPSTREAM_UNAVAILABLE'], 2],
  ])('N5: a body cut at 40 %%, %s', async (name, times, codes, credits) => {
    const bench = await openBench()
    await bench.warm()
    const first = bench.proxy.exchanges + 1
    bench.proxy.play((exchange) => (exchange < first + times ? { cut: 0.4 } : undefined))
    const answer = await bench.passing(bench.ask(artist(5)))
    expect(codesOf([answer])).toEqual(codes)
    expect(bench.balances()).toBe(credits)
    figure(`N5: cut ${name}: ${codes[0] ?? 'ok'} for ${bench.spent()} credits`)
  })

  test('N5: a body that is shorter than where it is cut is whole, for its one credit', async () => {
    const bench = await openBench(ONE_CONNECTION)
    await bench.warm()
    const { exchanges, connections } = bench.proxy
    bench.proxy.play((exchange) => (exchange === exchanges + 1 ? { cut: 1 } : undefined))
    expect(codesOf([await bench.ask(artist(5))])).toEqual([])
    // The gateway has heard that its connection is gone.
    await until(() => bench.proxy.open === 0)
    expect(codesOf([await bench.ask(artist(6))])).toEqual([])
    expect(bench.proxy.connections).toBe(connections + 1)
    expect(bench.balances()).toBe(2)
    figure('N5: hung up behind the whole body, heard of before the next request: 0 extra credits')
  })

  test('N5: and where the next request meets that hang-up, it is repeated once on another connection', async () => {
    const bench = await openBench(ONE_CONNECTION)
    await bench.warm()
    expect(codesOf([await bench.ask(artist(5))])).toEqual([])
    const { exchanges, connections } = bench.proxy
    bench.proxy.play((exchange) => (exchange === exchanges + 1 ? { reset: 'request' } : undefined))
    expect(codesOf([await bench.passing(bench.ask(artist(6)))])).toEqual([])
    expect(bench.proxy.connections).toBe(connections + 1)
    expect([bench.spent(), bench.meter.credits]).toEqual([3, 2])
    figure('N5: hung up behind the whole body, as the next request was written: 1 extra credit')
  })

  test.each([
    ['headers that never come', { stall: 'head' }],
    ['a body of a byte a second', { drip: { bytes: 1, everyMs: SECOND } }],
  ] as const)('N6: %s end the attempt within 8 s, without another', async (name, fault) => {
    const bench = await openBench()
    await bench.warm()
    bench.faults.inject('artist', fault)
    const begun = bench.clock.now()
    const answer = await bench.passing(bench.ask(artist(5)))
    const took = bench.clock.now() - begun
    expect(codesOf([answer])).toEqual(['TIMEOUT'])
    expect(took).toBeLessThanOrEqual(8 * SECOND)
    expect(bench.meter.requests).toHaveLength(1)
    expect(bench.balances()).toBe(1)
    figure(`N6: ${name}: ended after ${took} ms, 1 credit`)
  })

  test('N6: who joined an attempt that ends so does not pay for another', async () => {
    const bench = await openBench()
    await bench.warm()
    bench.faults.inject('artist', { stall: 'head' })
    const first = bench.ask(artist(5))
    await until(() => bench.meter.requests.length > 0)
    await bench.clock.pass(5 * SECOND)
    const answers = await bench.passing(Promise.all([first, bench.ask(artist(5))]))
    expect(codesOf(answers)).toEqual(['TIMEOUT', 'TIMEOUT'])
    expect(bench.balances()).toBe(1)
    figure('N6: two who waited for it, 1 credit')
  })

  test('N7: a 500 is one credit more', async () => {
    const bench = await openBench()
    await bench.warm()
    bench.faults.inject('artist', { status: 500, times: 1 })
    const { errors } = await bench.passing(bench.ask(artist(5)))
    expect(errors).toEqual([])
    expect(bench.balances()).toBe(2)
    figure('N7: once: 1 credit more')
  })

  test('N7: five minutes of 500 at fifty misses a second cost no more than 70 credits', async () => {
    const bench = await openBench({ sandbox: { latencyMs: 100 } })
    await bench.passing(bench.warm())
    const back = bench.faults.inject('artist', { status: 500 })
    const ledger = createLedger({ book: bench.gateway.upstream.book })
    let refused = 0
    const miss = (cmId: number) =>
      sending(bench.gateway.transport.step)(
        { method: 'GET', path: `/api/artist/${cmId}`, credits: 1, endpoint: 'artist' },
        { ledger, deadline: bench.clock.now() + 10 * SECOND },
      ).catch(() => {
        refused += 1
      })
    const all: Promise<unknown>[] = []
    for (let cmId = 2; cmId < 15_002; cmId += 5) {
      all.push(...range(cmId, 5).map(miss))
      await bench.clock.pass(100)
    }
    await bench.passing(Promise.all(all))
    const paid = bench.balances()
    expect(paid).toBeLessThanOrEqual(70)
    back()
    const ended = bench.clock.now()
    while ((await bench.passing(bench.ask(artist(5)))).errors.length > 0)
      await bench.clock.pass(SECOND)
    const recovery = (bench.clock.now() - ended) / SECOND
    expect(recovery).toBeLessThanOrEqual(240)
    figure(
      `N7: 15,000 misses in 5 min: ${paid} credits, ${refused} refused, well ${recovery} s after`,
    )
  }, 60_000)

  test.each([
    ['has expired', { until: new Date(Date.now() - 60_000) }],
    ['is of another host', { host: 'elsewhere.example' }],
  ])('N13: a certificate that %s is refused once, and the old answer given', async (name, how) => {
    const good = createCertificate()
    const wrong = createCertificate(how)
    onTestFinished(trust([good, wrong]))
    const bench = await openBench({ tls: good })
    await bench.grow(HELD)
    const before = bench.balances()
    bench.proxy.present(wrong)
    bench.proxy.hangUp()
    await bench.clock.pass(SECOND)
    const asked = bench.proxy.exchanges
    const old = await bench.ask(artist(2))
    expect([codesOf([old]), old.credits.stale?.[0]?.reason]).toEqual([[], 'UPSTREAM_UNAVAILABLE'])
    const { errors } = await bench.ask(artist(500))
    expect(errors[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE')
    expect(errors[0]?.message).toContain('no valid certificate')
    expect(bench.proxy.exchanges).toBe(asked)
    expect(bench.balances()).toBe(before)
    bench.proxy.present(good)
    expect(codesOf([await bench.ask(artist(500))])).toEqual([])
    bench.balances()
    figure(`N13: ${name}: 0 credits, nothing said to it, the old answer given`)
  })
})
