import { describe, expect, onTestFinished, test } from 'vitest'
import { createCertificate, trust } from '../support/certificate.ts'
import { figure } from '../support/figure.ts'
import type { Wrong } from '../support/proxy.ts'
import { idleEndsFailNobody, opened } from './idle.ts'

/** How fast time runs for those that wait for an answer in vain. */
const FAST = 20

describe('on the way to the service', () => {
  test.each<[string, Wrong, string | undefined, number, number]>([
    ['a connection that breaks before the answer', { reset: 'answer' }, undefined, 2, 2],
    ['a connection that breaks before the request', { reset: 'request' }, undefined, 2, 1],
    ['an answer cut in its middle', { cut: 0.5 }, undefined, 2, 2],
    ['an answer cut behind its head', { cut: 0 }, undefined, 2, 2],
    ['an answer that is lost', { hole: 'answer' }, 'TIMEOUT', 1, 1],
    ['a request that is lost', { hole: 'request' }, 'TIMEOUT', 1, 0],
    ['an answer in drops', { drip: { bytes: 200, everyMs: 1 } }, undefined, 1, 1],
    ['an answer that is late', { delayMs: 50 }, undefined, 1, 1],
    ['an answer that is too late', { delayMs: 30_000 }, 'TIMEOUT', 1, 1],
    ['a connection that ends behind its answer', { ends: true }, undefined, 1, 1],
  ])('%s (%j) ends in %s, for %i credits where the service metered %i', async (...row) => {
    const [, wrong, code, spent, metered] = row
    const { sandbox, proxy, artist, run, spent: told } = await opened()
    await artist(4)
    const before = proxy.exchanges
    proxy.play((exchange) => (exchange === before + 1 ? wrong : undefined))
    run(code === 'TIMEOUT' ? FAST : 1)
    const { data, errors } = await artist(5)
    run(1)
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(code ? [code] : [])
    expect(data.artist?.cmId).toBe(code ? undefined : 5)
    expect([told() - 1, sandbox.meter.credits - 1]).toEqual([spent, metered])
    expect((await artist(6)).data.artist.cmId).toBe(6)
  })

  test('a connection refused costs nothing, and is made as soon as it is taken again', async () => {
    const { proxy, artist, spent } = await opened()
    proxy.play(() => ({ ends: true }))
    await artist(4)
    await proxy.refuse()
    const { errors } = await artist(5)
    expect(errors[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE')
    expect(spent()).toBe(1)
    await proxy.accept()
    expect((await artist(5)).data.artist.cmId).toBe(5)
    expect(spent()).toBe(2)
  })

  test('N15: an answer that nobody asked for is nobody’s, also where others wait for the connection', async () => {
    const { proxy, artist, spent } = await opened({ UPSTREAM_CONCURRENCY: '1' })
    const body = JSON.stringify({ obj: { id: 666, name: 'Nobody' } })
    const extra = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    await artist(4)
    proxy.play(() => ({ extra }))
    const answers = await Promise.all([5, 6, 7, 8].map(artist))
    proxy.play()
    // One that is counted as the answer to the next question is refused by the number in it.
    const refused = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))
    expect(refused.filter((code) => code !== 'UPSTREAM_BAD_RESPONSE')).toEqual([])
    expect(answers.filter(({ data }) => data.artist?.name === 'Nobody')).toEqual([])
    expect(spent()).toBeLessThanOrEqual(9)
    figure(
      `N15: an unsolicited answer behind each of 4: ${refused.length} refused, ${spent() - 5} extra credits, none kept`,
    )
  })

  test(
    'N14: connections that end while idle fail no client',
    () => idleEndsFailNobody(1_000),
    60_000,
  )
})

describe('a certificate', () => {
  const DAY = 86_400_000
  const good = createCertificate()
  const expired = createCertificate({ until: new Date(Date.now() - DAY / 2) })
  const elsewhere = createCertificate({ host: 'elsewhere.example' })

  const trustAll = () => onTestFinished(trust([good, expired, elsewhere]))

  test('that is good is taken', async () => {
    trustAll()
    const { artist } = await opened({}, { tls: good })
    expect((await artist(5)).data.artist.cmId).toBe(5)
  })

  test.each([
    ['has expired', expired, true, /CERT_HAS_EXPIRED/],
    ['is of another host', elsewhere, true, /ERR_TLS_CERT_ALTNAME_INVALID/],
    ['vouches only for itself', good, false, /SELF_SIGNED/],
  ])('that %s is refused for nothing, and nothing is said to it', async (_, pair, trusted, why) => {
    if (trusted) trustAll()
    const soon = { OPERATION_TIMEOUT_MS: '1000' }
    const { artist, proxy, spent, sandbox, gateway } = await opened(soon, { tls: pair })
    const { errors } = await artist(5)
    expect(errors[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE')
    const { problem } = gateway.transport.token
    expect(problem).toMatch(/^No access token: the upstream has no valid certificate \(/)
    expect(problem).toMatch(why)
    expect([spent(), sandbox.meter.tokenCalls, proxy.exchanges]).toEqual([0, 0, 0])
  })
})
