import { join } from 'node:path'
import { open } from 'lmdb'
import { createStacks } from './stacks.ts'
import type { Disk, Stored } from './stored.ts'

/** A disk that this gateway writes itself. */
export interface OwnDisk extends Disk {
  /** Takes out every answer that is meant; resolves with how many these were. */
  purge(isMeant: (stored: Stored) => boolean): Promise<number>
}

/**
 * A disk tier in a folder. It is bounded by the pages that it takes there, whoever writes them: the oldest answer goes
 * first. Reads are checked, writes are not waited for.
 */
export const createDisk = (folder: string, maxBytes: number): OwnDisk => {
  const root = open({ path: join(folder, 'answers'), compression: true })
  const stacks = createStacks(root, maxBytes)
  let writing: Promise<unknown> = Promise.resolve()
  let making: Promise<void> | undefined
  let hits = 0
  let closing: Promise<void> | undefined

  const tidy = (): void => {
    making ??= stacks.makeRoom().finally(() => {
      making = undefined
    })
  }
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
      const stored = stacks.get(key)
      if (stored !== undefined) hits += 1
      return stored
    },
    peek: stacks.peek,
    about: stacks.about,
    put(stored, life, lore) {
      writing = Promise.all([writing, stacks.put(stored, life, lore)])
      tidy()
    },
    remove: stacks.remove,
    async purge(isMeant) {
      const count = stacks.purge(isMeant)
      await root.flushed
      return count
    },
    get hits() {
      return hits
    },
    get bytes() {
      return stacks.bytes()
    },
    get size() {
      return stacks.size
    },
    settle,
    close() {
      closing ??= settle().then(() => root.close())
      return closing
    },
  }
}
