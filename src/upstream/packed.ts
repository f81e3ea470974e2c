import { type Answer, type Content, open } from './answer.ts'
import { notedIn, type Reading } from './decode.ts'
import type { Request } from './request.ts'

/**
 * The text of an answer, outside of the heap: most of what is bought is not asked for again, and what is parsed would be
 * copied and marked for as long as it is held. It is at hand until the end of the turn in which it came; whoever asks
 * again has it parsed, and from then on it stays so.
 */
class Packed<V> implements Content<V> {
  readonly #request: Request<V>
  readonly #reading: Reading
  #bytes: Buffer | undefined
  #opened: Content<V> | undefined
  #noted: ReadonlySet<string> | undefined = undefined

  constructor(request: Request<V>, opened: Content<V>, text: string, reading: Reading) {
    this.#request = request
    this.#reading = reading
    this.#opened = opened
    this.#bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
    this.#bytes.write(text)
  }

  get value(): V {
    if (this.#opened === undefined) {
      const text = this.#bytes?.toString() ?? ''
      this.#opened = { value: open(this.#request, { text }, this.#readingAgain) }
      this.#bytes = undefined
    }
    return this.#opened.value
  }

  /** What was told when it came is not told again. */
  get #readingAgain(): Reading {
    const noted = this.#noted
    const reading = this.#reading
    if (noted === undefined) return reading
    return {
      note(path) {
        if (!noted.has(path)) reading.note(path)
      },
    }
  }

  close(): void {
    if (this.#bytes === undefined) return
    this.#noted = notedIn(this.#opened?.value)
    this.#opened = undefined
  }
}

/** Packs answers for as long as they are held; a window is none of them, it is read page by page. */
export const createPacking = () => {
  let open: Packed<unknown>[] = []
  const close = () => {
    for (const one of open) one.close()
    open = []
  }
  return <V>(request: Request<V>, bought: Answer<V>, text: string, reading: Reading): Answer<V> => {
    if (bought.class !== 'record') return bought
    const content = new Packed(request, bought.content, text, reading)
    if (open.length === 0) setImmediate(close)
    open.push(content)
    return { ...bought, content }
  }
}
