import type { ErrorCode } from '../../src/errors.ts'
import type { Fault, Match } from '../../src/sandbox/fault.ts'
import type { Wrong } from '../../test/support/proxy.ts'

/** What goes wrong for some seconds, and what clients may be told of it. */
export interface Trouble {
  readonly name: string
  readonly fault?: readonly [Match, Fault]
  readonly wrong?: Wrong
  /** Share of the requests that `wrong` befalls; all when left out. */
  readonly share?: number
  readonly refuses?: boolean
  readonly revokes?: boolean
  readonly codes?: readonly ErrorCode[]
  /** The service takes back what it said: what is held is not given in its place. */
  readonly overrules?: boolean
  /** The service refuses bearers that are good. */
  readonly disowns?: boolean
  /** What it said is remembered for longer than a soak waits. */
  readonly remembered?: boolean
  /** Long enough to meet an exchange of tokens. */
  readonly long?: boolean
}

/** Everything but the token endpoint. */
const SERVICE = /^\/api\/(?!token)/
const DOWN = ['UPSTREAM_UNAVAILABLE', 'TIMEOUT', 'OVERLOADED'] as const
const BAD = ['UPSTREAM_BAD_RESPONSE', ...DOWN] as const

const service = (
  name: string,
  fault: Fault,
  codes: readonly ErrorCode[],
  more: Partial<Trouble> = {},
): Trouble => ({ name, fault: [SERVICE, fault], codes: [...codes, ...DOWN], ...more })
const token = (name: string, fault: Fault, codes: readonly ErrorCode[] = []): Trouble => ({
  name,
  fault: ['token', fault],
  codes: [...codes, ...DOWN, 'UPSTREAM_UNAUTHENTICATED'],
  long: true,
})
const way = (name: string, wrong: Wrong, share: number): Trouble => ({
  name,
  wrong,
  share,
  codes: [...BAD, 'UPSTREAM_UNAUTHENTICATED'],
})

export const TROUBLES: readonly Trouble[] = [
  { name: 'none' },
  { name: 'none' },
  { name: 'none, for long', long: true },
  service('429 with a reset', { status: 429, headers: { 'x-ratelimit-reset': '5' } }, [
    'RATE_LIMITED',
  ]),
  service(
    '429 once, with a moment',
    { status: 429, headers: { 'x-ratelimit-reset': '0' }, times: 1 },
    ['RATE_LIMITED'],
  ),
  service('429 without a word', { status: 429 }, ['RATE_LIMITED']),
  service('500', { status: 500 }, []),
  service('500 thrice', { status: 500, times: 3 }, []),
  service('502 of a page', { status: 502, html: true }, []),
  service('503 with Retry-After', { status: 503, headers: { 'retry-after': '5' } }, [
    'RATE_LIMITED',
  ]),
  service('400', { status: 400 }, ['UPSTREAM_REJECTED'], { remembered: true }),
  service('401', { status: 401 }, ['UPSTREAM_UNAUTHENTICATED', 'UPSTREAM_FORBIDDEN'], {
    disowns: true,
    remembered: true,
  }),
  service('402', { status: 402 }, ['CREDIT_BUDGET_EXHAUSTED'], { remembered: true }),
  service('403', { status: 403 }, ['UPSTREAM_FORBIDDEN'], { overrules: true, remembered: true }),
  service('404', { status: 404 }, [], { overrules: true, remembered: true }),
  service('a redirect', { status: 302, headers: { location: 'http://elsewhere.invalid/' } }, []),
  service('no answer', { stall: 'head' }, []),
  service('no body', { stall: 'body' }, []),
  service('a slow answer', { delayMs: 1_000 }, []),
  service('a body in drops', { drip: { bytes: 8, everyMs: 50 } }, []),
  service('a reset', { reset: true }, []),
  service('a reset, twice', { reset: true, times: 2 }, []),
  service('a body cut', { cutAt: 30 }, []),
  service('a page with status 200', { html: true }, BAD, { remembered: true }),
  service('nothing with status 200', { text: '' }, BAD, { remembered: true }),
  service('half a JSON', { text: '{"obj":' }, BAD, { remembered: true }),
  service('no obj', { body: { ok: true } }, BAD, { remembered: true }),
  service('a body of 17 MB', { text: ' '.repeat(17 * 1024 * 1024), times: 20 }, BAD, {
    remembered: true,
  }),
  service('a gzip that is none', { headers: { 'content-encoding': 'gzip' } }, BAD, {
    remembered: true,
  }),
  token('a token endpoint that is down', { status: 500 }),
  token('a token endpoint without a token', { body: { ok: true } }),
  token('a token endpoint that does not answer', { stall: 'head', times: 2 }),
  token('a token endpoint that limits', { status: 429, headers: { 'x-ratelimit-reset': '5' } }, [
    'RATE_LIMITED',
  ]),
  {
    name: 'tokens revoked',
    revokes: true,
    disowns: true,
    remembered: true,
    long: true,
    codes: ['UPSTREAM_UNAUTHENTICATED', 'UPSTREAM_FORBIDDEN', ...DOWN],
  },
  { name: 'connections refused', refuses: true, codes: [...DOWN, 'UPSTREAM_UNAUTHENTICATED'] },
  way('connections that break before the request', { reset: 'request' }, 0.3),
  way('connections that break before the answer', { reset: 'answer' }, 0.3),
  way('a black hole before the service', { hole: 'request' }, 0.3),
  way('a black hole behind it', { hole: 'answer' }, 0.3),
  way('answers cut on their way', { cut: 0.5 }, 0.3),
  way('answers late', { delayMs: 300 }, 0.5),
  way('answers in drops', { drip: { bytes: 400, everyMs: 5 } }, 0.5),
  way('connections that end behind an answer', { ends: true }, 0.5),
]
