import type { Board, Sheet } from './board.ts'

/** A board of this process. */
export const createMemoryBoard = (): Board => {
  const sheets = new Map<string, Sheet>()
  return {
    owner: 'this process',
    isElsewhere: false,
    async hasEnded() {
      return false
    },
    async read(name) {
      return sheets.get(name)
    },
    async write(name, sheet, seen) {
      if (sheets.get(name)?.gen !== seen) return false
      sheets.set(name, sheet)
      return true
    },
  }
}
