import { type Answer, type Content, open } from './answer.ts'
import type { Reading } from './decode.ts'
import type { Request } from './request.ts'

/**
 * The text of an answer, outside of the heap: most of what is bought is not asked for again, and what is parsed would be
 * copied and marked for as long as it is held. Whoever asks again has it parsed, and from then on it stays so.
 */
class Packed<V> implements Content<V> {
  readonly #request: Request<V>
  readonly #reading: Reading
  #bytes: Buffer | undefined
  #opened: { readonly value: V } | undefined = undefined

  constructor(request: Request<V>, text: string, reading: Reading) {
    this.#request = request
    this.#reading = reading
    this.#bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
    this.#bytes.write(text)
  }

  get value(): V {
    if (this.#opened === undefined) {
      const text = this.#bytes?.toString() ?? ''
      this.#opened = { value: open(this.#request, { text }, this.#reading) }
      this.#bytes = undefined
    }
    return this.#opened.value
  }
}

/** An answer as it is held until it is asked for again; a window is, page by page. */
export const packed = <V>(
  request: Request<V>,
  bought: Answer<V>,
  text: string,
  reading: Reading,
): Answer<V> =>
  bought.class === 'record' ? { ...bought, content: new Packed(request, text, reading) } : bought
