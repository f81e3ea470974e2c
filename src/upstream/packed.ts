import { LRUCache } from 'lru-cache'
import type { Answer, Content } from './answer.ts'
import type { Reading } from './decode.ts'
import { open } from './opening.ts'
import type { Asked } from './request.ts'
import { bytesOf } from './transport/came.ts'
import type { Body } from './transport/send.ts'

/** What is open, by the order in which it was packed. */
type Room = LRUCache<number, Packed<unknown>>

/**
 * The text of an answer, outside of the heap: most of what is bought is not asked for again, and what is parsed would be
 * copied and marked for as long as it is held. Whoever asks when it is closed has it parsed.
 */
class Packed<V> implements Content<V> {
  readonly weight: number
  readonly #asked: Asked<V>
  readonly #reading: Reading
  readonly #bytes: Buffer
  readonly #room: Room
  readonly #place: number
  #opened: Content<V> | undefined
  #stays = false
  /** What had no room any more, until the heap is cleared of it: who reads one window and another in turn parses none. */
  #left: WeakRef<Content<V>> | undefined = undefined

  constructor(
    { endpoint, args, content, bytes }: Answer<V>,
    body: Body,
    reading: Reading,
    room: Room,
    place: number,
  ) {
    this.weight = bytes
    this.#asked = { endpoint, args }
    this.#reading = reading
    this.#room = room
    this.#place = place
    this.#opened = content
    this.#bytes = bytesOf(body)
  }

  get value(): V {
    if (this.#opened !== undefined) {
      if (this.#stays) this.#room.get(this.#place)
      return this.#opened.value
    }
    const opened = this.#left?.deref() ?? this.#open()
    this.#opened = opened
    this.stay()
    return opened.value
  }

  #open(): Content<V> {
    const text = this.#bytes.toString()
    return { value: open(this.#asked, { text }, this.#reading) }
  }

  /** Open until there is no room for it beside what was read since. */
  stay(): void {
    this.#stays = true
    this.#room.set(this.#place, this)
  }

  /** There is no room for it any more. */
  leave(): void {
    this.#stays = false
    this.#left = this.#opened && new WeakRef(this.#opened)
    this.close()
  }

  close(): void {
    this.#opened = undefined
    this.#reading.settle?.()
  }
}

/**
 * Packs answers for as long as they are held. A record is open until the end of the turn in which it came, and once more
 * when it is asked for again; a window, which is read page by page, from the beginning. Of what is open so much stays, in
 * bytes as answers are weighed: there is room for the largest that is held. `closing` is called before something closes
 * that stayed.
 */
export const createPacking = (maxOpenBytes: number, closing?: () => void) => {
  const room: Room = new LRUCache({
    maxSize: Math.max(1, Math.floor(maxOpenBytes)),
    sizeCalculation: ({ weight }) => weight,
    disposeAfter(content) {
      closing?.()
      content.leave()
    },
  })
  let packed = 0
  let fresh: Packed<unknown>[] = []
  const close = () => {
    for (const one of fresh) one.close()
    fresh = []
  }
  return <V>(bought: Answer<V>, body: Body): Answer<V> => {
    const { reading } = bought
    if (reading === undefined) return bought
    const content = new Packed(bought, body, reading, room, packed++)
    if (bought.class === 'window') content.stay()
    else {
      if (fresh.length === 0) setImmediate(close)
      fresh.push(content)
    }
    return { ...bought, content }
  }
}

/** Makes held answers of what was bought. */
export type Packing = ReturnType<typeof createPacking>
