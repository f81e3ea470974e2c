import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFileBoard } from '../../src/board/file.ts'
import { createMemoryBoard } from '../../src/board/memory.ts'

const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), 'refrain-board-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return join(made, 'state')
}

describe.each([
  ['in memory', async () => createMemoryBoard()],
  ['in a folder', async () => createFileBoard(await folder())],
])('a board %s', (_, make) => {
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

describe('a board in a folder', () => {
  it('keeps its records over a restart, for its owner only, and leaves no drafts', async () => {
    const place = await folder()
    await createFileBoard(place).write('token', { gen: 1, text: 'one' }, undefined)
    expect(await createFileBoard(place).read('token')).toEqual({ gen: 1, text: 'one' })
    expect((await stat(join(place, 'token.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(place)).mode & 0o777).toBe(0o700)
    expect(await readdir(place)).toEqual(['token.json'])
  })

  it('closes a file that others could read', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    await chmod(join(place, 'token.json'), 0o644)
    await board.read('token')
    expect((await stat(join(place, 'token.json'))).mode & 0o777).toBe(0o600)
  })

  it('refuses to follow a link', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('other', { gen: 1, text: 'one' }, undefined)
    await symlink(join(place, 'other.json'), join(place, 'token.json'))
    await expect(board.read('token')).rejects.toThrow('symbolic link')
  })

  it.each(['', '{"gen":1,"te', '[]', '{"gen":"1","text":"x"}'])(
    'hands over a spoilt file %j as one of generation 0, which can be replaced',
    async (text) => {
      const place = await folder()
      const board = createFileBoard(place)
      await board.write('token', { gen: 9, text: 'x' }, undefined)
      await writeFile(join(place, 'token.json'), text)
      expect(await board.read('token')).toEqual({ gen: 0, text })
      expect(await board.write('token', { gen: 1, text: 'new' }, 0)).toBe(true)
    },
  )

  it('is not harmed by the draft of a writer that died', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    await writeFile(join(place, `token.json.${process.pid}.tmp`), '{"gen":2,"te')
    expect(await board.read('token')).toEqual({ gen: 1, text: 'one' })
    expect(await board.write('token', { gen: 2, text: 'two' }, 1)).toBe(true)
    expect(await readFile(join(place, 'token.json'), 'utf8')).toBe('{"gen":2,"text":"two"}')
  })

  it('says so when it cannot write, and keeps what was there', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    await rm(place, { recursive: true })
    await writeFile(place, 'a file where the folder was')
    await expect(board.write('token', { gen: 1, text: 'x' }, undefined)).rejects.toThrow()
    await rm(place)
    expect(await board.write('token', { gen: 1, text: 'x' }, undefined)).toBe(true)
  })
})
