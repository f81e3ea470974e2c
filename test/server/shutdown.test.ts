import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createShutdown, DRAIN_MS, onSignals } from '../../src/server/shutdown.ts'
import { openGateway } from '../support/gateway.ts'
import { pipelined } from '../support/pipelined.ts'
import { openScript } from '../support/script.ts'
import { serve } from '../support/server.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const ARTIST = '{ artist(cmId: 5) { name } }'
const SECOND = 1_000

/** A process in all but name: its time and its end are the test's. */
const open = async () => {
  const clock = createFakeClock(Date.now())
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const upstream = await openScript(async () => {
    await released
    return { body: { obj: { id: 5, name: 'Ada' } } }
  })
  const { gateway } = openGateway(upstream.url, {}, { clock })
  const { server, address } = await serve(gateway)
  const exits: number[] = []
  const others = { close: async () => undefined as undefined }
  const shutdown = createShutdown({
    server,
    gateway,
    others: [{ close: () => others.close() }],
    clock,
    exit: (code) => exits.push(code),
  })
  onTestFinished(async () => {
    release()
    await clock.pass(60 * SECOND)
    await gateway.close()
    await upstream.close()
  })
  const ask = () =>
    fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: ARTIST }),
    })
  const asking = async () => {
    const answer = ask()
    await vi.waitFor(() => expect(upstream.requests.length).toBeGreaterThan(0), 15_000)
    return { answer }
  }
  const ready = async () => (await fetch(`${address}/readyz`)).status
  return { clock, release, gateway, server, address, exits, others, shutdown, ask, asking, ready }
}

const nameIn = async (answer: Response) => (await answer.json()).data.artist.name

test('it is not ready at once, and answers for 5 s more, each time the last on its connection', async () => {
  const { shutdown, ready, ask, release, clock, exits, address } = await open()
  release()
  await ask()
  expect(await ready()).toBe(200)
  void shutdown.stop(DRAIN_MS)
  await clock.pass(4.9 * SECOND)
  expect(await ready()).toBe(503)
  expect((await fetch(`${address}/livez`)).status).toBe(200)
  const late = await ask()
  expect(late.headers.get('connection')).toBe('close')
  expect(await nameIn(late)).toBe('Ada')
  expect(exits).toEqual([])
  await clock.pass(0.1 * SECOND)
  await vi.waitFor(() => expect(exits).toEqual([0]), 15_000)
  await expect(ask()).rejects.toThrow('fetch failed')
})

test('what was asked before is answered, and its connection does not hold up the end', async () => {
  const { shutdown, asking, release, clock, exits } = await open()
  const { answer } = await asking()
  void shutdown.stop(DRAIN_MS)
  await clock.pass(7 * SECOND)
  expect(exits).toEqual([])
  release()
  const answered = await answer
  expect(answered.headers.get('connection')).toBe('close')
  expect(await nameIn(answered)).toBe('Ada')
  await vi.waitFor(() => expect(exits).toEqual([0]), 15_000)
})

/** What comes over a connection of its own, and when that ends. */
const send = (address: string, text: string) => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk
  })
  socket.write(text)
  return {
    more: (later: string) => socket.write(later),
    ended: once(socket, 'end'),
    /** Of each answer its status, whether the connection ends with it, and its data. */
    answers: () =>
      got
        .split('HTTP/1.1 ')
        .slice(1)
        .map((answer) => [
          Number(answer.slice(0, 3)),
          /^connection: close/im.test(answer),
          JSON.parse(answer.split('\r\n\r\n')[1] ?? '').data,
        ]),
  }
}
const ADA = { artist: { name: 'Ada' } }
const QUERY = { __typename: 'Query' }

test('what was sent over a connection in one go is answered to its last, and ends with that', async () => {
  const { shutdown, address, gateway, release, clock, exits } = await open()
  const { answers, ended } = send(address, pipelined([ARTIST, '{ __typename }', ARTIST]))
  await vi.waitFor(() => expect(gateway.load.operations).toBe(3), 15_000)
  void shutdown.stop(DRAIN_MS)
  await clock.pass(7 * SECOND)
  expect(answers()).toEqual([])
  release()
  await ended
  expect(answers()).toEqual([
    [200, false, ADA],
    [200, false, QUERY],
    [200, true, ADA],
  ])
  await vi.waitFor(() => expect(exits).toEqual([0]), 15_000)
})

test('what is sent behind it while the process leaves is answered too, as long as no answer told of the end', async () => {
  const { shutdown, address, gateway, release, clock, exits } = await open()
  const { answers, ended, more } = send(address, pipelined([ARTIST]))
  await vi.waitFor(() => expect(gateway.load.operations).toBe(1), 15_000)
  void shutdown.stop(DRAIN_MS)
  more(pipelined(['{ __typename }']))
  await vi.waitFor(() => expect(gateway.load.operations).toBe(2), 15_000)
  release()
  await ended
  expect(answers()).toEqual([
    [200, false, ADA],
    [200, true, QUERY],
  ])
  await clock.pass(5 * SECOND)
  await vi.waitFor(() => expect(exits).toEqual([0]), 15_000)
})

test('an answer that is being read as the last connections are taken is read to its end', async () => {
  const clock = createFakeClock(Date.now())
  const name = 'x'.repeat(12_000_000)
  const upstream = await openScript(() => ({ body: { obj: { id: 5, name } } }))
  const { gateway } = openGateway(upstream.url, {}, { clock })
  const { server, address } = await serve(gateway)
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  const exits: number[] = []
  const { stop } = createShutdown({ server, gateway, clock, exit: (code) => exits.push(code) })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let read = 0
  socket.on('data', (chunk) => {
    read += chunk.length
  })
  socket.pause()
  socket.write(pipelined([ARTIST]))
  await vi.waitFor(() => expect(server.waiting).toBeGreaterThan(0), 60_000)
  void stop(DRAIN_MS)
  await clock.pass(7 * SECOND)
  const closed = once(socket, 'close')
  socket.resume()
  await closed
  expect(read).toBeGreaterThan(name.length)
  await vi.waitFor(() => expect(exits).toEqual([0]), 15_000)
}, 120_000)

test('a request that does not come to its end is cut after 20 s, and the process ends in order', async () => {
  const { shutdown, address, clock, exits } = await open()
  const socket = connect(Number(new URL(address).port), '127.0.0.1').resume()
  const closed = once(socket, 'close')
  socket.write(
    'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  )
  await vi.waitFor(async () => expect((await fetch(`${address}/livez`)).status).toBe(200), 15_000)
  void shutdown.stop(DRAIN_MS)
  await clock.pass(24.9 * SECOND)
  expect([socket.destroyed, exits]).toEqual([false, []])
  await clock.pass(0.1 * SECOND)
  await closed
  await vi.waitFor(() => expect(exits).toEqual([0]), 15_000)
})

test('what takes longer than 35 s in all is given up', async () => {
  const { shutdown, others, release, clock, exits } = await open()
  release()
  others.close = () => new Promise(() => undefined)
  void shutdown.stop(DRAIN_MS)
  await clock.pass(34.9 * SECOND)
  expect(exits).toEqual([])
  await clock.pass(0.1 * SECOND)
  expect(exits).toEqual([1])
})

test('a second signal waits for no answer', async () => {
  const { shutdown, asking, exits, ready } = await open()
  const { answer } = await asking()
  answer.catch(() => undefined)
  void shutdown.stop(DRAIN_MS)
  void shutdown.stop(DRAIN_MS)
  await vi.waitFor(() => expect(exits).toEqual([1]), 15_000)
  expect(await ready()).toBe(503)
})

test('S3: a second signal waits for the save of a token, for 11 s at most', async () => {
  const { server, clock, exits } = await open()
  const close = () => new Promise<void>(() => undefined)
  const { stop } = createShutdown({
    server,
    gateway: { close, transport: { token: { close } } },
    clock,
    exit: (code) => exits.push(code),
  })
  void stop(DRAIN_MS)
  void stop(DRAIN_MS)
  await clock.pass(11 * SECOND - 1)
  expect(exits).toEqual([])
  await clock.pass(1)
  expect(exits).toEqual([1])
})

test.each([
  [['SIGTERM'], [DRAIN_MS]],
  [['SIGINT'], [0]],
  [
    ['SIGTERM', 'SIGTERM'],
    [DRAIN_MS, DRAIN_MS],
  ],
  [
    ['SIGTERM', 'SIGINT'],
    [DRAIN_MS, 0],
  ],
  [['SIGHUP', 'SIGHUP'], [DRAIN_MS]],
  [['SIGTERM', 'SIGHUP'], [DRAIN_MS]],
  [['SIGINT', 'SIGHUP'], [0]],
  [['SIGHUP', 'SIGTERM'], [DRAIN_MS]],
  [['SIGHUP', 'SIGTERM', 'SIGHUP'], [DRAIN_MS]],
  [
    ['SIGHUP', 'SIGTERM', 'SIGTERM'],
    [DRAIN_MS, DRAIN_MS],
  ],
])('of %j only TERM and INT count towards a second signal', (signals, told) => {
  const process = new EventEmitter()
  const stops: number[] = []
  onSignals(process, (afterMs) => stops.push(afterMs))
  for (const signal of signals) process.emit(signal)
  expect(stops).toEqual(told)
})
