import { join } from 'node:path'
import { open } from 'lmdb'
import { makeDirectory } from '../directory.ts'
import { createStacks } from './stacks.ts'
import type { Disk, Stored } from './stored.ts'
import { createWriting } from './writing.ts'

/** A disk that this gateway writes itself. */
export interface OwnDisk extends Disk {
  /** Whether what is put there arrives. */
  readonly isWritten: boolean
  /** Takes out every answer that is meant; resolves with how many these were. */
  purge(isMeant: (stored: Stored) => boolean): Promise<number>
}

/**
 * A disk tier in a folder. It is bounded by the pages that it takes there, whoever writes them: the oldest answer goes
 * first. Reads are checked, writes are not waited for; where they fail, it gives what it has and is left alone a while.
 */
export const createDisk = (
  folder: string,
  maxBytes: number,
  warn: (text: string) => void = () => undefined,
): OwnDisk => {
  makeDirectory(folder)
  // Left to itself, the store batches what one turn writes, and rejects a promise of its own where that fails.
  const root = open({ path: join(folder, 'answers'), compression: true, eventTurnBatching: false })
  const writing = createWriting(root, folder, warn)
  const stacks = createStacks(root, maxBytes, writing)
  let putting = Promise.resolve()
  let making: Promise<void> | undefined
  let hits = 0
  let closing: Promise<void> | undefined

  const tidy = (): void => {
    making ??= stacks
      .makeRoom()
      .catch(writing.fail)
      .finally(() => {
        making = undefined
      })
  }
  const settle = async (): Promise<void> => {
    await putting
    tidy()
    await making
    await Promise.race([writing.failed, root.flushed])
  }

  return {
    keepsAll: false,
    isClosed: false,
    get isWritten() {
      return writing.isWritten
    },
    get(key) {
      const stored = stacks.get(key)
      if (stored !== undefined) hits += 1
      return stored
    },
    peek: stacks.peek,
    about: stacks.about,
    put(stored, life, lore) {
      if (!writing.mayPut(stored.at)) return
      // What they resolve to is left behind: each would hold that of the one before it, for ever.
      putting = Promise.all([putting, stacks.put(stored, life, lore)]).then(() => undefined)
      tidy()
    },
    remove: stacks.remove,
    async purge(isMeant) {
      const count = await stacks.purge(isMeant)
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
      closing ??= settle().then(() => Promise.race([writing.failed, root.close()]))
      return closing
    },
  }
}
