import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { pipelined } from '../support/pipelined.ts'
import { openScript } from '../support/script.ts'
import { serve } from '../support/server.ts'
import { range } from './bench.ts'

/** Milliseconds: a busy machine may take its time. */
const PATIENCE = 60_000
const HELD = '{ artist(cmId: 5) { name } }'
const cold = (cmId: number) => `{ artist(cmId: ${cmId}) { name } }`

/** A service that answers nothing but of one artist until it is let, and a gateway that asks it one thing at a time. */
const open = async () => {
  let goOn = () => {}
  const going = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const upstream = await openScript(async ({ path }) => {
    const id = Number(path.split('/').at(-1))
    if (id !== 5) await going
    return { body: { obj: { id, name: `Ada ${id}` } } }
  })
  const env = {
    UPSTREAM_CONCURRENCY: '1',
    CREDITS_PER_DAY: '100',
    OPERATION_TIMEOUT_MS: '600000',
  }
  const { gateway, query } = openGateway(upstream.url, env)
  const { server, address } = await serve(gateway)
  onTestFinished(async () => {
    goOn()
    await gateway.close()
    await upstream.close()
  })
  expect((await query(HELD)).errors).toEqual([])
  const operations = (count: number) =>
    vi.waitFor(() => expect(gateway.load.operations).toBe(count), PATIENCE)
  return { gateway, query, server, address, upstream, operations, goOn }
}

/** Asks all of it on one connection, without waiting for an answer. */
const send = (address: string, texts: readonly string[]): Socket => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.on('error', () => undefined)
  // In one go, since no more is read where much waits already.
  socket.write(pipelined(texts))
  return socket
}

test('what was sent in one go is answered in its order, whatever is ready first', async () => {
  const { address, operations, goOn } = await open()
  const socket = send(address, [cold(8), HELD, cold(9), HELD])
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk
  })
  await operations(4)
  expect(got).toBe('')
  goOn()
  const names = () => [...got.matchAll(/Ada \d/g)].map(([name]) => name)
  await vi.waitFor(() => expect(names()).toEqual(['Ada 8', 'Ada 5', 'Ada 9', 'Ada 5']), PATIENCE)
  await operations(0)
  socket.destroy()
}, 120_000)

test('S6: answers that wait for one before them are let go with the client, ready or not', async () => {
  const { server, address, operations } = await open()
  const socket = send(address, [cold(8), ...Array(10).fill(HELD), cold(9)])
  await operations(12)
  await vi.waitFor(() => expect(server.waiting).toBeGreaterThan(10 * HELD.length), PATIENCE)
  socket.destroy()
  await operations(0)
  expect(server.waiting).toBe(0)
}, 120_000)

test('S6: what a client asked in one go and did not wait for costs what had left', async () => {
  const { gateway, query, address, upstream, operations, goOn } = await open()
  const socket = send(address, range(11, 10).map(cold))
  await vi.waitFor(() => {
    const { running, waiting } = gateway.transport.gate
    expect([running, waiting]).toEqual([1, 9])
  }, PATIENCE)
  socket.destroy()
  await operations(0)
  goOn()
  await vi.waitFor(() => expect(gateway.transport.gate.running).toBe(0), PATIENCE)
  const { data } = await query('{ credits { spent budgets { remaining } } }')
  expect(data).toEqual({ credits: { spent: 2, budgets: [{ remaining: 98 }] } })
  expect(upstream.requests).toHaveLength(2)
}, 120_000)
