import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Board, Sheet } from './board.ts'

const OWNER_ONLY = 0o600
const { O_RDONLY, O_NOFOLLOW, O_WRONLY, O_CREAT, O_TRUNC } = constants

const isSheet = (value: unknown): value is Sheet =>
  typeof value === 'object' &&
  value !== null &&
  'gen' in value &&
  Number.isSafeInteger(value.gen) &&
  'text' in value &&
  typeof value.text === 'string'

/** A file that is no sheet is one of generation 0, for its reader to judge. */
const parse = (text: string): Sheet => {
  try {
    const value: unknown = JSON.parse(text)
    if (isSheet(value)) return { gen: value.gen, text: value.text }
  } catch {}
  return { gen: 0, text }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? error.code : undefined

const withFile = async <T>(path: string, flags: number, use: (file: FileHandle) => Promise<T>) => {
  const file = await open(path, flags, OWNER_ONLY)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

const checkOwner = async (file: FileHandle, path: string) => {
  const { mode, uid } = await file.stat()
  if (process.getuid !== undefined && uid !== process.getuid())
    throw new Error(`${path} belongs to another user (uid ${uid})`)
  if ((mode & 0o077) !== 0) await file.chmod(OWNER_ONLY)
}

/** A board in a folder: one file a record, readable by its owner only, whole after a crash. */
export const createFileBoard = (folder: string): Board => {
  const pathOf = (name: string) => join(folder, `${name}.json`)
  let turn: Promise<unknown> = Promise.resolve()

  const read = async (name: string) => {
    const path = pathOf(name)
    try {
      return await withFile(path, O_RDONLY | O_NOFOLLOW, async (file) => {
        await checkOwner(file, path)
        return parse(await file.readFile('utf8'))
      })
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      if (codeOf(error) === 'ELOOP') throw new Error(`${path} is a symbolic link`)
      throw error
    }
  }

  const replace = async (name: string, sheet: Sheet) => {
    const path = pathOf(name)
    const draft = `${path}.${process.pid}.tmp`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await withFile(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, async (file) => {
      await file.writeFile(JSON.stringify(sheet))
      await file.sync()
    })
    await rename(draft, path)
    await withFile(folder, O_RDONLY, (directory) => directory.sync())
  }

  return {
    read,
    write(name, sheet, seen) {
      const mine = turn.then(async () => {
        if ((await read(name))?.gen !== seen) return false
        await replace(name, sheet)
        return true
      })
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}
