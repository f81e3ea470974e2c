import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { open } from 'lmdb'

/** The text of an answer, and when it came. */
export interface Stored {
  readonly at: number
  readonly text: string
}

/** What was paid for, kept through restarts and crashes by one machine. */
export interface Disk {
  get(key: string): Stored | undefined
  put(key: string, stored: Stored): void
  /** Characters of all that is kept. */
  readonly size: number
  /** Resolves when what was put so far is written. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Changes with the form of what is written, so that an older form is not found. */
const FORM = 1
/** How far a full disk is emptied, so that it is not emptied at each write. */
const EMPTIED_TO = 0.9

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

/** A disk tier in a folder, bounded in bytes of text: the oldest goes first. Reads are checked, writes are not waited for. */
export const createDisk = (folder: string, maxBytes: number): Disk => {
  const root = open({ path: join(folder, 'answers'), compression: true })
  const entries = root.openDB<unknown, string>({ name: 'entries' })
  const byAge = root.openDB<number, [number, string]>({ name: 'by-age' })
  let bytes = 0
  for (const { value } of byAge.getRange()) bytes += value

  const makeRoom = async (): Promise<void> => {
    // What is not committed yet is not seen by a range.
    await root.committed
    for (const { key, value } of byAge.getRange()) {
      if (bytes <= maxBytes * EMPTIED_TO) return
      bytes -= value
      await Promise.all([byAge.remove(key), entries.remove(key[1])])
    }
  }
  let making: Promise<void> | undefined
  const settle = async (): Promise<void> => {
    await making
    await root.flushed
  }

  return {
    get(key) {
      const entry = entries.get(hashOf(key))
      return isEntry(entry) ? entry : undefined
    },
    put(key, { at, text }) {
      const hash = hashOf(key)
      const before = entries.get(hash)
      if (isEntry(before)) {
        bytes -= before.text.length
        void byAge.remove([before.at, hash])
      }
      bytes += text.length
      void entries.put(hash, { at, text, sum: crc32(text) })
      void byAge.put([at, hash], text.length)
      if (bytes > maxBytes)
        making ??= makeRoom().finally(() => {
          making = undefined
        })
    },
    settle,
    get size() {
      return bytes
    },
    async close() {
      await settle()
      await root.close()
    },
  }
}
