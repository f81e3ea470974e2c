import type { Body } from './transport/send.ts'

/** Bytes that lie beside those of a body where it came, its head among them, and are kept with it. */
const MOST_BESIDE = 2000

/** Of a body, to be kept: as they came, where not much else lies with them in what they were taken from. */
export const bytesOf = (body: Body): Buffer => {
  const { bytes = Buffer.from(body.text) } = body
  if (bytes.buffer.byteLength - bytes.length <= MOST_BESIDE) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
