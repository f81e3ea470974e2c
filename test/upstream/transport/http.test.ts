import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { createLedger } from '../../../src/credits/ledger.ts'
import { faultOf, type WireFault } from '../../../src/upstream/transport/fault.ts'
import { createHttp } from '../../../src/upstream/transport/http.ts'
import { createMeter, parseBilled } from '../../../src/upstream/transport/meter.ts'
import type { Clock, WireRequest } from '../../../src/upstream/transport/send.ts'
import { sending } from '../../../src/upstream/transport/step.ts'
import { createFakeClock, settle } from './clocks.ts'
import { createOrigin, json, type Play } from './origin.ts'

const TOKEN = 'Bearer very-secret-access-token'

const request: WireRequest = {
  method: 'GET',
  path: '/api/track/501',
  headers: { authorization: TOKEN },
  credits: 1,
  endpoint: 'track',
}

/** A metered line to `url`; `get` gives the answer, or the fault that came instead of one. */
const dial = (url: string, timeoutMs = 1_000, connections = 1, clock: Clock = systemClock) => {
  const http = createHttp({ baseUrl: url, concurrency: connections, timeoutMs }, clock)
  onTestFinished(() => http.close())
  const ledger = createLedger()
  const send = sending(createMeter(parseBilled('all-but:401,token'))(http.send))
  const get = (over: Partial<WireRequest> = {}, patience = 5_000) =>
    send({ ...request, ...over }, { ledger, deadline: clock.now() + patience })
  const fail = async (over: Partial<WireRequest> = {}, patience = 5_000): Promise<WireFault> => {
    const { error } = await get(over, patience).then(
      ({ status }) => ({ error: new Error(`answered ${status}`) }),
      (error: WireFault) => ({ error }),
    )
    return error as WireFault
  }
  return { get, fail, ledger }
}

const play = async (script: Play, timeoutMs?: number) => {
  const origin = await createOrigin(script)
  const line = dial(origin.url, timeoutMs)
  onTestFinished(() => origin.close())
  return { origin, ...line }
}

/** An address where nothing listens. */
const deadAddress = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

describe('a request', () => {
  it('goes out as it is, below the path of the base address, asking for JSON and gzip', async () => {
    const origin = await createOrigin((_, response) => json(response, 200, { obj: 1 }))
    onTestFinished(() => origin.close())
    const { get } = dial(`${origin.url}/music/v1/`)
    await get({ path: '/api/search?q=%26%20%2B&tagIds[]=3&tagIds[]=9' })
    expect(origin.heard[0]).toMatchObject({
      method: 'GET',
      url: '/music/v1/api/search?q=%26%20%2B&tagIds[]=3&tagIds[]=9',
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', authorization: TOKEN },
    })
    expect(origin.heard[0]?.headers['content-type']).toBeUndefined()
  })

  it('carries its JSON body and says so', async () => {
    const { get, origin } = await play((_, response) => json(response, 200, { obj: [] }))
    await get({ method: 'POST', body: '{"ids":[1]}' })
    expect(origin.heard[0]).toMatchObject({
      method: 'POST',
      body: '{"ids":[1]}',
      headers: { 'content-type': 'application/json' },
    })
  })

  it('reuses its connection and costs one credit each time', async () => {
    const { get, origin, ledger } = await play((_, response) => json(response, 200, { obj: 1 }))
    for (let count = 0; count < 20; count += 1) await get()
    expect(origin.sockets).toBe(1)
    expect(origin.heard).toHaveLength(20)
    expect(ledger.spent).toBe(20)
  })

  it('waits for a free connection rather than opening more than there are slots', async () => {
    const { get, origin, ledger } = await play((_, response) => json(response, 200, { obj: 1 }))
    await Promise.all(Array.from({ length: 50 }, () => get()))
    expect(origin.sockets).toBe(1)
    expect(ledger.spent).toBe(50)
  })

  it('shares its timer with all that have until the same moment, and it goes with the last of them', async () => {
    const origin = await createOrigin((_, response) => json(response, 200, { obj: 1 }))
    onTestFinished(() => origin.close())
    const clock = createFakeClock()
    const { get } = dial(origin.url, 1_000, 2, clock)
    const all = Array.from({ length: 5 }, () => get())
    expect(clock.sleeping).toBe(1)
    await Promise.all(all)
    await settle()
    expect(clock.sleeping).toBe(0)
  })

  it('has its own time: what began later, and what was asked for with less, ends by its own', async () => {
    const origin = await createOrigin(() => undefined)
    onTestFinished(() => origin.close())
    const clock = createFakeClock()
    const { fail } = dial(origin.url, 1_000, 4, clock)
    const late: string[] = []
    const follow = async (name: string, over: Partial<WireRequest> = {}) => {
      const { code } = await fail(over)
      late.push(`${name}: ${code}`)
    }
    const all = [follow('first'), follow('another'), follow('short', { limitMs: 400 })]
    await clock.pass(500)
    expect(late).toEqual(['short: TIMEOUT'])
    all.push(follow('later'))
    await clock.pass(500)
    await settle()
    expect(late).toEqual(['short: TIMEOUT', 'first: TIMEOUT', 'another: TIMEOUT'])
    await clock.pass(500)
    await Promise.all(all)
    expect(late).toHaveLength(4)
  })
})

describe('an answer', () => {
  it('comes back whatever its status, with its text', async () => {
    const { get } = await play((_, response) => {
      response.writeHead(503, { 'content-type': 'text/html', 'retry-after': '3' })
      response.end('<h1>maintenance</h1>')
    })
    expect(await get()).toMatchObject({
      status: 503,
      headers: { 'retry-after': '3' },
      text: '<h1>maintenance</h1>',
    })
  })

  it('is not followed to another place, and its cookies are forgotten', async () => {
    const { get, origin } = await play((_, response) => {
      response.writeHead(302, { location: 'http://elsewhere.invalid/', 'set-cookie': 'a=b' })
      response.end()
    })
    expect((await get()).status).toBe(302)
    await get()
    expect(origin.heard).toHaveLength(2)
    expect(origin.heard[1]?.headers.cookie).toBeUndefined()
  })

  it('is read through early hints', async () => {
    const { get } = await play((_, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      json(response, 200, { obj: 'final' })
    })
    expect(await get()).toMatchObject({ status: 200, text: '{"obj":"final"}' })
  })

  it.each([
    ['plain', Buffer.from('{"obj":"Zoë"}'), {}],
    ['gzip', gzipSync('{"obj":"Zoë"}'), { 'content-encoding': 'gzip' }],
    ['with a byte order mark', Buffer.from('\uFEFF{"obj":"Zoë"}'), {}],
  ])('is text without decoration when %s', async (_, bytes, headers) => {
    const { get } = await play((_heard, response) => {
      response.writeHead(200, headers)
      response.end(bytes)
    })
    const answer = await get()
    expect(answer.text).toBe('{"obj":"Zoë"}')
    expect(answer.bytes?.toString()).toBe(answer.text)
  })

  it('keeps a letter whole that two chunks share', async () => {
    const { get } = await play((_, response) => {
      const bytes = Buffer.from('{"obj":"ë"}')
      response.write(bytes.subarray(0, 9))
      setTimeout(() => response.end(bytes.subarray(9)), 20)
    })
    expect((await get()).text).toBe('{"obj":"ë"}')
  })

  it('of no bytes is an empty text, gzip or not', async () => {
    const { get } = await play((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end()
    })
    expect((await get()).text).toBe('')
  })
})

describe('an answer that is no good', () => {
  const MB = 1024 * 1024
  it.each([
    ['a gzip of 50 MB of zeros', gzipSync(Buffer.alloc(50 * MB)), 'gzip'],
    ['17 MB as they are', Buffer.alloc(17 * MB, 0x20), 'identity'],
    ['no gzip at all', Buffer.from('{"obj":1}'), 'gzip'],
    ['half a gzip', gzipSync('{"obj":1}').subarray(0, 15), 'gzip'],
    ['a coding that was not asked for', Buffer.from('x'), 'br'],
    ['gzip under another name', gzipSync('{"obj":1}'), 'br'],
    ['coded twenty times', Buffer.from('x'), Array(20).fill('gzip').join(', ')],
  ])('%s is refused, charged, and not worth a repeat', async (_, bytes, coding) => {
    const { fail, ledger } = await play((_heard, response) => {
      response.writeHead(200, { 'content-encoding': coding })
      response.end(bytes)
    })
    expect(await fail()).toMatchObject({
      code: 'UPSTREAM_BAD_RESPONSE',
      sent: true,
      repeatable: false,
    })
    expect(ledger.spent).toBe(1)
  })

  it('is not HTTP', async () => {
    const { fail, ledger } = await play((_, __, socket) => void socket.end('I am a teapot\r\n\r\n'))
    expect(await fail()).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', repeatable: false })
    expect(ledger.spent).toBe(1)
  })

  it('takes 16 MB of body and not a byte more', async () => {
    let size = 16 * MB
    const { get, fail } = await play((_, response) => response.end(Buffer.alloc(size, 0x20)))
    expect((await get()).text).toHaveLength(16 * MB)
    size += 1
    expect((await fail()).code).toBe('UPSTREAM_BAD_RESPONSE')
  })
})

describe('a broken line', () => {
  it('to a closed port costs nothing and may be tried again', async () => {
    const { fail, ledger } = dial(await deadAddress())
    expect(await fail()).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sent: false,
      repeatable: true,
    })
    expect(ledger.spent).toBe(0)
  })

  it('to a name that does not exist costs nothing', async () => {
    const { fail, ledger } = dial('http://no-such-host.invalid')
    expect(await fail()).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sent: false })
    expect(ledger.spent).toBe(0)
  })

  it('to a port that does not speak TLS costs nothing and is not tried again', async () => {
    const { origin } = await play((_, response) => json(response, 200, {}))
    const { fail, ledger } = dial(origin.url.replace('http:', 'https:'))
    expect(await fail()).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sent: false,
      repeatable: false,
    })
    expect(ledger.spent).toBe(0)
  })

  it('that is taken but never becomes TLS is given up after two seconds, for nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const { fail, ledger } = dial(`https://127.0.0.1:${port}`, 8_000)
    const start = performance.now()
    expect(await fail({}, 10_000)).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sent: false,
      repeatable: true,
    })
    expect(performance.now() - start).toBeLessThan(3_500)
    expect(ledger.spent).toBe(0)
  })

  it('that is reset before a byte came is charged and may be repeated', async () => {
    const { fail, ledger } = await play((_, __, socket) => socket.resetAndDestroy())
    expect(await fail()).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sent: true,
      repeatable: true,
    })
    expect(ledger.spent).toBe(1)
  })

  it.each([
    ['a counted', { 'content-length': '100' }],
    ['a chunked', {}],
  ])('in the middle of %s body is charged and may be repeated', async (_, headers) => {
    const { fail, ledger } = await play((_heard, response, socket) => {
      response.writeHead(200, headers)
      response.write('{"obj":{"id":501,"na')
      setTimeout(() => socket.destroy(), 20)
    })
    expect(await fail()).toMatchObject({ sent: true, repeatable: true })
    expect(ledger.spent).toBe(1)
  })

  it.each([
    ['never answers', () => undefined],
    [
      'drips',
      (_: unknown, response: { write(text: string): unknown }) => {
        const drip = setInterval(() => response.write('x'), 50)
        setTimeout(() => clearInterval(drip), 3_000).unref()
      },
    ],
  ])('to a service that %s ends in time, charged, without a repeat', async (_, script) => {
    const { fail, ledger } = await play(script as Play, 400)
    const start = performance.now()
    expect(await fail()).toMatchObject({ code: 'TIMEOUT', sent: true, repeatable: false })
    expect(performance.now() - start).toBeLessThan(900)
    expect(ledger.spent).toBe(1)
  })

  it('gives up at the deadline of its caller, if that comes first', async () => {
    const { fail } = await play(() => undefined, 5_000)
    const start = performance.now()
    expect((await fail({}, 200)).code).toBe('TIMEOUT')
    expect(performance.now() - start).toBeLessThan(900)
  })

  it('is not even dialled past the deadline', async () => {
    const { fail, origin, ledger } = await play((_, response) => json(response, 200, {}))
    expect(await fail({}, 0)).toMatchObject({ code: 'TIMEOUT', sent: false })
    expect(origin.heard).toHaveLength(0)
    expect(ledger.spent).toBe(0)
  })

  it('that times out while it waits for a connection costs nothing', async () => {
    const { get, fail, origin, ledger } = await play((_, response) => {
      setTimeout(() => json(response, 200, { obj: 1 }), 600)
    }, 2_000)
    const first = get()
    expect(await fail({}, 200)).toMatchObject({ code: 'TIMEOUT', sent: false })
    expect((await first).status).toBe(200)
    expect(ledger.spent).toBe(1)
    expect((await get()).status).toBe(200)
    expect(origin.heard).toHaveLength(2)
    expect(ledger.spent).toBe(2)
  })

  it('serves again after a timeout, on another connection', async () => {
    let count = 0
    const { get, fail, origin } = await play((_, response) => {
      count += 1
      if (count > 1) json(response, 200, { obj: count })
    }, 300)
    await fail()
    expect((await get()).text).toBe('{"obj":2}')
    expect(origin.sockets).toBe(2)
  })
})

/** Every string that an object leads to, hidden and inherited properties included. */
const stringsIn = (value: unknown, seen = new Set<unknown>()): string[] => {
  if (typeof value === 'string') return [value]
  if (Buffer.isBuffer(value)) return [value.toString()]
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  return Reflect.ownKeys(value).flatMap((key) => stringsIn(Reflect.get(value, key), seen))
}

describe('a fault', () => {
  const scripts: [string, Play][] = [
    ['a reset', (_, __, socket) => socket.resetAndDestroy()],
    ['a timeout', () => undefined],
    ['garbage', (_, __, socket) => void socket.end('nonsense\r\n\r\n')],
  ]
  it.each(scripts)('after %s does not lead to the access token', async (_, script) => {
    const { fail } = await play(script, 300)
    const fault = await fail()
    expect(fault.code).toBeDefined()
    expect(stringsIn(fault).join('\n')).not.toContain('very-secret')
    expect(inspect(fault, { depth: 20, showHidden: true })).not.toContain('very-secret')
  })

  it('for a request that cannot be written is free, and keeps the header to itself', async () => {
    const { fail, ledger, origin } = await play((_, response) => json(response, 200, {}))
    const fault = await fail({ headers: { authorization: `${TOKEN}\r\nx: y` } })
    expect(fault).toMatchObject({ code: 'UPSTREAM_REJECTED', sent: false, repeatable: false })
    expect(stringsIn(fault).join('\n')).not.toContain('very-secret')
    expect(ledger.spent).toBe(0)
    expect(origin.heard).toHaveLength(0)
  })
})

describe('a connection that TLS refuses', () => {
  it.each([
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('with %s is free and not tried again', (code) => {
    const error = Object.assign(new Error('no'), { code })
    expect(faultOf(error, 'track', false)).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      sent: false,
      repeatable: false,
    })
  })
})

describe('the count of departures', () => {
  it('is not confused by two transports and a fetch of the process at the same time', async () => {
    const { origin, get, ledger } = await play((_, response) => json(response, 200, { obj: 1 }))
    const dead = dial(await deadAddress(), 1_000, 4)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await Promise.all([get(), dead.fail(), fetch(origin.url)])
      }),
    )
    expect(ledger.spent).toBe(10)
    expect(dead.ledger.spent).toBe(0)
    expect(origin.heard).toHaveLength(20)
  })
})
