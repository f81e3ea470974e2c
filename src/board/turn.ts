import { createController } from '../signal.ts'
import type { Board } from './board.ts'
import type { Pace } from './lease.ts'

/** The right to do alone what a lease stands for. */
export interface Turn {
  /** Writes down again that somebody has it, where the board has lost that. */
  restore(): Promise<void>
  /** Gives it to whoever waits. */
  end(): Promise<void>
}

export const SIGN_OF_LIFE = 5_000
/** What a lease says that nobody has. */
export const FREE = ''

/** A turn that was taken with generation `gen`: gives signs of life until it ends, or is somebody else's. */
export const beginTurn = (board: Board, name: string, gen: number, sleep: Pace['sleep']): Turn => {
  const over = createController()
  let held = gen
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other, since each says what it has seen. */
  const inOrder = (write: () => Promise<boolean>): Promise<boolean> => {
    const written = last.then(write)
    last = written.catch(() => undefined)
    return written
  }
  const put = async (text: string, seen: number | undefined) => {
    const isKept = await board.write(name, { gen: held + 1, text }, seen)
    if (isKept) held += 1
    return isKept
  }
  /** What nobody has anymore was lost; what somebody has was taken. */
  const isLost = async () => !over.signal.aborted && (await board.read(name)) === undefined
  const takeBack = async () => (await isLost()) && put(board.owner, undefined)
  const sign = async () => (await put(board.owner, held)) || takeBack()

  const signal = async () => {
    for (;;) {
      await sleep(SIGN_OF_LIFE, over.signal)
      if (over.signal.aborted) return
      // A disk that takes no sign today may take one in five seconds.
      if ((await inOrder(sign).catch(() => undefined)) === false) return
    }
  }
  const signalling = signal()
  return {
    async restore() {
      await inOrder(takeBack).catch(() => false)
    },
    async end() {
      over.abort()
      await signalling
      // What cannot be given back lapses.
      await inOrder(() => put(FREE, held)).catch(() => false)
    },
  }
}
