import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { systemClock } from '../../src/clock.ts'
import type { Clock } from '../../src/upstream/transport/send.ts'
import { CODES } from '../support/code.ts'
import { openGateway } from '../support/gateway.ts'
import type { Effort } from './effort.ts'

const CRLF = '\r\n'
const TOKEN = JSON.stringify({ token: 't', expires_in: 3600, refresh_token: 'r', scope: 'api' })
const VALID = Buffer.from(JSON.stringify({ obj: { id: 5, name: 'Five' } }))
/** Longer than anything is remembered, paused or left alone. */
const LATER = 9 * 86_400_000
/** How fast time runs for those that wait before they repeat. */
const FAST = 50

/** A service that writes bytes; what it was asked, it counts. */
const openBytes = async () => {
  let said: Buffer = Buffer.alloc(0)
  let [asked, free] = [0, 0]
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.startsWith('POST /api/token')) {
        if (!text.endsWith('}')) return
        text = ''
        socket.write(
          `HTTP/1.1 200 OK${CRLF}content-type: application/json${CRLF}content-length: ${TOKEN.length}${CRLF}${CRLF}${TOKEN}`,
        )
        return
      }
      if (!text.endsWith(CRLF + CRLF)) return
      text = ''
      asked += 1
      if (said.subarray(0, 12).toString() === 'HTTP/1.1 401') free += 1
      socket.end(said)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    say(bytes: Buffer) {
      said = bytes
    },
    get asked() {
      return asked
    },
    /** Of these, refused with the one status that is not billed. */
    get free() {
      return free
    },
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}

const number = fc.oneof(
  fc.constantFrom('0', '-1', '5', '1e3', '9'.repeat(30), 'NaN', '', '1767225600', '1767225600000'),
  fc.integer().map(String),
)
const printable = fc
  .string({ unit: 'grapheme-ascii', maxLength: 40 })
  .map((text) => text.replace(/[^\x20-\x7e]/g, ''))
const header = fc.oneof(
  fc.tuple(fc.constant('x-ratelimit-reset'), fc.oneof(number, printable)),
  fc.tuple(fc.constant('x-ratelimit-remaining'), fc.oneof(number, printable)),
  fc.tuple(fc.constant('retry-after'), fc.oneof(number, printable)),
  fc.tuple(fc.constant('date'), fc.oneof(printable, fc.constant('Thu, 01 Jan 2026 00:00:00 GMT'))),
  fc.tuple(
    fc.constant('content-encoding'),
    fc.constantFrom('gzip', 'GZIP', 'br', 'identity', '', 'gzip, gzip'),
  ),
  fc.tuple(
    fc.constant('content-type'),
    fc.oneof(printable, fc.constant('application/json; charset=utf-16')),
  ),
  fc.tuple(fc.constant('transfer-encoding'), fc.constantFrom('chunked', 'identity', 'x')),
  fc.tuple(fc.constant('location'), fc.constantFrom('http://elsewhere.invalid/', '/api/artist/6')),
  fc.tuple(fc.constant('connection'), fc.constantFrom('close', 'keep-alive', 'upgrade')),
  fc.tuple(fc.stringMatching(/^[a-z-]{1,12}$/), printable),
  fc.constant(['x-long', 'x'.repeat(20_000)] as const),
  fc.constant(['set-cookie', 'a=b'] as const),
)
const bytes = fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all))
const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant(VALID) },
  fc.constant(gzipSync(VALID)),
  bytes,
  bytes.map((all) => gzipSync(all)),
  fc.nat(VALID.length).map((at) => VALID.subarray(0, at)),
  fc.constant(Buffer.from(`\uFEFF${VALID}`)),
  fc
    .tuple(fc.nat(VALID.length - 1), fc.nat(255))
    .map(([at, byte]) => Buffer.from(VALID).fill(byte, at, at + 1)),
)
/** By how much the length that is told differs; null: none is told. */
const length = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  fc.constantFrom(-1, 1, 1e12, null),
)
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constant(200) },
  fc.constantFrom(401, 429, 500, 503, 204, 304, 100, 206),
  fc.integer({ min: 100, max: 999 }),
)
const answers = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(status, fc.array(header, { maxLength: 4 }), body, length)
      .map(([code, headers, content, off]) => {
        const told = off === null ? [] : [['content-length', String(content.length + off)]]
        const lines = [...headers, ...told].map(([name, value]) => `${name}: ${value}`)
        const head = [`HTTP/1.1 ${code} Said`, ...lines].join(CRLF)
        return Buffer.concat([Buffer.from(head + CRLF + CRLF, 'latin1'), content])
      }),
  },
  bytes,
)

/** Whatever bytes come back: the client is told in words of the contract, and what was asked is what is charged. */
export const bytesAreTakenAsTheyAre = async (effort: Effort): Promise<void> => {
  const service = await openBytes()
  let later = 0
  const clock: Clock = {
    now: () => systemClock.now() + later,
    sleep: (ms, signal) => systemClock.sleep(ms / FAST, signal),
  }
  const patient = { UPSTREAM_TIMEOUT_MS: '600000', OPERATION_TIMEOUT_MS: '600000' }
  const { gateway, query } = openGateway(service.url, patient, { clock, random: () => 0 })
  const { book } = gateway.upstream
  try {
    await fc.assert(
      fc.asyncProperty(answers, async (said) => {
        later += LATER
        service.say(said)
        const before = { spent: book.spent, asked: service.asked, free: service.free }
        const { status, errors } = await query('{ artist(cmId: 5) { name } }')
        if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(errors)}`)
        const foreign = errors.filter(({ extensions }) => !CODES.has(extensions?.code))
        if (foreign.length > 0) throw new Error(JSON.stringify(foreign))
        const [spent, asked] = [book.spent - before.spent, service.asked - before.asked]
        const free = service.free - before.free
        if (asked < 1 || asked > 2) throw new Error(`asked ${asked} times`)
        if (spent > asked || spent < asked - free)
          throw new Error(`${spent} spent, asked ${asked} times, ${free} of them free`)
      }),
      effort,
    )
  } finally {
    await gateway.close()
    await service.close()
  }
}
