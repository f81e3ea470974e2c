import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Reply } from '../execution/face.ts'
import { placeOf, takenIn } from '../plugins/weight.ts'

/** Fewer bytes travel in one packet as they are. */
const LEAST_PACKED = 1024

const brotli = promisify(brotliCompress)
const pack = promisify(gzip)
const QUICK = 4
const PACKERS = {
  br: (body: Buffer | string) =>
    brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUICK } }),
  gzip: (body: Buffer | string) => pack(body, { level: QUICK }),
} as const

const PLAIN = 'identity'
type Coding = keyof typeof PACKERS | typeof PLAIN
/** What an answer may travel as; where all are alike to a client, the first. */
const CODINGS: readonly Coding[] = ['br', 'gzip', PLAIN]
/** Of an answer as it is, where nothing is said of it: it is taken after all that is named. */
const UNSAID = Number.MIN_VALUE

/** Of these codings the one that an `Accept-Encoding` weighs most (RFC 9110, 12.5.3); undefined where it takes none. */
export const codingIn = <C extends Coding>(
  accepted: string,
  codings: readonly C[],
): C | undefined => {
  const list = takenIn(accepted)
  const weights = codings.map((coding) => {
    const place = placeOf(list, [coding, '*'])
    const unsaid = coding === PLAIN ? UNSAID : 0
    return { coding, weight: place === undefined ? unsaid : (list[place]?.weight ?? 0) }
  })
  const [first] = weights.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return first?.coding
}

/** How answers travel to a client. */
export interface Codings {
  /** Where they are worth packing. */
  readonly long: Coding
  readonly short: Coding
}

const UNPACKED: Codings = { long: PLAIN, short: PLAIN }
const MOST_KNOWN = 100

/** Finds how answers travel by an `Accept-Encoding`, of which clients send few; undefined where it takes them in no way. */
export const createCodings = () => {
  const known = new LRUCache<string, Codings>({ max: MOST_KNOWN })
  return (accepted: string | undefined): Codings | undefined => {
    if (accepted === undefined) return UNPACKED
    const before = known.get(accepted)
    if (before !== undefined) return before
    const long = codingIn(accepted, CODINGS)
    if (long === undefined) return undefined
    const codings = { long, short: codingIn(accepted, [PLAIN]) ?? long }
    known.set(accepted, codings)
    return codings
  }
}

/**
 * Whether `If-None-Match` names a validator of ours, or any of what was there before it was asked for. Weak or strong is
 * all one to it (RFC 9110, 13.1.2), and the quotes around what is compared tell where one in a list ends.
 */
export const isKnown = (
  told: string | undefined,
  etag: string | undefined,
  wasThere = true,
): boolean => {
  if (told === undefined || etag === undefined) return false
  return told.trim() === '*' ? wasThere : told.includes(etag.slice(etag.indexOf('"')))
}

const isHit = ({ 'cache-status': status = '' }: Reply['headers']) =>
  status.startsWith('refrain; hit')

/** An answer as one client takes it: nothing where it has it already, packed where it can unpack it. */
export const represent = (
  reply: Reply,
  { headers: asked }: IncomingMessage,
  { long, short }: Codings,
): Reply | Promise<Reply> => {
  const { status, headers, body } = reply
  const told = asked['if-none-match']
  if (status === 200 && told !== undefined && isKnown(told, headers.etag, isHit(headers))) {
    const { 'content-type': _type, ...kept } = headers
    return { status: 304, headers: kept, body: Buffer.alloc(0) }
  }
  const coding = body.length < LEAST_PACKED ? short : long
  if (coding === PLAIN) return reply
  return PACKERS[coding](body).then((packed) => ({
    status,
    headers: { ...headers, 'content-encoding': coding },
    body: packed,
  }))
}
