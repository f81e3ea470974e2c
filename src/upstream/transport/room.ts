import { Passing } from '../../passing.ts'

/** A body that comes in pieces and can be told to wait. */
interface Flow {
  pause(): void
  resume(): void
}

/** One body's place among those on their way. */
export interface Place {
  /** These bytes of it are held. */
  add(bytes: number): void
  /** It is read, or given up. */
  leave(): void
}

/**
 * Holds the bodies that are on their way to a bound of bytes in all: while it is passed, all wait but the one that
 * began first, so that each comes to its end, the largest beyond the bound.
 */
export const createRoom = (mostBytes: number) => {
  const guests = new Passing<number, Guest>()
  let count = 0
  let held = 0
  let isFull = false

  /** A parser of undici must not run within another's: who may go on does so after the one that runs now. */
  const settle = () => {
    if (held <= mostBytes && !isFull) return
    isFull = held > mostBytes
    let isFirst = true
    for (const guest of guests.values()) {
      const waits = isFull && !isFirst
      isFirst = false
      if (waits === guest.waits) continue
      guest.waits = waits
      if (waits) guest.flow.pause()
      else queueMicrotask(() => guest.waits || guest.flow.resume())
    }
  }

  /** A body on its way. */
  class Guest implements Place {
    readonly flow: Flow
    readonly #place = count++
    bytes = 0
    waits = false

    constructor(flow: Flow) {
      this.flow = flow
      guests.set(this.#place, this)
    }

    add(bytes: number): void {
      if (!guests.has(this.#place)) return
      this.bytes += bytes
      held += bytes
      settle()
    }

    leave(): void {
      if (!guests.delete(this.#place)) return
      held -= this.bytes
      settle()
    }
  }

  return {
    get bytes() {
      return held
    },
    enter: (flow: Flow): Place => new Guest(flow),
  }
}

export type Room = ReturnType<typeof createRoom>
