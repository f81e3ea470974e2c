import type { Clock } from '../transport/send.ts'
import type { Copy } from './copy.ts'
import { type Found, hashOf, type RecordBook, type TokenRecord } from './record.ts'
import { type Secret, secret } from './secret.ts'

const trimmed = (seed: Secret | undefined) => {
  const text = seed?.reveal().trim() ?? ''
  return text === '' ? undefined : secret(text)
}

const isSame = (one: Secret, other: Secret) => one.reveal() === other.reveal()

/** What one exchange leaves behind for the next. */
export type Kept = Pick<TokenRecord, 'accessToken' | 'accessExp' | 'refreshToken'>

/**
 * The line of refresh tokens that a configured one began, in memory and on the board. Each token is
 * good for one exchange, so the newest is saved before its exchange's result is used.
 */
export const createLine = (
  book: RecordBook,
  clock: Clock,
  configured: Secret | undefined,
  copy?: Copy,
) => {
  let seed = trimmed(configured)
  let record: TokenRecord | undefined
  let onBoard: number | undefined
  /** It was not there, and whoever might have known it was asked. */
  let isMissed = false
  let tellOfChange: (() => void) | undefined
  /** Lowest generation of a line that begins now. */
  let floor = 0
  /** The board holds what is not ours to write over before we have something better. */
  let foreign = false
  /** The board holds this line, sealed with another key. */
  let sealed = false
  /** The board holds this line unsealed, and this process nothing of its own. */
  let plain = false
  let unreadable = false
  let interrupted: number | undefined
  /** The part of `interrupted` that is known from here, should the board not take the note of it. */
  let lost: number | undefined
  let unsaved = false

  const isThere = ({ gen, isSpoilt }: Found) => gen !== undefined && isSpoilt !== true
  const see = (gen: number | undefined, isKnown = gen !== undefined) => {
    onBoard = gen
    if (isKnown) isMissed = false
    if (gen === undefined) return
    // Who knows a record hears when it is missed, and nobody else does.
    if (tellOfChange !== undefined) book.watch(tellOfChange)
    tellOfChange = undefined
  }
  /** What is on the board, or what others who know it have put there since it was found to be missing, or spoilt. */
  const find = async () => {
    const found = await book.find()
    if (isThere(found) || isMissed) return found
    isMissed = true
    return (await book.askAround(clock.sleep)) ? book.find() : found
  }

  const ours = (found: TokenRecord) => seed === undefined || found.seedHash === hashOf(seed)
  const isAhead = (theirs: TokenRecord) => record === undefined || theirs.gen > record.gen
  const begin = (gen: number) => {
    if (seed !== undefined)
      record = { gen: Math.max(gen, floor), refreshToken: seed, seedHash: hashOf(seed) }
  }

  const put = async (next: TokenRecord) => {
    record = next
    if (!(await book.keep(next, onBoard))) return false
    see(next.gen)
    foreign = false
    if (record === next) unsaved = false
    return true
  }

  /** Another process wrote since; if it was an exchange, it came later than ours. */
  const reconcile = async (mine: TokenRecord) => {
    const found = await book.find()
    see(found.gen)
    const theirs = found.record
    if (theirs === undefined || !ours(theirs) || theirs.gen < mine.gen) {
      await put({ ...mine, gen: Math.max(mine.gen, (onBoard ?? 0) + 1) })
    } else if (isSame(theirs.refreshToken, mine.refreshToken)) {
      record = theirs
      unsaved = false
    } else if (await book.keep({ ...theirs, orphan: mine.refreshToken }, onBoard)) {
      record = { ...theirs, orphan: mine.refreshToken }
      unsaved = false
    }
  }

  const save = async () => {
    if (record === undefined) return
    try {
      if (!(await put(record))) await reconcile(record)
      await book.copied()
    } catch {
      unsaved = true
    }
  }

  /** What this machine got and the board does not have; it goes there before anybody exchanges what is older. */
  const recall = async (least: number) => {
    const own = await copy?.find()
    if (own === undefined || !ours(own) || own.gen < least) return false
    record = own
    plain = false
    unsaved = true
    await save()
    return true
  }

  /** False: another process wrote meanwhile. */
  const note = async (at: number | undefined) => {
    if (record === undefined || foreign) return true
    record = { ...record, intent: at === undefined ? undefined : { at } }
    const kept = await book.keep(record, onBoard)
    if (kept) see(record.gen)
    return kept
  }

  /** The service gives the refresh token back as it was: an exchange takes nothing from anybody. */
  const isSteady = () =>
    record?.accessToken !== undefined &&
    record.prevRefreshToken === undefined &&
    seed !== undefined &&
    isSame(record.refreshToken, seed)

  return {
    get record() {
      return record
    },
    get seed() {
      return seed
    },
    /** The newest refresh token and the configured one, each once. */
    get refreshTokens(): readonly Secret[] {
      const newest = record?.refreshToken ?? seed
      if (newest === undefined) return []
      return seed === undefined || isSame(newest, seed) ? [newest] : [newest, seed]
    },
    /** The newest refresh token exists in memory only. */
    get unsaved() {
      return unsaved
    },
    /** When an exchange began whose result was never seen or never saved; undefined if none is known. */
    get interrupted() {
      return interrupted
    },
    /** Newer tokens than the configured one are on the board, and cannot be read without their key. */
    get sealed() {
      return sealed
    },
    /** A record of this line is on the board that nobody with its key wrote, and nothing else is known. */
    get plain() {
      return plain
    },
    /** What is on the board is no record, or not one that this process can read. */
    get unreadable() {
      return unreadable
    },
    /** Takes over what an earlier or another process wrote; true if that is newer than what we held. */
    async catchUp(): Promise<boolean> {
      const found = await find()
      see(found.gen, isThere(found))
      unreadable = found.unreadable
      const theirs = found.record
      foreign = unreadable || (theirs !== undefined && !ours(theirs))
      const isOurs = unreadable && seed !== undefined && found.seedHash === hashOf(seed)
      sealed = isOurs && !found.isPlain
      plain = isOurs && !sealed && record === undefined
      if (record === undefined && (plain || found.isSpoilt || !foreign)) {
        const least = unreadable ? (found.gen ?? 0) : (theirs?.gen ?? 0) + 1
        if (await recall(least)) return true
      }
      if (plain) return false
      if (theirs === undefined || foreign) {
        // One that others can read, or mend, is newer than a beginning.
        if (record === undefined) begin(unreadable ? 0 : (found.gen ?? 0))
        return false
      }
      if (record !== undefined && (theirs.gen < record.gen || unsaved)) return false
      const newer = isAhead(theirs)
      if (newer) lost = undefined
      interrupted = theirs.intent?.at ?? lost
      record = theirs
      return newer
    },
    /** Whether another process wrote what is newer than what we hold. */
    async isBehind(): Promise<boolean> {
      const theirs = (await book.find()).record
      return theirs !== undefined && ours(theirs) && isAhead(theirs) && !unsaved
    },
    /** The board may be away: it is not of this machine. */
    isElsewhere: book.isElsewhere,
    /** Whether an exchange may be made while a board is away where others may be making theirs. */
    get mayGoAlone() {
      return book.isElsewhere && isSteady()
    },
    /** Notes that an exchange begins, so that a crash in it can be told from a first start. */
    intend: () =>
      note(clock.now()).catch((failure: unknown) => {
        // A disk that takes nothing does not stop an exchange: no other process can write on it either.
        if (book.isElsewhere && !isSteady()) throw failure
        return true
      }),
    /** The exchange brought nothing; `unanswered`: as far as we know, since its answer never arrived. */
    async conclude(unanswered: boolean) {
      if (unanswered) interrupted ??= record?.intent?.at
      lost = interrupted
      // The next exchange notes it again.
      await note(interrupted).catch(() => undefined)
    },
    /** Keeps what an exchange of `used` gave; resolves to its generation, saved if it can be. */
    async keep(used: Secret, next: Kept): Promise<number> {
      const gen = Math.max(record?.gen ?? 0, onBoard ?? 0) + 1
      const prevRefreshToken = isSame(next.refreshToken, used) ? record?.prevRefreshToken : used
      const kept = { ...next, gen, prevRefreshToken, seedHash: record?.seedHash ?? hashOf(used) }
      record = kept
      interrupted = undefined
      lost = undefined
      unsaved = true
      await Promise.all([save(), copy?.keep(kept)])
      return record.gen
    },
    save,
    /** Tells when what is on the board has changed, or somebody misses it there. */
    watch(changed: () => void) {
      tellOfChange = changed
    },
    /** Writes down again what the board has lost, or what was spoilt there; what another key may open is left. */
    async restore(): Promise<void> {
      for (;;) {
        const { gen, unreadable, isSpoilt, record: theirs } = await book.find()
        if (record?.accessToken === undefined && record?.intent === undefined) return
        if (isSpoilt ? (gen ?? 0) > record.gen : unreadable) return
        if (theirs !== undefined && (!ours(theirs) || theirs.gen >= record.gen)) return
        see(gen)
        if (await put(record)) break
      }
      await book.copied()
    },
    /** Turns to the line of another configured token, the board's if it has it, else a new one. */
    reseed(next: Secret): boolean {
      const fresh = trimmed(next)
      if (fresh === undefined || (seed !== undefined && isSame(seed, fresh))) return false
      floor = Math.max(record?.gen ?? 0, onBoard ?? 0)
      seed = fresh
      record = undefined
      unsaved = false
      interrupted = undefined
      lost = undefined
      return true
    },
  }
}

export type Line = ReturnType<typeof createLine>
