import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../directory.ts'
import { codeOf } from '../errors.ts'
import type { Board, Sheet } from './board.ts'
import { createOwner } from './owner.ts'

const OWNER_ONLY = 0o600
const FOLDER_OF_OWNER = 0o700
const { O_RDONLY, O_NOFOLLOW, O_WRONLY, O_CREAT, O_EXCL } = constants

const isSheet = (value: unknown): value is Sheet =>
  typeof value === 'object' &&
  value !== null &&
  'gen' in value &&
  Number.isSafeInteger(value.gen) &&
  'text' in value &&
  typeof value.text === 'string'

/** A sheet as it lies in a file: with a mark of its own, and those of the last sheets that it was written on. */
interface Leaf {
  readonly sheet: Sheet
  readonly marks: readonly string[]
}

const MOST_MARKS = 32

const marksOf = (value: Sheet): string[] =>
  'marks' in value && Array.isArray(value.marks) ? value.marks.map(String) : []

/** A file that is no sheet is one of generation 0, for its reader to judge. */
const parse = (text: string): Leaf => {
  try {
    const value: unknown = JSON.parse(text)
    if (isSheet(value))
      return { sheet: { gen: value.gen, text: value.text }, marks: marksOf(value) }
  } catch {}
  return { sheet: { gen: 0, text }, marks: [] }
}

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

interface Version extends Leaf {
  readonly number: number
}

/**
 * A board in a folder, readable by its owner only. Each write is a file of the next number, written
 * aside and linked in whole: a link to a name that is taken fails, so that of several processes one
 * writes, and a process that dies at any point leaves the version before or the one after.
 */
export const createFileBoard = (folder: string): Board => {
  const owner = createOwner()
  /** The first versions of this board had no number. */
  const pathOf = (name: string, number: number) =>
    join(folder, number === 0 ? `${name}.json` : `${name}.${number}.json`)

  const listing = async () => {
    try {
      return await readdir(folder)
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return []
      throw error
    }
  }
  /** Numbers of what stands under a name with this ending. */
  const numbered = async (name: string, ending: string) =>
    (await listing()).flatMap((file) => {
      if (!file.startsWith(`${name}.`) || !file.endsWith(ending)) return []
      const middle = file.slice(name.length, -ending.length)
      const number = Number(
        /^(?:\.(\d+)\b.*)?$/.exec(middle)?.[1] ?? (middle === '' ? 0 : Number.NaN),
      )
      return Number.isNaN(number) ? [] : [{ file, number }]
    })
  const highest = (versions: readonly { readonly number: number }[]) =>
    versions.length === 0 ? undefined : Math.max(...versions.map(({ number }) => number))

  const newest = async (name: string): Promise<Version | undefined> => {
    for (;;) {
      const number = highest(await numbered(name, '.json'))
      if (number === undefined) return undefined
      const path = pathOf(name, number)
      try {
        const leaf = await withFile(path, O_RDONLY | O_NOFOLLOW, async (file) => {
          await checkOwner(file, path)
          return parse(await file.readFile('utf8'))
        })
        return { number, ...leaf }
      } catch (error) {
        if (codeOf(error) === 'ELOOP') throw new Error(`${path} is a symbolic link`)
        // A newer one took its place while it was opened.
        if (codeOf(error) !== 'ENOENT') throw error
      }
    }
  }

  const draftOf = async (name: string, { number, sheet, marks }: Version) => {
    const draft = join(folder, `${name}.${number}.${randomUUID()}.tmp`)
    const put = () =>
      withFile(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, async (file) => {
        await file.writeFile(JSON.stringify({ ...sheet, marks }))
        await file.sync()
      })
    try {
      await put()
    } catch (failure) {
      if (codeOf(failure) !== 'ENOENT') throw failure
      makeDirectory(folder, FOLDER_OF_OWNER)
      await put()
    }
    return draft
  }

  /**
   * False: the number is taken, or was taken and is past. Where another has written since, it shows whether it has
   * written on this one.
   */
  const linkIn = async (draft: string, name: string, { number, marks: [own = ''] }: Version) => {
    const path = pathOf(name, number)
    try {
      await link(draft, path)
    } catch (error) {
      if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false
      throw error
    } finally {
      await rm(draft, { force: true })
    }
    await withFile(folder, O_RDONLY, (directory) => directory.sync())
    const now = await newest(name)
    if (now?.number === number || now?.marks.includes(own)) return true
    await rm(path, { force: true })
    return false
  }

  /** Older versions, and drafts of a number that is taken: they are of no use to anybody. */
  const tidy = async (name: string, number: number) => {
    const versions = (await numbered(name, '.json')).filter((version) => version.number < number)
    const drafts = (await numbered(name, '.tmp')).filter((draft) => draft.number <= number)
    for (const { file } of [...versions, ...drafts]) await rm(join(folder, file), { force: true })
  }

  return {
    owner: owner.mark,
    isElsewhere: false,
    hasEnded: owner.hasEnded,
    async read(name) {
      return (await newest(name))?.sheet
    },
    async write(name, sheet, seen) {
      const found = await newest(name)
      if (found?.sheet.gen !== seen) return false
      const number = (found?.number ?? 0) + 1
      const marks = [randomUUID().slice(0, 8), ...(found?.marks ?? [])].slice(0, MOST_MARKS)
      const version = { number, sheet, marks }
      if (!(await linkIn(await draftOf(name, version), name, version))) return false
      await tidy(name, number)
      return true
    },
  }
}
