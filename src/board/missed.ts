import type { Board } from './board.ts'

/** Milliseconds in which whoever knows what a record said has written it down again. */
const TIME_TO_ANSWER = 2_000

/**
 * Asks those who watch a record for what it said, where it is not there; true once they have had the time to write it
 * down: it may be there now. False at once where nobody has known it.
 */
export const askAround = async (
  board: Pick<Board, 'miss'>,
  name: string,
  sleep: (ms: number) => Promise<void>,
): Promise<boolean> => {
  const heard = (await board.miss?.(name)) ?? 0
  if (heard > 0) await sleep(TIME_TO_ANSWER)
  return heard > 0
}
