import type { Clock } from '../transport/send.ts'
import { hashOf, type RecordBook, type TokenRecord } from './record.ts'
import { type Secret, secret } from './secret.ts'

const trimmed = (seed: Secret | undefined) => {
  const text = seed?.reveal().trim() ?? ''
  return text === '' ? undefined : secret(text)
}

/** What one exchange leaves behind for the next. */
export type Kept = Pick<TokenRecord, 'accessToken' | 'accessExp' | 'refreshToken'>

/**
 * The line of refresh tokens that a configured one began, in memory and on the board. Each token is
 * good for one exchange, so the newest is saved before its exchange's result is used.
 */
export const createLine = (book: RecordBook, clock: Clock, configured: Secret | undefined) => {
  let seed = trimmed(configured)
  let record: TokenRecord | undefined
  let onBoard: number | undefined
  /** The board holds what is not ours to write over before we have something better. */
  let foreign = false
  let interrupted: number | undefined
  let unsaved = false

  const ours = (found: TokenRecord) => seed === undefined || found.seedHash === hashOf(seed)
  const begin = (gen: number) => {
    if (seed !== undefined) record = { gen, refreshToken: seed, seedHash: hashOf(seed) }
  }

  const save = async () => {
    if (record === undefined) return
    try {
      if (!(await book.keep(record, onBoard))) {
        // Another process wrote meanwhile. What we hold came last from the service, so it is the newest.
        onBoard = (await book.find()).gen
        record = { ...record, gen: Math.max(record.gen, (onBoard ?? 0) + 1) }
        if (!(await book.keep(record, onBoard))) return
      }
      onBoard = record.gen
      foreign = false
      unsaved = false
    } catch {
      unsaved = true
    }
  }

  const note = async (at: number | undefined) => {
    if (record === undefined || foreign) return
    record = { ...record, intent: at === undefined ? undefined : { at } }
    const kept = await book.keep(record, onBoard).catch(() => false)
    if (kept) onBoard = record.gen
  }

  return {
    get record() {
      return record
    },
    get seed() {
      return seed
    },
    /** The newest refresh token exists in memory only. */
    get unsaved() {
      return unsaved
    },
    /** When an exchange began whose result was never seen or never saved; undefined if none is known. */
    get interrupted() {
      return interrupted
    },
    /** Takes over what an earlier or another process wrote; true if that is newer than what we held. */
    async catchUp(): Promise<boolean> {
      const found = await book.find()
      onBoard = found.gen
      const theirs = found.record
      foreign = found.unreadable || (theirs !== undefined && !ours(theirs))
      if (theirs !== undefined && !foreign) {
        if (record !== undefined && theirs.gen <= record.gen) return false
        if (record === undefined) interrupted = theirs.intent?.at
        record = theirs
        return true
      }
      if (record === undefined) begin(found.gen ?? 0)
      return false
    },
    /** Notes that an exchange begins, so that a crash in it can be told from a first start. */
    intend: () => note(clock.now()),
    /** The exchange brought nothing; `lost`: as far as we know, since its answer never arrived. */
    conclude(lost: boolean) {
      if (lost) interrupted ??= record?.intent?.at
      return note(interrupted)
    },
    /** Keeps what an exchange of `used` gave; resolves to its generation, saved if it can be. */
    async keep(used: Secret, next: Kept): Promise<number> {
      const gen = Math.max(record?.gen ?? 0, onBoard ?? 0) + 1
      const prevRefreshToken =
        next.refreshToken.reveal() === used.reveal() ? record?.prevRefreshToken : used
      record = { ...next, gen, prevRefreshToken, seedHash: record?.seedHash ?? hashOf(used) }
      interrupted = undefined
      unsaved = true
      await save()
      return record.gen
    },
    save,
    /** Begins a new line if the configured token is another one. */
    reseed(next: Secret): boolean {
      const fresh = trimmed(next)
      if (fresh === undefined || (seed !== undefined && hashOf(seed) === hashOf(fresh)))
        return false
      seed = fresh
      foreign = true
      interrupted = undefined
      begin(Math.max(record?.gen ?? 0, onBoard ?? 0))
      return true
    },
  }
}

export type Line = ReturnType<typeof createLine>
