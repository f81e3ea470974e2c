import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { open } from 'lmdb'
import type { Args } from './params.ts'
import type { Tier } from './shelf.ts'

/** An answer as it came, a refusal among them, what it answers, and when it came. */
export interface Stored {
  readonly key: string
  readonly endpoint: string
  readonly args: Args
  readonly at: number
  readonly status: number
  readonly text: string
}

/** How a stored answer stands in time. */
export interface Head extends Pick<Stored, 'key' | 'at' | 'status'> {
  readonly freshUntil: number
  readonly usableUntil: number
}

/** That an answer tells of a thing, and which of its columns that do not age. */
export interface Lore {
  readonly thing: string
  readonly columns: readonly string[]
}

/** An answer that is stored, and of a thing which columns it tells. */
export interface Mark extends Pick<Head, 'key' | 'at' | 'freshUntil'> {
  readonly columns: readonly string[]
}

/** What was paid for, kept through restarts and crashes by one machine. */
export interface Disk extends Tier {
  /** Whether refusals are kept too that are no answers. */
  readonly keepsAll: boolean
  /** Whether what it has is all that there will ever be, and good for ever. */
  readonly isClosed: boolean
  get(key: string): Stored | undefined
  /** How the answer stands that lies under a key. */
  peek(key: string): Head | undefined
  /** Answers that tell of a thing, newest first. */
  about(thing: string): readonly Mark[]
  /** `lore` is what its rows tell. */
  put(stored: Stored, life: Pick<Head, 'freshUntil' | 'usableUntil'>, lore: readonly Lore[]): void
  remove(key: string): void
  /** Resolves when what was put so far is written, and the store is within its bound. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** A disk that this gateway writes itself. */
export interface OwnDisk extends Disk {
  /** Takes out every answer that is meant; resolves with how many these were. */
  purge(isMeant: (stored: Stored) => boolean): Promise<number>
}

/** Changes with the form of what is written, so that an older form is not found. */
const FORM = 3
/** How far a full disk is emptied, so that it is not emptied at each write. */
const EMPTIED_TO = 0.9
/** Answers that go out together. */
const AT_ONCE = 16
/** Answers that are looked at for what they tell of a thing. */
export const MOST_MARKS = 8
/** Lines of lore written in one turn of the loop. */
const IN_A_TURN = 100

interface Entry extends Stored {
  readonly sum: number
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  'at' in value &&
  typeof value.at === 'number' &&
  'text' in value &&
  typeof value.text === 'string' &&
  'sum' in value &&
  value.sum === crc32(value.text)

const hashOf = (key: string): string =>
  createHash('sha256').update(`${FORM} ${key}`).digest('base64url')

/** Moments as texts that sort like them. */
const dated = (at: number, hash: string): string => `${String(at).padStart(15, '0')} ${hash}`
const line = (thing: string, at: number, hash: string): string => `${thing} ${dated(at, hash)}`

/**
 * A disk tier in a folder. It is bounded by the pages that it takes there, whoever writes them: the oldest answer goes
 * first. Reads are checked, writes are not waited for.
 */
export const createDisk = (folder: string, maxBytes: number): OwnDisk => {
  const root = open({ path: join(folder, 'answers'), compression: true })
  const entries = root.openDB<unknown, string>({ name: 'entries' })
  /** By hash: which answer it is, without its text. */
  const heads = root.openDB<Head, string>({ name: 'heads' })
  /** By age: the things that an answer tells of. */
  const ages = root.openDB<readonly string[], string>({ name: 'ages' })
  /** By thing and age: the columns that an answer tells of it. */
  const lines = root.openDB<readonly string[], string>({ name: 'lines' })
  const stores = [entries, heads, ages, lines]

  const statsOf = (store: (typeof stores)[number]): Record<string, number> => store.getStats()
  const bytes = (): number =>
    stores.map(statsOf).reduce((sum, { pageSize = 0, ...counts }) => {
      const { treeBranchPageCount = 0, treeLeafPageCount = 0, overflowPages = 0 } = counts
      return sum + pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages)
    }, 0)

  /** Takes out an answer of some age, with its lines; its place may have a newer one by now. */
  const drop = (at: number, hash: string): void => {
    const age = dated(at, hash)
    for (const thing of ages.get(age) ?? []) void lines.remove(line(thing, at, hash))
    void ages.remove(age)
    if (heads.get(hash)?.at !== at) return
    void heads.remove(hash)
    void entries.remove(hash)
  }

  const makeRoom = async (): Promise<void> => {
    await root.committed
    if (bytes() <= maxBytes) return
    do {
      const oldest = [...ages.getKeys({ limit: AT_ONCE })]
      if (oldest.length === 0) {
        // Pages that no answer accounts for are those of another form.
        for (const store of stores) await store.clearAsync()
        return
      }
      for (const age of oldest) {
        const [at, hash = ''] = age.split(' ')
        drop(Number(at), hash)
        await turnOfTheLoop()
      }
      await root.committed
    } while (bytes() > maxBytes * EMPTIED_TO)
  }

  const writeDown = async ({ at }: Stored, hash: string, lore: readonly Lore[]): Promise<void> => {
    for (const [count, { thing, columns }] of lore.entries()) {
      if (count % IN_A_TURN === IN_A_TURN - 1) await turnOfTheLoop()
      void lines.put(line(thing, at, hash), columns)
    }
  }

  let writing: Promise<unknown> = Promise.resolve()
  let making: Promise<void> | undefined
  const tidy = (): void => {
    making ??= makeRoom().finally(() => {
      making = undefined
    })
  }

  let hits = 0
  let closing: Promise<void> | undefined
  const settle = async (): Promise<void> => {
    await writing
    tidy()
    await making
    await root.flushed
  }

  return {
    keepsAll: false,
    isClosed: false,
    get(key) {
      const entry = entries.get(hashOf(key))
      if (!isEntry(entry) || entry.key !== key) return undefined
      hits += 1
      return entry
    },
    peek: (key) => heads.get(hashOf(key)),
    about(thing) {
      const range = { start: `${thing} ~`, end: `${thing} `, reverse: true, limit: MOST_MARKS }
      return [...lines.getRange(range)].flatMap(({ key: place, value: columns }) => {
        const [at, hash = ''] = place.slice(thing.length + 1).split(' ')
        const head = heads.get(hash)
        if (head?.at !== Number(at)) return []
        const { key, freshUntil } = head
        return [{ key, at: head.at, freshUntil, columns }]
      })
    },
    put(stored, { freshUntil, usableUntil }, lore) {
      const hash = hashOf(stored.key)
      const before = heads.get(hash)
      if (before !== undefined) drop(before.at, hash)
      void entries.put(hash, { ...stored, sum: crc32(stored.text) })
      const { key, at, status } = stored
      void heads.put(hash, { key, at, status, freshUntil, usableUntil })
      void ages.put(
        dated(stored.at, hash),
        lore.map(({ thing }) => thing),
      )
      writing = Promise.all([writing, writeDown(stored, hash, lore)])
      tidy()
    },
    remove(key) {
      const hash = hashOf(key)
      const head = heads.get(hash)
      if (head !== undefined) drop(head.at, hash)
    },
    async purge(isMeant) {
      let count = 0
      for (const { key: hash, value } of entries.getRange()) {
        if (!isEntry(value) || !isMeant(value)) continue
        drop(value.at, hash)
        count += 1
      }
      await root.flushed
      return count
    },
    get hits() {
      return hits
    },
    get bytes() {
      return bytes()
    },
    get size() {
      return statsOf(heads).entryCount ?? 0
    },
    settle,
    close() {
      closing ??= settle().then(() => root.close())
      return closing
    },
  }
}
