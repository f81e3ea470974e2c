import type { Board } from '../board/board.ts'
import type { Stored } from './stored.ts'

/** Which answers are meant: those of these endpoints, of all where none is named, bought before a moment. */
export interface Meant {
  readonly names: ReadonlySet<string>
  readonly before: number
}

export type IsMeant = (answer: Pick<Stored, 'endpoint' | 'at'>) => boolean

export const meantBy =
  ({ names, before }: Meant): IsMeant =>
  ({ endpoint, at }) =>
    (names.size === 0 || names.has(endpoint)) && at < before

const NAME = 'purge'
/** Of those before, who has not heard yet keeps what it holds. */
const MOST = 50

const purgeIn = (value: unknown): Meant[] => {
  if (typeof value !== 'object' || value === null || !('names' in value) || !('before' in value))
    return []
  const { names, before } = value
  if (!Array.isArray(names) || typeof before !== 'number') return []
  return [{ names: new Set(names.map(String)), before }]
}

const purgesIn = (text: string): readonly Meant[] => {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.flatMap(purgeIn) : []
  } catch {
    return []
  }
}

/** Writes down for all replicas, those that are away among them, what is to be taken out of what they hold. */
export const tellPurge = async (board: Board, { names, before }: Meant, now: number) => {
  for (;;) {
    const { gen = 0, text = '[]' } = (await board.read(NAME)) ?? {}
    const meant = { names, before: Math.min(before, now) }
    const list = [...purgesIn(text), meant].slice(-MOST)
    const told = JSON.stringify(list.map((purge) => ({ ...purge, names: [...purge.names] })))
    if (await board.write(NAME, { gen: gen + 1, text: told }, gen === 0 ? undefined : gen)) return
  }
}

/** Does what was written down since it last looked; a purge that is done twice finds nothing the second time. */
export const createPurges = (board: Board, purge: (isMeant: IsMeant) => Promise<unknown>) => {
  let done: number | undefined
  const look = async (): Promise<void> => {
    const sheet = await board.read(NAME)
    if (sheet === undefined || sheet.gen === done) return
    done = sheet.gen
    const tests = purgesIn(sheet.text).map(meantBy)
    if (tests.length > 0) await purge((answer) => tests.some((isMeant) => isMeant(answer)))
  }
  // Whoever cannot hear now looks when it can.
  const lookAgain = (): void => void look().catch(() => undefined)
  board.watch?.(NAME, lookAgain)
  return { look: lookAgain }
}
