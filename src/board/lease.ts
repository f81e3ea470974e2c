import type { Signal } from '../signal.ts'
import type { Board, Sheet } from './board.ts'
import { askAround } from './missed.ts'
import { beginTurn, FREE, SIGN_OF_LIFE, type Turn } from './turn.ts'

/** What a lease needs of time; both count on while somebody sets the clock of the machine. */
export interface Pace {
  sleep(ms: number, signal?: Signal): Promise<void>
  steady(): number
  random(): number
}

export interface Waiting {
  /** Milliseconds without a sign of life after which the holder is passed over. */
  patience(): number
  /** Asked while another holds it: true ends the waiting. */
  isNeedless(): Promise<boolean>
}

const BETWEEN_LOOKS = 50

const holderOf = (sheet: Sheet | undefined) =>
  sheet === undefined || sheet.text === FREE ? undefined : sheet.text

/**
 * Lets one of all who share a board act at a time. A holder that is killed or falls silent is passed
 * over; each sign of life is a new generation, so that one who was passed over cannot take it back. What a board has
 * lost the holder writes down again, as soon as somebody misses it.
 */
export const createLease = (board: Board, name: string, { sleep, steady, random }: Pace) => {
  /** The last that this process had. */
  let turn: Turn | undefined
  const begin = (gen: number): Turn => {
    if (turn === undefined) board.watch?.(name, () => void turn?.restore())
    turn = beginTurn(board, name, gen, sleep)
    return turn
  }

  /** Whether anything can be written; how, is of no matter. */
  const canWrite = async (): Promise<boolean> => {
    const probe = `${name}-probe`
    try {
      const gen = (await board.read(probe))?.gen
      await board.write(probe, { gen: (gen ?? 0) + 1, text: board.owner }, gen)
      return true
    } catch (failure) {
      if (board.isElsewhere) throw failure
      return false
    }
  }

  /** Where nothing can be written nobody can be kept out, but nobody is known to be in either. */
  const unwritten: Turn = { async restore() {}, async end() {} }

  return {
    /** Undefined: it is no longer needed. */
    async claim({ patience, isNeedless }: Waiting): Promise<Turn | undefined> {
      let seen: number | undefined
      let since = steady()
      let probed = since
      /** Since when the holder could have given a sign. */
      let writable: number | undefined
      let isMissed = false
      const listenAnew = () => {
        since = steady()
        writable = undefined
      }
      for (;;) {
        const sheet = await board.read(name)
        if (sheet === undefined && !isMissed) {
          isMissed = true
          if (await askAround(board, name, sleep)) continue
        }
        if (sheet?.gen !== seen) listenAnew()
        seen = sheet?.gen
        const holder = holderOf(sheet)
        const free = holder === undefined || (await board.hasEnded(holder))
        // Who cannot write is silent, and may have something to save as soon as it can.
        if (!free && steady() - Math.max(since, probed) >= SIGN_OF_LIFE) {
          probed = steady()
          if (await canWrite()) writable ??= probed
          else listenAnew()
        }
        const isSilent =
          steady() - since >= patience() &&
          writable !== undefined &&
          steady() - writable >= SIGN_OF_LIFE
        if (free || isSilent) {
          const gen = (seen ?? 0) + 1
          const write = board.write(name, { gen, text: board.owner }, seen)
          const taken = await write.catch((failure: unknown) => {
            if (board.isElsewhere) throw failure
          })
          if (taken === true) return begin(gen)
          if (taken === undefined && free) return unwritten
          // Whoever holds it cannot give a sign of life either.
          if (taken === undefined) listenAnew()
        }
        if (await isNeedless()) return undefined
        await sleep(BETWEEN_LOOKS * (1 + random()))
      }
    },
  }
}

export type Lease = ReturnType<typeof createLease>
