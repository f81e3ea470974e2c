import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Gateway } from '../../src/gateway.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { pipelined } from '../support/pipelined.ts'
import { openScript } from '../support/script.ts'
import { serve } from '../support/server.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const MB = 1024 * 1024
const KB = 1024
const SECOND = 1_000
const LARGE = '{ artist(cmId: 5) { premium { wherePeopleListen } } }'
const NEVER = '{ artist(cmId: 6) { name } }'
const SMALL = '{ artist(cmId: 5) { name } }'

/** A gateway that holds an answer of 5 MB and one of a few bytes, behind its HTTP face. */
const open = async () => {
  const clock = createFakeClock(Date.now())
  const large = 'x'.repeat(5 * MB)
  let end = (_said: { status: number }) => {}
  const never = new Promise<{ status: number }>((resolve) => {
    end = resolve
  })
  const upstream = await openScript(({ path }) => {
    if (path.endsWith('/6')) return never
    return {
      body: { obj: path.endsWith('/where-people-listen') ? { large } : { id: 5, name: 'Ada' } },
    }
  })
  const { gateway, query } = openGateway(upstream.url, {}, { clock })
  const { server, address } = await serve(gateway)
  onTestFinished(async () => {
    end({ status: 404 })
    await gateway.close()
    await upstream.close()
  })
  for (const text of [LARGE, SMALL]) expect((await query(text)).errors).toEqual([])
  return { clock, gateway, server, address, upstream }
}

/** One who asks, once or more without waiting for an answer, and reads only when told. */
const askAndSleep = async (address: string, ...queries: string[]): Promise<Socket> => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(pipelined(queries))
  return socket
}

const ask = (address: string) =>
  fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: SMALL }),
  })

/** As many are asked for as were asked: who is answered late would be late to be given up. */
const begun = (gateway: Gateway, count: number) =>
  vi.waitFor(() => expect(gateway.load.entered).toBe(count), { timeout: 60_000, interval: 5 })

const answers = async (address: string) => {
  expect((await (await ask(address)).json()).data).toEqual({ artist: { name: 'Ada' } })
}

test('S8: a hundred readers of 5 MB each, at a kilobyte a second, hold 128 MB at most, and are gone in a minute', async () => {
  const { clock, gateway, server, address } = await open()
  const sockets: Socket[] = []
  let most = 0
  const before = gateway.load.entered
  for (let turn = 0; turn < 100; turn += 1) {
    sockets.push(await askAndSleep(address, LARGE))
    await begun(gateway, before + 2 * turn + 1)
    await answers(address)
    most = Math.max(most, server.waiting)
  }
  // Those who read nothing are many, and what is kept for them is not: 500 MB were asked for.
  expect(most).toBeGreaterThan(64 * MB)
  expect(most).toBeLessThanOrEqual(128 * MB)
  for (let second = 0; second < 60; second += 1) {
    for (const socket of sockets) socket.read(KB)
    await answers(address)
    most = Math.max(most, server.waiting)
    await clock.pass(SECOND)
  }
  expect(most).toBeLessThanOrEqual(128 * MB)
  expect(server.waiting).toBe(0)
  // A socket that was destroyed tells its reader once that one reads on.
  for (const socket of sockets) socket.resume()
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => !closed)).toEqual([]), 60_000)
  figure(
    'S8',
    `${(most / MB).toFixed(0)} MB waited at most, gone after 60 s; 160 of 160 others answered meanwhile`,
  )
}, 240_000)

test('S8: answers that wait for one before them count, and go with their connection alone', async () => {
  const { server, gateway, address } = await open()
  const greedy = await askAndSleep(address, NEVER, ...Array(24).fill(LARGE))
  await vi.waitFor(() => expect(server.waiting).toBeGreaterThan(115 * MB), 60_000)
  const isGone = vi.fn()
  greedy.once('close', isGone).resume()
  const others: Socket[] = []
  while (isGone.mock.calls.length === 0 && others.length < 60) {
    others.push(await askAndSleep(address, LARGE))
    await answers(address)
  }
  expect(isGone).toHaveBeenCalled()
  await vi.waitFor(() => expect(gateway.load.operations).toBe(others.length), 60_000)
  expect(server.waiting).toBeLessThanOrEqual(128 * MB)
  for (const socket of others) socket.destroy()
  await vi.waitFor(() => expect([gateway.load.operations, server.waiting]).toEqual([0, 0]), 60_000)
}, 120_000)
