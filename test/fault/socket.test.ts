import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createDice } from '../../src/sandbox/world/dice.ts'
import { figure } from '../support/figure.ts'
import { run } from '../support/run.ts'
import { serve } from '../support/server.ts'

const SECOND = 1_000
const bodyOf = (cmId: number) => JSON.stringify({ query: `{ artist(cmId: ${cmId}) { name } }` })
const headOf = (body: string) =>
  `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`

const dial = (address: string): Socket =>
  connect(Number(new URL(address).port), '127.0.0.1')
    .on('error', () => undefined)
    .resume()

/** Resolves when a socket is closed, by whomever and however. */
const closing = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()))

const sockets = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

/** Sends a request a byte a second, from its `from`th byte on; tells when the server was tired of it, and after how many. */
const drip = async (address: string, text: string, from: number) => {
  const socket = dial(address)
  const since = performance.now()
  let sent = from
  socket.write(text.slice(0, from))
  const closed = closing(socket)
  const dripping = setInterval(() => {
    socket.write(text[sent] ?? '')
    sent += 1
  }, SECOND)
  await closed
  clearInterval(dripping)
  return { seconds: (performance.now() - since) / SECOND, bytes: sent - from }
}

const ask = async (address: string, cmId: number) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${address}/graphql`, { method: 'POST', headers, body: bodyOf(cmId) })
  return (await answer.json()).data?.artist?.name
}

const percentile99 = (taken: number[]): number =>
  taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? 0

test('S4: a thousand slow heads and a thousand slow bodies are closed, and all others are answered', async () => {
  const { gateway } = await run()
  const { address } = await serve(gateway)
  const latency = async () => {
    const since = performance.now()
    expect(await ask(address, 5)).toEqual(expect.any(String))
    return performance.now() - since
  }
  const before: number[] = []
  for (let turn = 0; turn < 100; turn += 1) before.push(await latency())
  const body = bodyOf(5)
  const head = headOf(body)
  const open = (from: number) =>
    Promise.all(Array.from({ length: 1000 }, () => drip(address, head + body, from)))
  let areOpen = true
  const slow = Promise.all([open(9), open(head.length + 1)]).finally(() => {
    areOpen = false
  })
  const during: number[] = []
  while (areOpen) {
    during.push(await latency())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const [heads = [], bodies = []] = await slow
  const most = (closed: typeof heads, what: 'seconds' | 'bytes') =>
    Math.max(...closed.map((one) => one[what]))
  // A byte a second: 10 s and 30 s, a second until that is looked at, and one in which it is heard of.
  expect([heads.length, bodies.length]).toEqual([1000, 1000])
  expect(most(heads, 'bytes')).toBeLessThanOrEqual(12)
  expect(most(bodies, 'bytes')).toBeLessThanOrEqual(32)
  // All others were answered all the time that these were open, each in its turn.
  expect(during.length).toBeGreaterThan(30)
  figure(
    'S4',
    `slow heads closed within ${most(heads, 'seconds').toFixed(1)} s, slow bodies within ${most(bodies, 'seconds').toFixed(1)} s; others' p99 ${percentile99(before).toFixed(1)} ms before, ${percentile99(during).toFixed(1)} ms meanwhile, ${during.length} of ${during.length} answered`,
  )
}, 120_000)

test('S6: ten thousand clients who connect and leave at any point leave nothing behind', async () => {
  const { gateway, meter } = await run({ sandbox: { latencyMs: 5 } })
  const { address } = await serve(gateway)
  const seed = Date.now() % 1_000_000
  const dice = createDice(seed)
  await ask(address, 2)
  const before = sockets()

  const leave = async (client: number) => {
    const body = bodyOf(dice.int('artist', client, 2, 200))
    const text = headOf(body) + body
    const socket = dial(address)
    const closed = closing(socket)
    await once(socket, 'connect')
    const part = dice.roll('part', client)
    socket.write(text.slice(0, part < 0.5 ? Math.floor(part * 2 * text.length) : text.length))
    if (dice.chance('wait', client, 0.5))
      await Promise.race([
        closed,
        new Promise((resolve) => setTimeout(resolve, dice.int('ms', client, 0, 20))),
      ])
    if (dice.chance('reset', client, 0.8)) socket.resetAndDestroy()
    else socket.destroy()
    await closed
  }
  for (let client = 0; client < 10_000; client += 100)
    await Promise.all(Array.from({ length: 100 }, (_, at) => leave(client + at)))

  await vi.waitFor(() => {
    const { running, waiting } = gateway.transport.gate
    expect([gateway.load.operations, running, waiting]).toEqual([0, 0, 0])
    expect(sockets()).toBeLessThanOrEqual(before + 2 * 16)
  }, 30_000)
  expect(await ask(address, 2)).toEqual(expect.any(String))
  // Whatever was asked for twice was bought once.
  const paths = meter.requests.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  figure(
    'S6',
    `10,000 clients, seed ${seed}: 0 operations, 0 flights, ${sockets() - before} sockets left; ${meter.credits} credits for ${paths.length} artists`,
  )
}, 120_000)
