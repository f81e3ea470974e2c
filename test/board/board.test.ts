import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFileBoard } from '../../src/board/file.ts'
import { createMemoryBoard } from '../../src/board/memory.ts'
import { createOwner } from '../../src/board/owner.ts'
import { holdsRecords } from './contract.ts'

const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), 'refrain-board-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return join(made, 'state')
}

holdsRecords('in memory', async () => createMemoryBoard())
holdsRecords('in a folder', async () => createFileBoard(await folder()))

describe('a board in a folder', () => {
  it('keeps its records over a restart, for its owner only, and leaves no drafts', async () => {
    const place = await folder()
    await createFileBoard(place).write('token', { gen: 1, text: 'one' }, undefined)
    expect(await createFileBoard(place).read('token')).toEqual({ gen: 1, text: 'one' })
    expect((await stat(join(place, 'token.1.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(place)).mode & 0o777).toBe(0o700)
    expect(await readdir(place)).toEqual(['token.1.json'])
  })

  it('keeps one file a record, however often it is written', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    await board.write('token', { gen: 2, text: 'two' }, 1)
    await board.write('token', { gen: 2, text: 'two again' }, 2)
    await board.write('token-lease', { gen: 1, text: 'x' }, undefined)
    expect((await readdir(place)).sort()).toEqual(['token-lease.1.json', 'token.3.json'])
    expect(await createFileBoard(place).read('token')).toEqual({ gen: 2, text: 'two again' })
  })

  it('goes on from a record of its first form, without a number', async () => {
    const place = await folder()
    await mkdir(place)
    await writeFile(join(place, 'token.json'), '{"gen":4,"text":"old"}')
    const board = createFileBoard(place)
    expect(await board.read('token')).toEqual({ gen: 4, text: 'old' })
    expect(await board.write('token', { gen: 5, text: 'new' }, 4)).toBe(true)
    expect(await readdir(place)).toEqual(['token.1.json'])
  })

  it('lets one of many writers through, of boards that know nothing of each other', async () => {
    const place = await folder()
    let won: number | undefined
    for (let round = 0; round < 20; round += 1) {
      const writes = await Promise.all(
        Array.from({ length: 4 }, (_, at) =>
          createFileBoard(place).write('token', { gen: round, text: `${at}` }, won),
        ),
      )
      expect(writes.filter((written) => written)).toHaveLength(1)
      expect((await createFileBoard(place).read('token'))?.text).toBe(`${writes.indexOf(true)}`)
      won = round
    }
    expect(await readdir(place)).toEqual(['token.20.json'])
  })

  it('tells a writer the truth whose sheet was read and written on before it could look', async () => {
    const place = await folder()
    /** Counts up until it has done so 25 times, as often as another comes between. */
    const count = async () => {
      const board = createFileBoard(place)
      for (let done = 0; done < 25; ) {
        const sheet = await board.read('sum')
        const gen = (sheet?.gen ?? 0) + 1
        const text = String(Number(sheet?.text ?? 0) + 1)
        if (await board.write('sum', { gen, text }, sheet?.gen)) done += 1
      }
    }
    await Promise.all(Array.from({ length: 6 }, count))
    expect((await createFileBoard(place).read('sum'))?.text).toBe('150')
  })

  it('does not let a late writer take a number that is past', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    await board.write('token', { gen: 2, text: 'two' }, 1)
    await board.write('token', { gen: 3, text: 'three' }, 2)
    await writeFile(join(place, 'token.2.json'), '{"gen":2,"text":"late"}')
    expect(await board.read('token')).toEqual({ gen: 3, text: 'three' })
    expect(await board.write('token', { gen: 4, text: 'four' }, 3)).toBe(true)
    expect(await readdir(place)).toEqual(['token.4.json'])
  })

  it('closes a file that others could read', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    await chmod(join(place, 'token.1.json'), 0o644)
    await board.read('token')
    expect((await stat(join(place, 'token.1.json'))).mode & 0o777).toBe(0o600)
  })

  it('refuses to follow a link', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('other', { gen: 1, text: 'one' }, undefined)
    await symlink(join(place, 'other.1.json'), join(place, 'token.1.json'))
    await expect(board.read('token')).rejects.toThrow('symbolic link')
  })

  it.each(['', '{"gen":1,"te', '[]', '{"gen":"1","text":"x"}'])(
    'hands over a spoilt file %j as one of generation 0, which can be replaced',
    async (text) => {
      const place = await folder()
      const board = createFileBoard(place)
      await board.write('token', { gen: 9, text: 'x' }, undefined)
      await writeFile(join(place, 'token.1.json'), text)
      expect(await board.read('token')).toEqual({ gen: 0, text })
      expect(await board.write('token', { gen: 1, text: 'new' }, 0)).toBe(true)
    },
  )

  it('is not harmed by the draft of a writer that died, and takes it away', async () => {
    const place = await folder()
    const board = createFileBoard(place)
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    await writeFile(join(place, 'token.2.of-the-dead.tmp'), '{"gen":2,"te')
    expect(await board.read('token')).toEqual({ gen: 1, text: 'one' })
    expect(await board.write('token', { gen: 2, text: 'two' }, 1)).toBe(true)
    expect(await readdir(place)).toEqual(['token.2.json'])
    const text = await readFile(join(place, 'token.2.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ gen: 2, text: 'two' })
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

describe('the mark of a process', () => {
  const another = async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
    })
    await once(child, 'spawn')
    onTestFinished(() => void child.kill('SIGKILL'))
    const mine = createOwner()
    const start = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]
    const mark = `${mine.mark.split(' ')[0]} ${child.pid} ${start}`
    return { mine, mark, child }
  }

  it('says that this process lives', async () => {
    const { mark, hasEnded } = createOwner()
    expect(await hasEnded(mark)).toBe(false)
    expect(createOwner().mark).toBe(mark)
  })

  it('tells a living, a frozen and a killed process apart', async () => {
    const { mine, mark, child } = await another()
    expect(await mine.hasEnded(mark)).toBe(false)
    child.kill('SIGSTOP')
    expect(await mine.hasEnded(mark)).toBe(false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await mine.hasEnded(mark)).toBe(true)
  })

  it('is not confused by a process that got the number of one that ended', async () => {
    const { mine, mark } = await another()
    expect(await mine.hasEnded(mark.replace(/\d+$/, '1'))).toBe(true)
  })

  it.each(['', 'process 1', 'elsewhere/pid:[1] 1 1', 'x'])(
    'declares nobody dead of whom nothing can be known: %j',
    async (mark) => {
      expect(await createOwner().hasEnded(mark)).toBe(false)
    },
  )
})
