import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createAdminServer } from '../../src/server/admin.ts'
import { openGateway } from '../support/gateway.ts'
import { run } from '../support/run.ts'
import { openScript } from '../support/script.ts'
import { serve } from '../support/server.ts'

const ARTIST = '{ artist(cmId: 5) { name } }'

/** The probes of both ports of a gateway. */
const probes = async (gateway: Parameters<typeof serve>[0]) => {
  const { server, address } = await serve(gateway)
  const settings = { port: 0, host: '127.0.0.1', isDraining: () => server.isDraining }
  const admin = createAdminServer(gateway, settings)
  const operator = await admin.listen()
  onTestFinished(() => admin.close())
  const get = async (path: string) => {
    const answer = await fetch(`${operator}${path}`)
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const publicly = async () => {
    const answer = await fetch(`${address}/readyz`)
    return [answer.status, await answer.text()]
  }
  return { server, get, publicly, address, operator }
}

test('it is ready once it has a token, and tells the operator how it stands', async () => {
  const { gateway, query } = await run({ env: { CREDITS_PER_DAY: '100' } })
  const { get, publicly, server, operator } = await probes(gateway)
  expect((await get('/livez')).status).toBe(200)
  expect(await get('/readyz')).toMatchObject({ status: 503, body: { token: 'EMPTY' } })
  expect(await publicly()).toEqual([503, ''])
  await query(ARTIST)
  expect(await get('/readyz')).toEqual({
    status: 200,
    body: {
      ready: true,
      draining: false,
      token: 'VALID',
      problem: null,
      load: 'calm',
      operations: 0,
      clientsUnderStrain: [],
      strangers: 0,
      pausedUntil: null,
      leftAlone: [],
      requests: { running: 0, waiting: 0 },
      cacheBytes: expect.any(Number),
      disk: null,
      redis: null,
      budgets: [{ period: 'DAY', limit: 100, remaining: 99, isWritten: true }],
    },
  })
  expect(await publicly()).toEqual([200, ''])
  server.drain()
  expect(await get('/readyz')).toMatchObject({
    status: 503,
    body: { ready: false, draining: true },
  })
  expect((await get('/livez')).status).toBe(200)
  const nothing = await fetch(`${operator}/graphql`)
  expect([nothing.status, await nothing.text()]).toEqual([
    404,
    'Nothing is here: there are /livez, /readyz, /credits and /metrics\n',
  ])
})

test('a service that is down, and a pause that it asked for, leave it ready', async () => {
  const { gateway, query, sandbox } = await run()
  const { get, publicly } = await probes(gateway)
  await query(ARTIST)
  sandbox.faults.inject('*', { status: 429, headers: { 'x-ratelimit-reset': '60' } })
  await query('{ artist(cmId: 6) { name } }')
  const { status, body } = await get('/readyz')
  expect(status).toBe(200)
  expect(Date.parse(body.pausedUntil)).toBeGreaterThan(Date.now())
  await sandbox.close()
  expect(await publicly()).toEqual([200, ''])
})

test('with its token refused it is ready only where something is held, on disk too', async () => {
  const refusing = await openScript(
    () => ({ status: 401 }),
    () => ({ status: 401 }),
  )
  onTestFinished(() => refusing.close())
  const env = { STATE_DIR: await mkdtemp(join(tmpdir(), 'refrain-admin-')) }
  const poor = openGateway(refusing.url, env)
  const probe = await probes(poor.gateway)
  await poor.query(ARTIST)
  const { status, body } = await probe.get('/readyz')
  expect([status, body.token]).toEqual([503, 'REJECTED'])
  expect(body.problem).toMatch(/refresh token is refused/)
  await poor.gateway.close()

  const rich = await run({ env, clock: systemClock })
  await rich.query(ARTIST)
  await rich.close()
  const later = openGateway(refusing.url, env)
  onTestFinished(() => later.gateway.close())
  const { get, publicly } = await probes(later.gateway)
  expect(await get('/readyz')).toMatchObject({ status: 200, body: { ready: true } })
  expect(await publicly()).toEqual([200, ''])
})

test("Yoga's own health page is not there", async () => {
  const { gateway } = await run()
  const { address } = await probes(gateway)
  for (const path of ['/health', '/ready', '/graphql/health'])
    expect((await fetch(`${address}${path}`)).status).toBe(404)
})
