import { hash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../directory.ts'
import { isObject } from './envelopes.ts'
import type { Args } from './params.ts'
import { type Disk, type Head, type Lore, type Mark, MOST_MARKS, type Stored } from './stored.ts'

/** Where an answer of a file is found, and what it tells. */
export type MarkOf = (
  stored: Omit<Stored, 'key'>,
) => (Omit<Head, 'status'> & { readonly lore: readonly Lore[] }) | undefined

/** What a file holds, in this order. */
interface Recorded {
  /** What was asked, as one reads it. */
  readonly request: string
  readonly endpoint: string
  readonly args: Args
  readonly status: number
  readonly at: string
  readonly body: unknown
}

/** A key without its brackets: verb, address, then body and headers where there are any. */
const requestIn = (key: string): string => {
  if (!key.startsWith('[')) return key
  const [method, target, body, headers]: readonly unknown[] = JSON.parse(key)
  const pairs = Array.isArray(headers) ? headers : []
  const parts = [method, target, body, ...pairs.map((pair) => [pair].flat().join(': '))]
  return parts.filter((part) => part !== '').join(' ')
}

const LONGEST_NAME = 90

/** A file is named by what was asked, and told from others of that beginning by its hash. */
const nameOf = (request: string): string => {
  const words = request.replace(/[^A-Za-z0-9]+/g, '-').slice(0, LONGEST_NAME)
  const digest = hash('sha256', request).slice(0, 12)
  return `${words.replace(/-$/, '')}.${digest}.json`
}

const isRecorded = (value: unknown): value is Recorded =>
  isObject(value) &&
  typeof value.request === 'string' &&
  typeof value.endpoint === 'string' &&
  isObject(value.args) &&
  typeof value.status === 'number' &&
  typeof value.at === 'string' &&
  Number.isFinite(Date.parse(value.at)) &&
  'body' in value

/** A body that is no JSON is kept as a text. */
const bodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

/**
 * A disk that people read: a JSON file for each request, the same for the same answer, so that a folder of them can be
 * kept with the sources of an app. Closed, it gives what it has and takes nothing.
 */
export const createFolder = (path: string, isClosed: boolean, markOf: MarkOf): Disk => {
  if (!isClosed) makeDirectory(path)
  const fileOf = (key: string): string => join(path, nameOf(requestIn(key)))

  const read = (file: string): Recorded => {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isRecorded(value)) return value
    throw new Error('it lacks what a recorded answer has')
  }
  const storedIn = ({ endpoint, args, status, at, body }: Recorded): Omit<Stored, 'key'> => ({
    endpoint,
    args,
    status,
    at: Date.parse(at),
    text: textOf(body),
  })

  /** By file: how its answer stands, and the things that it tells of. */
  const files = new Map<string, { readonly head: Head; readonly told: readonly string[] }>()
  const things = new Map<string, Map<string, Mark>>()
  const drop = (file: string): void => {
    for (const thing of files.get(file)?.told ?? []) things.get(thing)?.delete(file)
    files.delete(file)
  }
  const index = (file: string, head: Head, lore: readonly Lore[]): void => {
    drop(file)
    files.set(file, { head, told: lore.map(({ thing }) => thing) })
    const { key, at, freshUntil } = head
    for (const { thing, columns } of lore) {
      const marks = things.get(thing) ?? new Map<string, Mark>()
      things.set(thing, marks.set(file, { key, at, freshUntil, columns }))
    }
  }

  for (const name of readdirSync(path).filter((name) => name.endsWith('.json'))) {
    const file = join(path, name)
    try {
      const stored = storedIn(read(file))
      const mark = markOf(stored)
      if (mark === undefined) throw new Error('this revision cannot read it; record it anew')
      const { lore, ...head } = mark
      index(file, { ...head, status: stored.status }, lore)
    } catch (failure) {
      throw new Error(`${file}: ${failure instanceof Error ? failure.message : String(failure)}`)
    }
  }

  let hits = 0
  return {
    keepsAll: true,
    isClosed,
    get(key) {
      const file = fileOf(key)
      if (!files.has(file)) return undefined
      hits += 1
      return { key, ...storedIn(read(file)) }
    },
    peek: (key) => files.get(fileOf(key))?.head,
    about: (thing) =>
      [...(things.get(thing)?.values() ?? [])].sort((a, b) => b.at - a.at).slice(0, MOST_MARKS),
    put({ key, endpoint, args, status, at, text }, { freshUntil, usableUntil }, lore) {
      const file = fileOf(key)
      const recorded: Recorded = {
        request: requestIn(key),
        endpoint,
        args,
        status,
        at: new Date(at).toISOString(),
        body: bodyOf(text),
      }
      writeFileSync(`${file}.new`, `${JSON.stringify(recorded, undefined, 2)}\n`)
      renameSync(`${file}.new`, file)
      index(file, { key, at, status, freshUntil, usableUntil }, lore)
    },
    remove(key) {
      const file = fileOf(key)
      rmSync(file, { force: true })
      drop(file)
    },
    get hits() {
      return hits
    },
    get bytes() {
      return [...files.keys()].reduce((sum, file) => sum + statSync(file).size, 0)
    },
    get size() {
      return files.size
    },
    settle: async () => undefined,
    close: async () => undefined,
  }
}
