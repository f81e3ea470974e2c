import { request } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpServer } from '../../src/server/http.ts'
import { bearer, openClients } from '../support/clients.ts'
import { configOf } from '../support/gateway.ts'

const QUERY = JSON.stringify({ query: '{ __typename }' })

/** A gateway with one client, whose log is read. */
const open = async (trusted: string) => {
  const lines: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  const env = { TRUST_PROXY: trusted, LOG_LEVEL: 'warn' }
  const { gateway, upstream } = await openClients([{ name: 'web' }], { env })
  const { trustProxy } = configOf({ TRUST_PROXY: trusted })
  const settings = { port: 0, host: '127.0.0.1', graphiql: false, sandbox: false, trustProxy }
  const server = createHttpServer(gateway, settings)
  const { hostname, port } = new URL(await server.listen())
  onTestFinished(async () => {
    spy.mockRestore()
    await server.close()
  })
  const post = (headers: Record<string, string | string[]>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const own = { 'content-type': 'application/json', 'content-length': QUERY.length }
      const sent = { host: hostname, port, path: '/graphql', method: 'POST' }
      request({ ...sent, agent: false, headers: { ...headers, ...own } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
        .on('error', reject)
        .end(QUERY)
    })
  return { post, lines, upstream }
}

const PROXY = '127.0.0.1'
const TEN = '127.0.0.1, 10.0.0.0/8'

describe('whose address a request is taken for', () => {
  test.each([
    ['a header is anybody’s invention where no proxy is named', '', '203.0.113.9', PROXY],
    ['and where another is', '10.0.0.0/8', '203.0.113.9', PROXY],
    ['a named proxy says whom it asks for', PROXY, '203.0.113.9', '203.0.113.9'],
    ['what stood there before is not believed', PROXY, '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['two proxies of ours', TEN, '6.6.6.6, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['one of ours behind one that is not', PROXY, '203.0.113.9, 10.1.2.3', '10.1.2.3'],
    ['nobody but proxies of ours', TEN, '10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['a proxy that says nothing', PROXY, '', PROXY],
    ['one that says no address', PROXY, '203.0.113.9, unknown', PROXY],
    ['an address with a port', PROXY, '203.0.113.9:4711', '203.0.113.9'],
    ['one of IPv6 with a port', PROXY, '[2001:db8::1]:4711', '2001:db8::1'],
    ['one of IPv4 written as IPv6', PROXY, '::ffff:203.0.113.9', '203.0.113.9'],
    ['a network of IPv6', `${PROXY},2001:db8::/32`, '203.0.113.9, 2001:db8::5', '203.0.113.9'],
  ])('35: %s', async (_, trusted, forwarded, address) => {
    const { post, lines } = await open(trusted)
    expect(await post({ 'x-forwarded-for': forwarded })).toBe(401)
    expect(lines.map((line) => JSON.parse(line).message)).toEqual([
      `Turned away: 1 request without the key of a client, the last from ${address}`,
    ])
  })

  test('35: a header that comes twice is one list, and none of it goes to the service', async () => {
    const { post, lines, upstream } = await open(TEN)
    await post({ 'x-forwarded-for': ['203.0.113.9', '10.1.2.3'], 'x-forwarded-proto': 'https' })
    expect(lines[0]).toContain('the last from 203.0.113.9"')
    expect(await post({ ...bearer('web'), 'x-forwarded-for': '203.0.113.9' })).toBe(200)
    expect(lines).toHaveLength(1)
    expect(upstream.requests).toEqual([])
  })
})
