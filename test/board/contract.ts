import { describe, expect, it } from 'vitest'
import type { Board } from '../../src/board/board.ts'

/** What holds for each board, wherever its records lie. */
export const holdsRecords = (where: string, make: () => Promise<Board>) => {
  describe(`a board ${where}`, () => {
    it('has nothing under a name that was never written', async () => {
      expect(await (await make()).read('token')).toBeUndefined()
    })

    it('gives back what was written', async () => {
      const board = await make()
      expect(await board.write('token', { gen: 1, text: 'one "é"' }, undefined)).toBe(true)
      expect(await board.read('token')).toEqual({ gen: 1, text: 'one "é"' })
      expect(await board.read('pause')).toBeUndefined()
    })

    it('refuses a writer who has not seen the generation that is there', async () => {
      const board = await make()
      await board.write('token', { gen: 1, text: 'one' }, undefined)
      expect(await board.write('token', { gen: 2, text: 'late' }, undefined)).toBe(false)
      expect(await board.write('token', { gen: 3, text: 'early' }, 2)).toBe(false)
      expect(await board.write('token', { gen: 2, text: 'two' }, 1)).toBe(true)
      expect(await board.read('token')).toEqual({ gen: 2, text: 'two' })
    })

    it('lets one of several writers at once through', async () => {
      const board = await make()
      const writes = await Promise.all(
        ['a', 'b', 'c'].map((text) => board.write('token', { gen: 1, text }, undefined)),
      )
      expect(writes.filter((written) => written)).toHaveLength(1)
    })
  })
}
