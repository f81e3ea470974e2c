import type { Board, Sheet } from '../board/board.ts'
import type { Receipt } from './purse.ts'

/** Credits taken in one window, which the moment names at which it begins. */
interface Count {
  readonly window: number
  readonly credits: number
}

const NONE: Count = { window: 0, credits: 0 }

const within = (window: number, count: Count): number =>
  count.window === window ? count.credits : 0

/** A movement in a window: one that is over takes none in, a new one begins with nothing. */
const moved = (count: Count, window: number, by: number): Count =>
  window < count.window ? count : { window, credits: within(window, count) + by }

const countOn = (sheet: Sheet | undefined): Count => {
  try {
    const { window, credits } = JSON.parse(sheet?.text ?? '{}')
    return [window, credits].every(Number.isSafeInteger) ? { window, credits } : NONE
  } catch {
    return NONE
  }
}

/** What is taken of so much a window by all who share a board. */
export interface Tally {
  /** Undefined where less than that is left. */
  take(credits: number): Promise<Receipt | undefined>
  /** In the present window, as far as this process has seen. */
  readonly taken: number
  /** What this process may still take while nobody counts for all; undefined where somebody does. */
  readonly own?: number | undefined
  /** Whether it is written down where it is shared. */
  readonly isWritten: boolean
  /** Reads what was taken before this process began. */
  open(): Promise<void>
  /** Writes down what was given back last. */
  close(): Promise<void>
}

export interface TallySettings {
  readonly name: string
  /** Credits of one window. */
  readonly limit: number
  /** Where the present window begins, and the next one. */
  readonly begin: () => number
  readonly next: () => number
}

/** Where it is counted: on a board, or in Redis. */
export type Tallies = (settings: TallySettings) => Tally

interface Asker {
  readonly credits: number
  tell(receipt: Receipt | undefined): void
}

/**
 * Writes down what is taken before it is: one write for all who ask meanwhile, and only onto the count that was read. So
 * neither a crash nor another process loses a credit of it. Where nothing can be written, this process goes on from what
 * it has seen, and writes it down when it can.
 */
export const createTallies =
  (board: Board, warn: (text: string) => void = () => undefined): Tallies =>
  ({ name, limit, begin, next }) => {
    const asking: Asker[] = []
    let seen = NONE
    /** What the board does not know yet: what was given back, or taken while it could not be written. */
    let unwritten = NONE
    let working: Promise<void> | undefined
    let isTroubled = false

    /** The present window, also for a clock that lags behind the one that opened it. */
    const present = (): number => Math.max(begin(), seen.window, unwritten.window)
    const taken = (): number => Math.max(0, within(present(), seen) + within(present(), unwritten))

    /** What stands on the board, but for a window that no clock can have come to. */
    const look = async (): Promise<Sheet | undefined> => {
      const sheet = await board.read(name)
      const count = countOn(sheet)
      seen = count.window <= next() ? count : NONE
      return sheet
    }

    const receipt = (window: number, credits: number): Receipt => ({
      refund() {
        unwritten = moved(unwritten, window, -credits)
        void work()
      },
    })

    /** How it stands for those who ask, in their order, each as if those before it had taken theirs. */
    const decide = (window: number) => {
      const askers = [...asking]
      let sum = 0
      const verdicts = askers.map(({ credits, tell }) => {
        if (taken() + sum + credits > limit) return () => tell(undefined)
        sum += credits
        return () => tell(receipt(window, credits))
      })
      const tellAll = (): void => {
        asking.splice(0, askers.length)
        for (const verdict of verdicts) verdict()
      }
      return { sum, tellAll }
    }

    /** One look and one write; nobody is told anything where another process wrote in between. */
    const settle = async (): Promise<void> => {
      const sheet = await look()
      const window = present()
      const own = within(window, unwritten)
      unwritten = { window, credits: own }
      const { sum, tellAll } = decide(window)
      if (sum !== 0 || own !== 0) {
        const credits = taken() + sum
        const text = JSON.stringify({ window, credits })
        if (!(await board.write(name, { gen: (sheet?.gen ?? 0) + 1, text }, sheet?.gen))) return
        seen = { window, credits }
        unwritten = moved(unwritten, window, -own)
      }
      tellAll()
    }

    const trouble = (failure: unknown): void => {
      if (!isTroubled) warn(`${name} cannot be written, counting goes on in memory: ${failure}`)
      isTroubled = true
    }

    const settleAlone = (failure: unknown): void => {
      trouble(failure)
      const window = present()
      const { sum, tellAll } = decide(window)
      unwritten = moved(unwritten, window, sum)
      tellAll()
    }

    const settleAll = async (): Promise<void> => {
      do {
        try {
          await settle()
          isTroubled = false
        } catch (failure) {
          settleAlone(failure)
        }
      } while (asking.length > 0 || (unwritten.credits !== 0 && !isTroubled))
      working = undefined
    }

    const work = (): Promise<void> => {
      working ??= settleAll()
      return working
    }

    return {
      get taken() {
        return taken()
      },
      take: (credits) =>
        new Promise((tell) => {
          asking.push({ credits, tell })
          void work()
        }),
      get isWritten() {
        return !isTroubled
      },
      async open() {
        await look().catch(trouble)
      },
      async close() {
        await working
        if (unwritten.credits !== 0) await work()
      },
    }
  }
