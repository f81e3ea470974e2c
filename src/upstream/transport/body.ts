import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { codeOf } from '../../errors.ts'
import { WireFault } from './fault.ts'
import type { WireAnswer } from './send.ts'

/** Bytes of one answer, as sent and as unpacked: a small gzip can unpack to gigabytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024

const unzip = promisify(gunzip)

const bad = (endpoint: string, what: string) =>
  new WireFault('UPSTREAM_BAD_RESPONSE', `${endpoint}: ${what}`, { sent: true, repeatable: false })

/** What an answer that outgrew the bound fails with. */
export const tooLarge = (endpoint: string) =>
  bad(endpoint, `the answer is larger than ${MAX_BODY_BYTES} bytes`)

const unpack = async (bytes: Buffer, coding: string, endpoint: string): Promise<Buffer> => {
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw bad(
      endpoint,
      `the answer has the content coding "${coding.slice(0, 40)}", asked was gzip`,
    )
  if (bytes.length === 0) return bytes
  try {
    return await unzip(bytes, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(endpoint)
    throw bad(endpoint, 'the answer is not the gzip it claims to be')
  }
}

const MARK = Buffer.from('\uFEFF')

const unmarked = (bytes: Buffer): Buffer =>
  bytes[0] === MARK[0] && bytes.indexOf(MARK) === 0 ? bytes.subarray(MARK.length) : bytes

const codingOf = ({ 'content-encoding': coding }: WireAnswer['headers']): string =>
  coding === undefined ? '' : String(coding).trim().toLowerCase()

/** Puts a body together; a promise where it is packed. */
export type BodyReader = (
  chunks: readonly Buffer[],
  headers: WireAnswer['headers'],
  endpoint: string,
) => Buffer | Promise<Buffer>

/** Reads bodies: unpacked one after the other, bounded, without a byte order mark. */
export const createBodyReader = (): BodyReader => {
  let before: Promise<unknown> = Promise.resolve()
  return (chunks, headers, endpoint) => {
    const [only] = chunks
    const packed = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
    const coding = codingOf(headers)
    if (coding === '' || coding === 'identity') return unmarked(packed)
    const bytes = before.then(() => unpack(packed, coding, endpoint))
    before = bytes.catch(() => undefined)
    return bytes.then(unmarked)
  }
}
