import type { Body, WireAnswer } from './send.ts'

/** An answer as it came. A text of a hundred kilobytes costs as much as all else, and is often not asked for. */
export class Came implements WireAnswer {
  readonly status: number
  readonly headers: WireAnswer['headers']
  /** UTF-8. */
  readonly bytes: Buffer
  #text: string | undefined = undefined

  constructor(status: number, headers: WireAnswer['headers'], bytes: Buffer) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  get text(): string {
    this.#text ??= this.bytes.toString('utf8')
    return this.#text
  }
}

/** The same answer in other words. */
export const reworded = ({ status, headers, retryAt }: WireAnswer, text: string): WireAnswer => ({
  status,
  headers,
  text,
  ...(retryAt !== undefined && { retryAt }),
})

/** The same answer, once it is known when it may be asked again. */
export const retryingAt = (answer: WireAnswer, retryAt: number): WireAnswer => ({
  ...reworded(answer, answer.text),
  retryAt,
})

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
