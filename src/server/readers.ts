import { ServerResponse } from 'node:http'
import { createController } from '../signal.ts'
import type { Clock } from '../upstream/transport/send.ts'

/** Bytes that may wait for slow readers, all together. */
const MOST_WAITING = 128 * 1024 * 1024
/** Milliseconds in which an answer must be read. */
const LONGEST_READ = 60_000

/** Those who read more slowly than they are answered. */
export const createReaders = (clock: Clock) => {
  /** Whoever has let bytes wait the longest comes first. */
  const slow = new Set<ServerResponse>()
  const waiting = () => {
    let bytes = 0
    for (const { writableLength, req } of slow) if (!req.socket.destroyed) bytes += writableLength
    return bytes
  }
  /** One that is not on its turn yet has no connection of its own to end: that of its request it shares with those before. */
  const giveUp = ({ req }: ServerResponse) => req.socket.destroy()

  const makeRoom = () => {
    for (const response of slow) {
      if (waiting() <= MOST_WAITING) return
      slow.delete(response)
      giveUp(response)
    }
  }

  const follow = (response: ServerResponse) => {
    const over = createController()
    const end = () => {
      slow.delete(response)
      over.abort()
    }
    slow.add(response)
    response.once('finish', end).once('close', end)
    void clock.sleep(LONGEST_READ, over.signal).then(() => over.signal.aborted || giveUp(response))
  }

  const written = (response: ServerResponse) => {
    if (response.writableLength === 0 || response.destroyed) return
    if (!slow.has(response)) follow(response)
    makeRoom()
  }

  return {
    /** Bytes that wait at present. */
    get waiting() {
      return waiting()
    },
    /** An answer that is given up where too much of it waits for too long. */
    Answer: class extends ServerResponse {
      override write(...given: unknown[]): boolean {
        const isThrough: boolean = Reflect.apply(super.write, this, given)
        // Whatever is written waits for the end of the turn; what the socket did not ask for waits for the reader.
        if (!isThrough) written(this)
        return isThrough
      }
      override end(...given: unknown[]): this {
        Reflect.apply(super.end, this, given)
        written(this)
        return this
      }
    },
  }
}
