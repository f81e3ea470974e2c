import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'
import { createDice } from '../../src/sandbox/world/dice.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { request } from '../../src/upstream/request.ts'
import { createServed } from '../../src/upstream/served.ts'
import { figure } from '../support/figure.ts'
import { openRun, run } from '../support/run.ts'
import { openServer, serve } from '../support/server.ts'
import { range } from './bench.ts'

const SECOND = 1_000
/** Seconds. */
const LATE = 8
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

/** An operation that asks for nothing. */
const nobody = {
  ledger: createLedger(),
  served: createServed(),
  directives: {},
  since: 0,
  deadline: 0,
}

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

test('S4: a thousand slow heads and a thousand slow bodies are closed, and all others are answered', async () => {
  const { gateway } = await run()
  const { address } = await serve(gateway)
  // Whoever asks while others are slow has its connection before they take all that are left.
  await ask(address, 5)
  const body = bodyOf(5)
  const head = headOf(body)
  const open = (from: number) =>
    Promise.all(Array.from({ length: 1000 }, () => drip(address, head + body, from)))
  let areOpen = true
  const slow = Promise.all([open(9), open(head.length + 1)]).finally(() => {
    areOpen = false
  })
  let answered = 0
  while (areOpen) {
    // What is held, and what has to be sent for.
    for (const cmId of [5, 100 + answered])
      expect(await ask(address, cmId)).toEqual(expect.any(String))
    answered += 2
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const [heads = [], bodies = []] = await slow
  const most = (closed: typeof heads, what: 'seconds' | 'bytes') =>
    Math.max(...closed.map((one) => one[what]))
  // A byte a second: 10 s and 30 s, a second until that is looked at, and some until a busy machine hears of it.
  expect([heads.length, bodies.length]).toEqual([1000, 1000])
  expect(most(heads, 'bytes')).toBeLessThanOrEqual(11 + LATE)
  expect(most(bodies, 'bytes')).toBeLessThanOrEqual(31 + LATE)
  // All others were answered all the time that these were open, each in its turn; how fast is `npm run bench:readers`.
  expect(answered).toBeGreaterThan(60)
  figure(
    'S4',
    `slow heads closed within ${most(heads, 'seconds').toFixed(1)} s, slow bodies within ${most(bodies, 'seconds').toFixed(1)} s; ${answered} of ${answered} others answered meanwhile`,
  )
}, 120_000)

test.each(['application/json', 'application/json; charset=latin1'])(
  'S4: more slow bodies (%s) than operations are answered at once take nobody’s place',
  async (type) => {
    const { gateway } = await run()
    const { address } = await serve(gateway)
    const text = headOf(bodyOf(5)).replace('application/json', type) + bodyOf(5)
    const slow: Socket[] = []
    for (let opened = 0; opened < 600; opened += 1) {
      const socket = dial(address)
      await once(socket, 'connect')
      socket.write(text.slice(0, -1))
      slow.push(socket)
    }
    expect(await ask(address, 6)).toEqual(expect.any(String))
    expect(gateway.load.operations).toBe(0)
    const [last] = slow.splice(-1)
    last?.write(text.slice(-1))
    const [answer] = last === undefined ? [] : await once(last, 'data')
    expect(String(answer)).toContain('HTTP/1.1 200 OK')
    for (const socket of slow) socket.destroy()
  },
)

test('S6: ten thousand clients who connect and leave at any point leave nothing behind', async () => {
  const none = sockets()
  const { gateway, meter, close } = await openRun({ sandbox: { latencyMs: 5 } })
  const { server, address, close: closeServer } = await openServer(gateway)
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const dice = createDice(seed)
  await ask(address, 2)

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

  const isOnItsWay = (cmId: number) =>
    gateway.upstream.state(request(endpoints.artist, { cmId }), nobody) === 'pending'
  await vi.waitFor(() => {
    const { running, waiting } = gateway.transport.gate
    expect([gateway.load.operations, running, waiting, server.waiting]).toEqual([0, 0, 0, 0])
    expect(range(2, 199).filter(isOnItsWay)).toEqual([])
  }, 30_000)
  expect(await ask(address, 2)).toEqual(expect.any(String))
  await closeServer()
  await close()
  await vi.waitFor(() => expect(sockets()).toBeLessThanOrEqual(none), 30_000)
  // Whatever was asked for twice was bought once.
  const paths = meter.requests.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  figure(
    'S6',
    `10,000 clients, seed ${seed}: 0 operations, 0 flights, ${sockets() - none} sockets left; ${meter.credits} credits for ${paths.length} artists`,
  )
}, 120_000)
