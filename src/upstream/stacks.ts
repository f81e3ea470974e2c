import { hash } from 'node:crypto'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { RootDatabase } from 'lmdb'
import { type Head, type Lore, type Mark, MOST_MARKS, type Stored } from './stored.ts'
import type { Writing } from './writing.ts'

/** Changes with the form of what is written, so that an older form is not found. */
const FORM = 3
/** How far a full disk is emptied, so that it is not emptied at each write. */
const EMPTIED_TO = 0.9
/** Answers that go out together. */
const AT_ONCE = 16
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

const hashOf = (key: string): string => hash('sha256', `${FORM} ${key}`, 'base64url')

/** Moments as texts that sort like them. */
const dated = (at: number, hash: string): string => `${String(at).padStart(15, '0')} ${hash}`
const line = (thing: string, at: number, hash: string): string => `${thing} ${dated(at, hash)}`

/** How answers lie on a disk: by key, by age, and by what they tell of; the oldest go first where there are too many. */
export const createStacks = (root: RootDatabase, maxBytes: number, { write }: Writing) => {
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

  /** Within a write: takes out an answer of some age, with its lines; its place may have a newer one by now. */
  const drop = (at: number, hash: string): void => {
    const age = dated(at, hash)
    for (const thing of ages.get(age) ?? []) void lines.remove(line(thing, at, hash))
    void ages.remove(age)
    if (heads.get(hash)?.at !== at) return
    void heads.remove(hash)
    void entries.remove(hash)
  }

  const writeDown = async ({ at }: Stored, hash: string, lore: readonly Lore[]): Promise<void> => {
    for (let from = 0; from < lore.length; from += IN_A_TURN) {
      await turnOfTheLoop()
      write(() => {
        for (const { thing, columns } of lore.slice(from, from + IN_A_TURN))
          void lines.put(line(thing, at, hash), columns)
      })
    }
  }

  const clear = (hash: string): void => {
    const head = heads.get(hash)
    if (head !== undefined) drop(head.at, hash)
  }

  return {
    bytes,
    get size() {
      return statsOf(heads).entryCount ?? 0
    },
    get(key: string): Stored | undefined {
      const entry = entries.get(hashOf(key))
      return isEntry(entry) && entry.key === key ? entry : undefined
    },
    peek: (key: string): Head | undefined => heads.get(hashOf(key)),
    about(thing: string): readonly Mark[] {
      const range = { start: `${thing} ~`, end: `${thing} `, reverse: true, limit: MOST_MARKS }
      return [...lines.getRange(range)].flatMap(({ key: place, value: columns }) => {
        const [at, hash = ''] = place.slice(thing.length + 1).split(' ')
        const head = heads.get(hash)
        if (head?.at !== Number(at)) return []
        const { key, freshUntil } = head
        return [{ key, at: head.at, freshUntil, columns }]
      })
    },
    /** Resolves when all that it tells of is written too, some of it in later turns of the loop. */
    put(
      stored: Stored,
      { freshUntil, usableUntil }: Pick<Head, 'freshUntil' | 'usableUntil'>,
      lore: readonly Lore[],
    ): Promise<void> {
      const { key, at, status } = stored
      const hash = hashOf(key)
      const things = lore.map(({ thing }) => thing)
      write(() => {
        clear(hash)
        void entries.put(hash, { sum: crc32(stored.text), ...stored })
        void heads.put(hash, { key, at, status, freshUntil, usableUntil })
        void ages.put(dated(at, hash), things)
      }, true)
      return writeDown(stored, hash, lore)
    },
    remove: (key: string): void => write(() => clear(hashOf(key))),
    /** Takes out every answer that is meant, and counts these. */
    async purge(isMeant: (stored: Stored) => boolean): Promise<number> {
      let count = 0
      for (let start = ''; ; await turnOfTheLoop()) {
        const some = [...entries.getRange({ start, exclusiveStart: true, limit: AT_ONCE })]
        for (const { key: hash, value } of some) {
          if (!isEntry(value) || !isMeant(value)) continue
          write(() => drop(value.at, hash))
          count += 1
        }
        if (some.length < AT_ONCE) return count
        start = some.at(-1)?.key ?? start
      }
    },
    /** Takes out the oldest answers, until what is left has room. */
    async makeRoom(): Promise<void> {
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
          write(() => drop(Number(at), hash))
          await turnOfTheLoop()
        }
        await root.committed
      } while (bytes() > maxBytes * EMPTIED_TO)
    },
  }
}
