import dns from 'node:dns'
import { expect, vi } from 'vitest'
import type { Fault } from '../../src/sandbox/fault.ts'
import { HOUR } from '../credits/ask.ts'
import type { Wrong } from '../support/proxy.ts'
import { AT_EASE, certificates, ENDS, PARTS, type Warmed, type WarmedHow } from './warmed.ts'

/** Everything but the token endpoint. */
const SERVICE = /^\/api\/(?!token)/

export interface Misfortune extends WarmedHow {
  readonly begin: Begin
  /** Lets go what would last longer than it. */
  readonly release?: (at: Warmed) => Promise<unknown> | unknown
  /** What the client is told about the stale parts. */
  readonly reason: string
  /** Requests that the service never saw, though they were written. */
  readonly unseen?: number
  /** Time after which, once it is over, service is as before; 0: not before an operator acted. */
  readonly recovers?: number
}

/** Begins a misfortune. */
type Begin = (at: Warmed) => Promise<unknown> | unknown

const say =
  (match: string | RegExp, fault: Fault): Begin =>
  ({ sandbox }) => {
    sandbox.faults.inject(match, fault)
  }
const service = (fault: Fault) => say(SERVICE, fault)
const token = (fault: Fault) => say('token', fault)
/** What the proxy does to requests; the token, which comes first, gets through. */
const way =
  (wrong: Wrong): Begin =>
  ({ proxy }) => {
    const first = proxy.exchanges + 1
    proxy.play((exchange) => (exchange === first ? ENDS() : wrong))
  }
/** What it does to exchanges of tokens, and to nothing else. */
const tokenWay =
  (wrong: Wrong): Begin =>
  ({ proxy }) =>
    proxy.play((_, line) => (line.includes('/api/token') ? wrong : ENDS()))
const MANY = 25
const many = (field: string) =>
  `{ ${Array.from({ length: MANY }, (_, at) => `a${at}: ${field}(cmId: ${at + 10}) { name }`).join(' ')} }`

/** Every way to fail that the sandbox and the proxy know. */
export const MISFORTUNES: Readonly<Record<string, Misfortune>> = {
  '429 with a reset': {
    begin: service({ status: 429, headers: { 'x-ratelimit-reset': '60' } }),
    reason: 'RATE_LIMITED',
  },
  '429 without a word': { begin: service({ status: 429 }), reason: 'RATE_LIMITED' },
  '500': { begin: service({ status: 500 }), reason: 'UPSTREAM_UNAVAILABLE' },
  '502 of a page': { begin: service({ status: 502, html: true }), reason: 'UPSTREAM_UNAVAILABLE' },
  '503 with Retry-After': {
    begin: service({ status: 503, headers: { 'retry-after': '60' } }),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  '429 until the year 2099': {
    begin: service({ status: 429, headers: { 'x-ratelimit-reset': '4070908800' } }),
    reason: 'RATE_LIMITED',
  },
  '418': { begin: service({ status: 418 }), reason: 'UPSTREAM_REJECTED' },
  '204': { begin: service({ status: 204, text: '' }), reason: 'UPSTREAM_BAD_RESPONSE' },
  '400': { begin: service({ status: 400 }), reason: 'UPSTREAM_REJECTED' },
  '401 on every token': { begin: service({ status: 401 }), reason: 'UPSTREAM_FORBIDDEN' },
  '402': { begin: service({ status: 402 }), reason: 'CREDIT_BUDGET_EXHAUSTED' },
  'a redirect': {
    begin: service({ status: 302, headers: { location: 'http://elsewhere.invalid/' } }),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'no answer': { begin: service({ stall: 'head' }), reason: 'TIMEOUT' },
  'no body': { begin: service({ stall: 'body' }), reason: 'TIMEOUT' },
  'a body in drops': {
    begin: service({ drip: { bytes: 1, everyMs: 90 } }),
    reason: 'TIMEOUT',
  },
  'a reset': { begin: service({ reset: true }), reason: 'UPSTREAM_UNAVAILABLE' },
  'a body cut': { begin: service({ cutAt: 30 }), reason: 'UPSTREAM_UNAVAILABLE' },
  'a page with status 200': { begin: service({ html: true }), reason: 'UPSTREAM_BAD_RESPONSE' },
  'nothing with status 200': { begin: service({ text: '' }), reason: 'UPSTREAM_BAD_RESPONSE' },
  'half a JSON': { begin: service({ text: '{"obj":' }), reason: 'UPSTREAM_BAD_RESPONSE' },
  'a list in place of an object': {
    begin: service({ body: [1] }),
    reason: 'UPSTREAM_BAD_RESPONSE',
  },
  'no obj': { begin: service({ body: { ok: true } }), reason: 'UPSTREAM_BAD_RESPONSE' },
  'a body of more than 16 MB': {
    begin: service({ text: ' '.repeat(17 * 1024 * 1024) }),
    reason: 'UPSTREAM_BAD_RESPONSE',
  },
  'a body of 200,000 lists in each other': {
    begin: service({ text: `{"obj":${'['.repeat(200_000)}${']'.repeat(200_000)}}` }),
    reason: 'UPSTREAM_BAD_RESPONSE',
  },
  'a gzip that is none': {
    begin: service({ headers: { 'content-encoding': 'gzip' } }),
    reason: 'UPSTREAM_BAD_RESPONSE',
  },
  'twenty content codings': {
    begin: service({ headers: { 'content-encoding': Array(20).fill('gzip').join(', ') } }),
    reason: 'UPSTREAM_BAD_RESPONSE',
  },
  'a head of 20 kB': {
    begin: service({ headers: { 'x-long': 'x'.repeat(20_000) } }),
    reason: 'UPSTREAM_BAD_RESPONSE',
  },
  'a refused token': { begin: token({ status: 401 }), reason: 'UPSTREAM_UNAUTHENTICATED' },
  'a token endpoint that says 400': {
    begin: token({ status: 400 }),
    reason: 'UPSTREAM_UNAUTHENTICATED',
    recovers: 0,
  },
  'a token endpoint that is down': {
    begin: token({ status: 500 }),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'a token endpoint without a token': {
    begin: token({ body: { ok: true } }),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'a token endpoint that does not answer': {
    begin: token({ stall: 'head' }),
    rotation: 'grace',
    reason: 'TIMEOUT',
  },
  'a token endpoint that limits': {
    begin: token({ status: 429, headers: { 'x-ratelimit-reset': '60' } }),
    reason: 'RATE_LIMITED',
  },
  'a token endpoint that answers after 14 s': {
    begin: token({ delayMs: 14_000 }),
    rotation: 'grace',
    reason: 'TIMEOUT',
  },
  'a token endpoint that answers with a page': {
    begin: token({ html: true }),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'a token endpoint that is cut': {
    begin: token({ cutAt: 10 }),
    rotation: 'grace',
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'an exchange that is lost on its way': {
    begin: tokenWay({ reset: 'request' }),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'an exchange that is lost once made, by a service with grace': {
    begin: tokenWay({ reset: 'answer' }),
    rotation: 'grace',
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'an exchange that is lost once made, by a strict service': {
    begin: tokenWay({ reset: 'answer' }),
    reason: 'UPSTREAM_UNAVAILABLE',
    recovers: 0,
  },
  'an open breaker': {
    async begin(at) {
      at.sandbox.faults.inject(SERVICE, { status: 500 })
      await at.ask(many('artist'))
      const before = at.sandbox.meter.credits
      expect((await at.ask('{ artist(cmId: 99) { name } }')).errors).toHaveLength(1)
      expect(at.sandbox.meter.credits).toBe(before)
    },
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'an empty budget': {
    begin: () => undefined,
    env: { CREDITS_PER_DAY: String(PARTS) },
    reason: 'CREDIT_BUDGET_EXHAUSTED',
    recovers: 12 * HOUR,
  },
  'a pause that another call was told': {
    async begin(at) {
      at.sandbox.faults.inject('track', {
        status: 429,
        headers: { 'x-ratelimit-reset': '60' },
      })
      await at.ask('{ track(cmId: 5) { name } }')
    },
    reason: 'RATE_LIMITED',
  },
  'a queue that is full': {
    env: { UPSTREAM_CONCURRENCY: '1' },
    async begin(at) {
      at.sandbox.faults.inject('track', { stall: 'head' })
      for (let cmId = 10; cmId < 310; cmId++) at.pose(`{ track(cmId: ${cmId}) { name } }`)
      await vi.waitFor(() => expect(at.waiting()).toBe(256), 30_000)
    },
    release: ({ proxy }) => proxy.hangUp(),
    reason: 'OVERLOADED',
  },
  'more operations under way than are answered at once': {
    begin: ({ crowd }) => crowd(512),
    release: ({ crowd }) => crowd(0),
    reason: 'OVERLOADED',
  },
  'a loop that keeps work waiting': {
    begin: ({ suffer }) => suffer({ delayMs: 300, heapShare: 0.2 }),
    release: ({ suffer }) => suffer(AT_EASE),
    reason: 'OVERLOADED',
  },
  'a heap that is nearly full': {
    begin: ({ suffer }) => suffer({ delayMs: 10, heapShare: 0.86 }),
    release: ({ suffer }) => suffer(AT_EASE),
    reason: 'OVERLOADED',
  },
  'a connection refused': {
    begin: ({ proxy }) => proxy.refuse(),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'a name that is gone': {
    begin() {
      const lost = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
      vi.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
        const done = given.at(-1) as (error: Error) => void
        process.nextTick(done, lost)
      }) as never)
    },
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'names that are never found': {
    begin() {
      vi.spyOn(dns, 'lookup').mockImplementation((() => undefined) as never)
    },
    reason: 'TIMEOUT',
  },
  'a certificate that has expired': {
    begin: ({ proxy }) => proxy.present(certificates.expired),
    secure: true,
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'a certificate of another host': {
    begin: ({ proxy }) => proxy.present(certificates.elsewhere),
    secure: true,
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'a connection that breaks before the request': {
    begin: way({ reset: 'request' }),
    reason: 'UPSTREAM_UNAVAILABLE',
    unseen: PARTS,
  },
  'a connection that breaks before the answer': {
    begin: way({ reset: 'answer' }),
    reason: 'UPSTREAM_UNAVAILABLE',
  },
  'a black hole before the service': {
    begin: way({ hole: 'request' }),
    reason: 'TIMEOUT',
    unseen: PARTS,
  },
  'a black hole behind it': { begin: way({ hole: 'answer' }), reason: 'TIMEOUT' },
  'an answer cut on its way': { begin: way({ cut: 0.5 }), reason: 'UPSTREAM_UNAVAILABLE' },
  'an answer in drops on its way': {
    begin: way({ drip: { bytes: 1, everyMs: 90 } }),
    reason: 'TIMEOUT',
  },
}

/** Everything is well again. */
export const end = async (at: Warmed, { release }: Misfortune) => {
  const { sandbox, proxy, idle } = at
  vi.restoreAllMocks()
  sandbox.faults.clear()
  await release?.(at)
  proxy.play(ENDS)
  proxy.present(certificates.good)
  await proxy.accept()
  await idle()
}
