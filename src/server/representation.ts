import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Reply } from '../execution/face.ts'

/** Fewer bytes travel in one packet as they are. */
const LEAST_PACKED = 1024

const brotli = promisify(brotliCompress)
const pack = promisify(gzip)
const QUICK = 4
const CODINGS = {
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUICK } }),
  gzip: (body: Buffer) => pack(body, { level: QUICK }),
} as const
type Coding = keyof typeof CODINGS

/** Whether a list of codings names one, and not with a weight of nothing. */
export const accepts = (codings: string | undefined, coding: string): boolean =>
  codings?.split(',').some((entry) => {
    const [name = '', weight = ''] = entry.split(';')
    return name.trim().toLowerCase() === coding && !/^\s*q=0(\.0*)?\s*$/i.test(weight)
  }) === true

const codingFor = (accepted: string | undefined): Coding | undefined =>
  (['br', 'gzip'] as const).find((coding) => accepts(accepted, coding))

/**
 * Whether `If-None-Match` names a validator of ours, or any. Weak or strong is all one to it (RFC 9110, 13.1.2), and
 * the quotes around what is compared tell where one in a list ends.
 */
export const isKnown = (told: string | undefined, etag: string | undefined): boolean =>
  told !== undefined &&
  etag !== undefined &&
  (told.includes(etag.slice(etag.indexOf('"'))) || told.trim() === '*')

/** An answer as one client takes it: nothing where it has it already, packed where it can unpack it. */
export const represent = (
  reply: Reply,
  { headers: asked }: IncomingMessage,
): Reply | Promise<Reply> => {
  const { status, headers, body } = reply
  if (status === 200 && isKnown(asked['if-none-match'], headers.etag)) {
    const { 'content-type': _type, ...kept } = headers
    return { status: 304, headers: kept, body: Buffer.alloc(0) }
  }
  const coding =
    body.length < LEAST_PACKED ? undefined : codingFor(asked['accept-encoding']?.toString())
  if (coding === undefined) return reply
  return CODINGS[coding](body).then((packed) => ({
    status,
    headers: { ...headers, 'content-encoding': coding },
    body: packed,
  }))
}
