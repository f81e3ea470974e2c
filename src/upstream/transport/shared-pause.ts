import type { Board } from '../../board/board.ts'

const NAME = 'pause'

/** A pause as a record of a board: what one replica is told of the rate, all keep. */
export const createSharedPause = (board: Board, heard: (until: number) => void) => {
  const look = async () => {
    const sheet = await board.read(NAME)
    const until = Number(sheet?.text)
    if (Number.isFinite(until)) heard(until)
    return { gen: sheet?.gen, until }
  }
  const tell = async (until: number): Promise<void> => {
    for (;;) {
      const { gen, until: known } = await look()
      if (known >= until) return
      if (await board.write(NAME, { gen: (gen ?? 0) + 1, text: String(until) }, gen)) return
    }
  }
  // While the board is away each replica keeps the pauses that it is told of itself.
  const quiet = () => undefined
  board.watch?.(NAME, () => void look().catch(quiet))
  return {
    /** Only where others can hear of it. */
    tell: (until: number) => void (board.watch && tell(until).catch(quiet)),
    /** Takes in what was said while nobody could hear it. */
    look: () => void look().catch(quiet),
  }
}
